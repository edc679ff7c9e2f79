import { describe, expect, test } from 'vitest';
import { nextPosition } from '../../../src/renderer/state/faults';

describe('the next fault', () => {
  test('is nowhere without faults', () => {
    expect(nextPosition(0, 0, false, 1)).toBeUndefined();
    expect(nextPosition(0, 0, false, -1)).toBeUndefined();
  });

  test('is the first one after a frame that has none', () => {
    expect(nextPosition(2, 5, false, 1)).toBe(2);
    expect(nextPosition(2, 5, false, -1)).toBe(1);
  });

  test('is not the one that is selected', () => {
    expect(nextPosition(2, 5, true, 1)).toBe(3);
    expect(nextPosition(2, 5, true, -1)).toBe(1);
  });

  test('goes round at both ends', () => {
    expect(nextPosition(4, 5, true, 1)).toBe(0);
    expect(nextPosition(5, 5, false, 1)).toBe(0);
    expect(nextPosition(0, 5, true, -1)).toBe(4);
    expect(nextPosition(0, 1, true, 1)).toBe(0);
  });
});
