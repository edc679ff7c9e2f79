import type { Span, Value } from './ast';

/** Carries a fault in an expression from where it is found to `parseFilter`, which makes it a value. */
export class FilterProblem extends Error {
  readonly at: number;
  readonly length: number;

  constructor(message: string, { at, length }: Span) {
    super(message);
    this.at = at;
    this.length = length;
  }
}

/** What a message repeats of the expression, at most. */
const LONGEST = 40;

/** A value as a message repeats it: in quotes, cut where it is long. */
export function shown({ text }: Pick<Value, 'text'>): string {
  return `"${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}"`;
}
