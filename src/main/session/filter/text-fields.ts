import { containing, textTest } from './comparisons';
import type { Field } from './field';
import { KINDS, kindName } from './frame-names';
import { kindOf } from './name-fields';
import { Cost, type Predicate } from './predicate';

const info: Field = {
  name: 'info',
  example: 'info contains "max"',
  compare: (comparison) => {
    const test = textTest('info', comparison);
    return { scope: 'row', cost: Cost.TEXT, bind: (rows) => (row) => test(rows.info(row)) };
  },
};

/** The row's type or its info contains `part`, in any case. */
export function textSearch(part: string): Predicate {
  const test = containing(part);
  const kinds = Array.from({ length: KINDS }, (_, kind) => test(kindName(kind)));
  return {
    scope: 'row',
    cost: Cost.TEXT,
    bind: (rows) => {
      const kind = kindOf(rows);
      return (row) => kinds[kind(row)]! || test(rows.info(row));
    },
  };
}

export const TEXT_FIELDS: readonly Field[] = [info];
