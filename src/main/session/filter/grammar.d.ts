import type { Expression } from './ast';

export interface Expectation {
  type: 'other' | 'literal' | 'class' | 'any' | 'end';
  /** Of a named rule. */
  description?: string;
  text?: string;
}

/** What the parser throws. `expected` is null for the grammar's own complaints, whose `message` is for people. */
declare class GrammarError extends Error {
  expected: Expectation[] | null;
  location: { start: { offset: number }; end: { offset: number } };
}

export { GrammarError as SyntaxError };

/** @returns null for an expression of blanks. @throws SyntaxError */
export function parse(text: string): Expression | null;
