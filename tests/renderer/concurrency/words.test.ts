import { describe, expect, test } from 'vitest';
import { limitDetail, limitSentence } from '../../../src/renderer/concurrency/words';
import type { ConcurrencyRecord } from '../../../src/shared/concurrency';

const record: ConcurrencyRecord = {
  conn: 1,
  partial: false,
  start: 0,
  end: 3.1,
  streams: 6,
  peak: 2,
  peakFrame: 8,
  mean: 1.99,
  limit: 2,
  limitFrame: 3,
  pendingLimit: null,
  atLimit: 3.07,
  prompt: 4,
  beyond: 0,
  refused: 0,
  waves: 3,
};

describe('the limit in words', () => {
  test.each<[string, Partial<ConcurrencyRecord>, string]>([
    ['was reached', {}, 'At the limit of 2 streams for 3.07 s of 3.1 s'],
    ['was not', { limit: 100, atLimit: 0 }, '2 streams open at one time at most, of 100 that the server allows'],
    ['was not set', { limit: null, atLimit: 0 }, '2 streams open at one time at most; the server set no limit'],
    [
      'may have been set before the capture',
      { limit: null, atLimit: 0, partial: true },
      '2 streams open at one time at most; the server’s limit was not seen',
    ],
    ['had nothing to limit', { streams: 0 }, 'The client opened no stream on this connection'],
  ])('%s', (_what, change, words) => {
    expect(limitSentence({ ...record, ...change })).toBe(words);
  });

  test('claims no more of calls that wait than the wire shows', () => {
    expect(limitDetail(record)).toBe(
      "6 streams in all, 1.99 open in the mean. 4 took another's place within 10 ms, in 3 waves: they may have waited for it. Calls that wait are not on the wire.",
    );
    expect(limitDetail({ ...record, prompt: 0, beyond: 1, refused: 2, pendingLimit: 9 })).toBe(
      '6 streams in all, 1.99 open in the mean. 1 opened beyond the limit. 2 refused (REFUSED_STREAM). A limit of 9 was sent, but not acknowledged.',
    );
  });
});
