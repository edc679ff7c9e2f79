import type { Expression } from './ast';
import { compile } from './compile';
import { SyntaxError as GrammarSyntaxError, parse } from './grammar';
import { everyRow, type Predicate, type RowTest } from './predicate';
import { FilterProblem } from './problem';
import { describeSyntaxError } from './syntax-error';
import type { Filter, FilterResult, FilterRows, FilterScope } from './types';

export type { Filter, FilterError, FilterResult, FilterRows, FilterScope } from './types';

/** UTF-16 units of an expression, at most. */
export const LONGEST_FILTER = 4096;

/**
 * Reads a filter expression (docs/guide/filter.md). Never throws for what the text says; blanks alone match every row.
 */
export function parseFilter(text: string): FilterResult {
  if (text.length > LONGEST_FILTER) {
    const message = `A filter has at most ${LONGEST_FILTER} characters, not ${text.length}`;
    return { error: { message, at: LONGEST_FILTER, length: text.length - LONGEST_FILTER } };
  }
  try {
    const expression: Expression | null = parse(text);
    return { filter: new CompiledFilter(expression === null ? everyRow : compile(expression)) };
  } catch (error) {
    if (error instanceof FilterProblem) {
      return { error: { message: error.message, at: error.at, length: error.length } };
    }
    if (error instanceof GrammarSyntaxError) return { error: describeSyntaxError(error, text) };
    throw error;
  }
}

class CompiledFilter implements Filter {
  readonly scope: FilterScope;

  /** The binding that `test` used last: rows are mostly those of one session. */
  private bound: { rows: FilterRows; test: RowTest } | undefined;

  constructor(private readonly predicate: Predicate) {
    this.scope = predicate.scope;
  }

  test(rows: FilterRows, row: number): boolean {
    if (this.bound?.rows !== rows) this.bound = { rows, test: this.predicate.bind(rows, false) };
    return this.bound.test(row);
  }

  select(rows: FilterRows, from: number, to: number, out: number[]): void {
    const test = this.predicate.bind(rows, true);
    for (let row = from; row < to; row++) if (test(row)) out.push(row);
  }
}
