import { expect, test } from 'vitest';
import { stopAt } from '../../../src/renderer/step/stops';

test('the stop at a frame is the last that is not behind it', () => {
  const guide = [
    { n: 4, words: 'a' },
    { n: 9, words: 'b' },
  ];
  expect([1, 3, 4, 8, 9, 100].map((n) => stopAt(guide, n))).toEqual([-1, -1, 0, 0, 1, 1]);
  expect(stopAt([], 5)).toBe(-1);
});
