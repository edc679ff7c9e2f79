import { describe, expect, test } from 'vitest';
import { highest, stepAt, stepData } from '../../../src/renderer/concurrency/steps';

const limit = (t: number | null, value: number) => ({ t, value, n: 3 });

describe('lines of open streams and of the limit', () => {
  test('have their values at the times of both, and hold them to the end', () => {
    expect(stepData({ t: [1, 2], open: [1, 2], limits: [limit(1.5, 10)] }, 0, 3)).toEqual([
      [0, 1, 1.5, 2, 3],
      [0, 1, 1, 2, 2],
      [null, null, 10, 10, 10],
    ]);
  });

  test('take the last of several changes at one time', () => {
    const [times, open] = stepData({ t: [1, 1, 1], open: [1, 2, 1], limits: [] }, 0, 2);
    expect([times, open]).toEqual([
      [0, 1, 2],
      [0, 1, 1],
    ]);
  });

  test('leave out a limit that was never acknowledged', () => {
    expect(stepData({ t: [], open: [], limits: [limit(null, 5)] }, 0, 1)).toEqual([
      [0, 1],
      [0, 0],
      [null, null],
    ]);
  });

  test('are looked up by time', () => {
    expect([0, 1, 1.5, 9].map((time) => stepAt([1, 2], time))).toEqual([-1, 0, 0, 1]);
  });
});

describe('the axis', () => {
  test.each([
    [2, [limit(0, 2)], 2],
    [2, [limit(0, 6)], 6], // thrice as many is near enough to be seen
    [2, [limit(0, 100)], 2],
    [2, [limit(0, 0xffffffff)], 2],
    [0, [], 1],
    [1, [limit(null, 3)], 1],
  ])('with %d open at most and limits of %j reaches %d', (peak, limits, top) => {
    expect(highest(peak, limits)).toBe(top);
  });
});
