import { describe, expect, test } from 'vitest';
import {
  delayText,
  presetOf,
  RTT_PRESETS,
  ratesText,
  rateText,
  readDelay,
  readRate,
  rttText,
} from '../../../src/renderer/capture-bar/settings';

describe('a delay that is typed', () => {
  test.each([
    ['10', 10],
    [' 2.5 ', 2.5],
    ['.25', 0.25],
    ['10 ms', 10],
    ['250us', 0.25],
    ['1.5 s', 1500],
    ['0', 0],
    ['10min', 600_000],
  ])('%j is so many milliseconds', (text, value) => {
    expect(readDelay(text)).toEqual({ value });
  });

  test.each(['', 'soon', '-1', '1e3', '10 MiB', 'NaN', '11min', '600001'])('%j is refused with words', (text) => {
    expect(readDelay(text)).toEqual({ message: expect.stringMatching(/\.$|min$/) });
  });

  test.each([0, 0.25, 2.5, 10, 1500])('%d ms reads back as itself', (delay) => {
    expect(readDelay(delayText(delay))).toEqual({ value: delay });
  });
});

describe('a rate that is typed', () => {
  test.each(['', '  ', '∞', 'none', 'Off', 'unlimited'])('%j lifts the limit', (text) => {
    expect(readRate(text)).toEqual({ value: null });
  });

  test.each([
    ['10 MiB/s', 10 * 1024 ** 2],
    ['100Mbit/s', 12_500_000],
    ['1 B/s', 1],
  ])('%j is so many octets a second', (text, value) => {
    expect(readRate(text)).toEqual({ value });
  });

  test.each(['10', 'fast', '0 B/s', '0.5 B/s', '-1 MiB/s'])('%j is refused with words', (text) => {
    expect(readRate(text)).toEqual({ message: expect.stringContaining('no limit') });
  });

  test.each([null, 1, 1000, 1024, 12_500_000, 10 * 1024 ** 2, 1_234_567, 0.5 * 1024 ** 2])(
    '%s reads back as itself',
    (rate) => {
      expect(readRate(rateText(rate))).toEqual({ value: rate });
    },
  );

  test('is written in the unit that it was thought in', () => {
    expect([10 * 1024 ** 2, 12_500_000, 1_234_567].map(rateText)).toEqual(['10 MiB/s', '100 Mbit/s', '1234567 B/s']);
  });
});

describe('the path in a few words', () => {
  test('has both delays', () => {
    expect(rttText(10, 10)).toBe('10 + 10 ms');
    expect(rttText(0.5, 20)).toBe('0.5 + 20 ms');
    expect(rttText(0, 0)).toBe('0');
  });

  test('has one rate where both directions have it', () => {
    expect(ratesText(null, null)).toBe('∞');
    expect(ratesText(1024, 1024)).toBe('1 KiB/s');
    expect(ratesText(1024, null)).toBe('→ 1 KiB/s  ← ∞');
  });
});

describe('a preset', () => {
  test.each(RTT_PRESETS)('of %d ms is known by its halves', (rtt) => {
    expect(presetOf(rtt / 2, rtt / 2)).toBe(rtt);
  });

  test('is not one whose halves differ, or that nobody offers', () => {
    expect(presetOf(5, 15)).toBeUndefined();
    expect(presetOf(7, 7)).toBeUndefined();
  });
});
