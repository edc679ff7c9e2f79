import { RowBit } from '../../../core/capture/frames';
import { FrameType } from '../../../shared/names';
import type { Comparison, Value } from './ast';
import { textTest } from './comparisons';
import type { Field } from './field';
import { Cost, type Predicate, remembered } from './predicate';
import type { FilterRows } from './types';

/** A condition on the header list that a row completes: one of its fields passes. False on all other rows. */
function anyHeader(bind: (rows: FilterRows) => (field: number) => boolean): Predicate {
  return {
    scope: 'row',
    cost: Cost.HEADERS,
    bind: (rows, steady) => {
      const { frames, headers } = rows.capture;
      const test = remembered(bind(rows), steady);
      return (row) => {
        if ((frames.bits.get(row) & RowBit.NON_FRAME) !== 0 || !carriesBlock(frames.type.get(row))) return false;
        const list = frames.aux.get(row) - 1;
        if (list < 0) return false;
        const count = headers.listLength(list);
        for (let i = 0; i < count; i++) if (test(headers.fieldOf(list, i))) return true;
        return false;
      };
    },
  };
}

function carriesBlock(type: number): boolean {
  return type === FrameType.HEADERS || type === FrameType.PUSH_PROMISE || type === FrameType.CONTINUATION;
}

/**
 * `header NAME`: a field of that name is in the list; with a comparison, one whose value passes. A value that was
 * never seen passes none.
 */
export function headerCondition(name: Value, comparison: Comparison | null): Predicate {
  const wanted = name.text.toLowerCase();
  const test = comparison === null ? undefined : textTest(`header ${name.text}`, comparison);
  return anyHeader(({ capture: { headers } }) => (field) => {
    if (headers.name(field).toLowerCase() !== wanted) return false;
    if (test === undefined) return true;
    const value = headers.value(field);
    return value !== null && test(value);
  });
}

/** All of a row's header fields, each as the text `name: value`. */
const headers: Field = {
  name: 'headers',
  example: 'headers contains "grpc-go"',
  compare: (comparison) => {
    const test = textTest('headers', comparison, ['contains']);
    return anyHeader((rows) => (field) => {
      const { headers: store } = rows.capture;
      return test(`${store.name(field)}: ${store.value(field) ?? ''}`);
    });
  },
};

export const HEADER_FIELDS: readonly Field[] = [headers];
