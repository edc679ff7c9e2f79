import { describe, expect, test } from 'vitest';
import { cursorTarget } from '../../../src/renderer/detail/hex-keys';

const TOTAL = 100; // six rows of sixteen, and four octets more
const PAGE = 3;

function target(keys: string, cursor: number, started = true): number | undefined {
  const key = keys.split('+').at(-1)!;
  const stroke = { key, ctrlKey: keys.includes('Ctrl'), metaKey: false, altKey: keys.includes('Alt') };
  return cursorTarget(stroke, cursor, started, TOTAL, PAGE);
}

describe('the cursor among octets', () => {
  test.each([
    ['ArrowRight', 15, 16],
    ['ArrowLeft', 16, 15],
    ['ArrowDown', 20, 36],
    ['ArrowUp', 20, 4],
    ['PageDown', 20, 68],
    ['PageUp', 68, 20],
    ['Home', 20, 16],
    ['End', 20, 31],
    ['Ctrl+Home', 20, 0],
    ['Ctrl+End', 20, 99],
  ])('%s takes it from %i to %i', (keys, from, to) => {
    expect(target(keys, from)).toBe(to);
  });

  test.each([
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 99, 99],
    ['ArrowUp', 4, 4],
    ['ArrowDown', 90, 90],
    ['PageUp', 20, 4],
    ['PageDown', 90, 99],
    ['End', 98, 99],
  ])('%s at the edge takes it from %i to %i', (keys, from, to) => {
    expect(target(keys, from)).toBe(to);
  });

  test('is only shown by the first arrow', () => {
    expect(target('ArrowDown', 9, false)).toBe(9);
  });

  test.each(['Alt+ArrowDown', 'Ctrl+ArrowRight', 'Tab', 'n', 'Enter'])('leaves %s to others', (keys) => {
    expect(target(keys, 20)).toBeUndefined();
  });

  test('has nowhere to go without octets', () => {
    const stroke = { key: 'ArrowDown', ctrlKey: false, metaKey: false, altKey: false };
    expect(cursorTarget(stroke, 0, true, 0, PAGE)).toBeUndefined();
  });
});
