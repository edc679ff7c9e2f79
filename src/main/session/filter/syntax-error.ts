import type { Expectation, SyntaxError as GrammarError } from './grammar';
import type { FilterError } from './types';

/** What the parser's complaint says to people: what was expected where, and what stands there. */
export function describeSyntaxError(error: GrammarError, text: string): FilterError {
  const { start, end } = error.location;
  if (error.expected === null) return { message: error.message, at: start.offset, length: end.offset - start.offset };
  const at = start.offset;
  const found = /^(?:[\w.:/-]+|[=!<>&|]{1,2}|[\s\S])/u.exec(text.slice(at, at + 40))?.[0] ?? '';
  const expected = list(descriptions(error.expected));
  if (found === '') return { message: `Expected ${expected} here, at the end`, at, length: 0 };
  // Two words in a row, neither of which is part of a comparison.
  const hint = /\w/.test(found) && expected.startsWith('a comparison') ? '; a text of several words needs quotes' : '';
  return { message: `Expected ${expected}, not ${found}${hint}`, at, length: found.length };
}

/** Without blanks, which may stand anywhere; a place where parentheses may open is one for a whole condition. */
function descriptions(expected: readonly Expectation[]): string[] {
  const names = new Set(expected.map(describe));
  names.delete('blank');
  if (names.has('(')) {
    for (const part of ['(', '!', 'a value', 'header']) names.delete(part);
    names.add('a condition');
  }
  return [...names];
}

function describe(expectation: Expectation): string {
  switch (expectation.type) {
    case 'end':
      return 'the end';
    case 'other':
      return expectation.description ?? '';
    case 'literal':
      return expectation.text ?? '';
    case 'class':
    case 'any':
      return 'a character';
    default:
      return expectation.type satisfies never;
  }
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}
