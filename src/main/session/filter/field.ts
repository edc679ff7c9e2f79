import type { Comparison, Value } from './ast';
import type { Predicate } from './predicate';

/** A name that an expression may compare, or have alone. */
export interface Field {
  name: string;
  /** What follows the name, as an example in messages. */
  example: string;
  /** The field by itself. Absent where that says nothing. */
  alone?: Predicate;
  /** @throws FilterProblem for an operator or a value that the field does not have. Absent where it stands alone. */
  compare?(comparison: Comparison, field: Value): Predicate;
}
