import { expect, test } from 'vitest';
import { TokenBucket } from '../../../src/main/tap/token-bucket';

// 1,000 octets a millisecond; the burst is 5 ms of it.
const RATE = 1_000_000;

test('a full bucket lets its burst out at once, then the rate', () => {
  const bucket = new TokenBucket(RATE, 0);
  expect(bucket.burst).toBe(5000);
  expect(bucket.take(5000, 0)).toBe(0);
  expect(bucket.take(1000, 0)).toBe(1);
  expect(bucket.take(1000, 0.5)).toBe(0.5);
  expect(bucket.take(1000, 1)).toBe(0);
});

test('after a rest no more than the burst goes out at once', () => {
  const bucket = new TokenBucket(RATE, 0);
  bucket.take(5000, 0);
  bucket.rest();
  expect(bucket.take(5000, 1000)).toBe(0);
  expect(bucket.take(1, 1000)).toBeGreaterThan(0);
});

test('octets that wait while the loop is late are made up for', () => {
  const bucket = new TokenBucket(RATE, 0);
  bucket.take(5000, 0);
  expect(bucket.take(5000, 0)).toBe(5);
  // 45 ms late: what the rate would have let out by now goes at once.
  for (let i = 0; i < 10; i++) expect(bucket.take(5000, 50)).toBe(0);
  expect(bucket.take(5000, 50)).toBe(5);
});

test('a very low rate still passes a packet', () => {
  expect(new TokenBucket(10, 0).burst).toBe(1500);
});
