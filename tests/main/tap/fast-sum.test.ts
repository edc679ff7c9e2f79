import { expect, test } from 'vitest';
import { onesSum } from '../../../src/core/pcapng/checksum';
import { fastSum } from '../../../src/main/tap/fast-sum';
import { noise } from './helpers';

test('the quick checksum is the plain one, for all lengths and places', () => {
  const octets = noise(65_536 + 3);
  for (const length of [0, 1, 1023, 1024, 1025, 1039, 1040, 1041, 9999, 65_000, 65_535, 65_536]) {
    for (const start of [0, 1, 2, 3]) {
      const part = octets.subarray(start, start + length);
      expect(fastSum(part)).toBe(onesSum(part, 0, length));
    }
  }
});

test('the largest sum does not overflow', () => {
  expect(fastSum(new Uint8Array(65_536).fill(0xff))).toBe(0xffff);
  expect(fastSum(new Uint8Array(65_536))).toBe(0);
});
