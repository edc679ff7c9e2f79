import { describe, expect, test } from 'vitest';
import { formatDuration, formatSize, parseDuration, parseRate, parseSize } from '../../src/shared/units';

describe('durations are read in milliseconds', () => {
  test.each([
    ['20ms', 20],
    ['1.5s', 1500],
    ['1.5 s', 1500],
    ['250us', 0.25],
    ['250µs', 0.25],
    ['2min', 120_000],
    ['1h', 3_600_000],
    ['.5ms', 0.5],
    ['0', 0],
  ])('%s', (text, milliseconds) => {
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  test.each(['20', '', 'ms', '-1ms', '1e3ms', '20m', '20MS', '1ms2', '10MiB'])('and %j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('sizes are read in octets', () => {
  test.each([
    ['2GiB', 2 ** 31],
    ['64 KiB', 65_536],
    ['1.5kB', 1500],
    ['1000', 1000],
    ['10mb', 10_000_000],
    ['7B', 7],
  ])('%s', (text, octets) => {
    expect(parseSize(text)).toBe(octets);
  });

  test.each(['', 'GiB', '-1', '1K', '1GiB/s', '1Gbit', '9'.repeat(400)])('and %j is none', (text) => {
    expect(parseSize(text)).toBeUndefined();
  });
});

describe('rates are read in octets a second', () => {
  test.each([
    ['10MiB/s', 10 * 2 ** 20],
    ['100Mbit/s', 12_500_000],
    ['1.5 kB/s', 1500],
    ['800B/s', 800],
  ])('%s', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  test.each(['10MiB', '10', '10 m/s', '10Mbit', '/s', '-1B/s'])('and %j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [65_535, '64 KiB'],
  [2_516_582, '2.4 MiB'],
  [123_731_968, '118 MiB'],
  [2 ** 31, '2 GiB'],
])('%d octets are %s', (octets, text) => {
  expect(formatSize(octets)).toBe(text);
});

test.each([
  [0, '0 s'],
  [0.000_000_001, '0.001 µs'],
  [0.000_085, '85 µs'],
  [0.020_31, '20.3 ms'],
  [0.9996, '1 s'],
  [1.25, '1.25 s'],
  [59.99, '1 min 0 s'],
  [125, '2 min 5 s'],
  [3_725, '1 h 2 min'],
  [-0.002, '-2 ms'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
