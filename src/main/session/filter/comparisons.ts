import type { Comparison, Operator, Value } from './ast';
import { FilterProblem } from './problem';

/** The only value of a comparison without braces. @throws FilterProblem where there are several. */
export function singleValue(comparison: Comparison): Value {
  const [value] = comparison.values;
  if (comparison.set) {
    throw new FilterProblem(`Values in braces go with in, not with ${comparison.operator}`, comparison);
  }
  return value!;
}

/** @throws FilterProblem when the field `name` does not have this operator. */
export function requireOperator(
  name: string,
  { operator, at, length }: Comparison,
  allowed: readonly Operator[],
): void {
  if (allowed.includes(operator)) return;
  throw new FilterProblem(`${name} has no ${operator}; it has ${allowed.join(' ')}`, { at, length });
}

export const NUMBER_OPERATORS: readonly Operator[] = ['==', '!=', '<', '<=', '>', '>=', 'in'];
export const NAME_OPERATORS: readonly Operator[] = ['==', '!=', 'in'];
export const TEXT_OPERATORS: readonly Operator[] = ['==', '!=', 'in', 'contains'];

/** A test of numbers. NaN stands for "there is none" and passes no comparison, not even !=. */
export function numberTest(
  name: string,
  comparison: Comparison,
  read: (value: Value) => number,
): (number: number) => boolean {
  requireOperator(name, comparison, NUMBER_OPERATORS);
  const { operator } = comparison;
  if (operator === 'in') {
    const numbers = new Set(comparison.values.map(read));
    return (number) => numbers.has(number);
  }
  const limit = read(singleValue(comparison));
  switch (operator) {
    case '==':
      return (number) => number === limit;
    case '!=':
      return (number) => number < limit || number > limit;
    case '<':
      return (number) => number < limit;
    case '<=':
      return (number) => number <= limit;
    case '>':
      return (number) => number > limit;
    default:
      return (number) => number >= limit;
  }
}

/** A test of texts: `contains` ignores case, equality does not. */
export function textTest(
  name: string,
  comparison: Comparison,
  allowed: readonly Operator[] = TEXT_OPERATORS,
): (text: string) => boolean {
  requireOperator(name, comparison, allowed);
  const { operator, values } = comparison;
  if (operator === 'in') {
    const texts = new Set(values.map(({ text }) => text));
    return (text) => texts.has(text);
  }
  const { text: wanted } = singleValue(comparison);
  switch (operator) {
    case '==':
      return (text) => text === wanted;
    case '!=':
      return (text) => text !== wanted;
    default:
      return containing(wanted);
  }
}

export function containing(part: string): (text: string) => boolean {
  const wanted = part.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}
