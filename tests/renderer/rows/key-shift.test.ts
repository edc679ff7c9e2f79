import { describe, expect, test } from 'vitest';
import { keyShift } from '../../../src/renderer/rows/fixed-rows';

/** Keys of the rows drawn, first to last. */
function keys({ first, count }: { first: number; count: number }, shift: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i + shift);
}

describe('keys of rows', () => {
  test('a row that stays in sight keeps its key', () => {
    const before = { first: 100, count: 4, shift: 0 };
    expect(keys({ first: 102, count: 4 }, keyShift(before, { first: 102, count: 4 }))).toEqual([102, 103, 104, 105]);
    expect(keys({ first: 97, count: 4 }, keyShift(before, { first: 97, count: 4 }))).toEqual([97, 98, 99, 100]);
  });

  test('after a jump the rows take over the keys of those that were there, in both directions and again', () => {
    const far = { first: 9000, count: 4 };
    const shift = keyShift({ first: 100, count: 4, shift: 0 }, far);
    expect(keys(far, shift)).toEqual([100, 101, 102, 103]);
    const near = { first: 0, count: 4 };
    const back = keyShift({ ...far, shift }, near);
    expect(keys(near, back)).toEqual([100, 101, 102, 103]);
    expect(keys({ first: 1, count: 4 }, keyShift({ ...near, shift: back }, { first: 1, count: 4 }))).toEqual([
      101, 102, 103, 104,
    ]);
  });

  test('nothing drawn before is no obstacle', () => {
    expect(keyShift({ first: 0, count: 0, shift: 0 }, { first: 0, count: 3 })).toBe(0);
  });
});
