import { describe, expect, test } from 'vitest';
import { keyed } from '../../../src/renderer/findings/keyed';
import { numberWords } from '../../../src/renderer/findings/number-words';
import type { FindingRecord } from '../../../src/shared/records';

function finding(id: string, conn: number, stream?: number): FindingRecord {
  return {
    id,
    severity: 'info',
    conn,
    ...(stream !== undefined && { stream }),
    title: id,
    detail: '',
    advice: '',
    source: '',
    evidence: [],
    numbers: {},
  };
}

describe('findings in the window', () => {
  test('have keys of their own, those of one kind and place too', () => {
    const keys = keyed([finding('resets', 1), finding('resets', 1), finding('resets', 1, 3), finding('goaway', 1)]).map(
      ({ key }) => key,
    );
    expect(new Set(keys).size).toBe(4);
  });

  test('keep their keys when graver ones come before them', () => {
    const [before] = keyed([finding('resets', 1)]);
    const [, after] = keyed([finding('goaway', 2), finding('resets', 1)]);
    expect(after!.key).toBe(before!.key);
  });

  test('say their numbers with units', () => {
    expect(
      numberWords({
        mostInASecond: 1200,
        rtt: 0.0203,
        stalledShare: 0.934,
        limitRate: 3_250_000,
        pingsPerCall: 0.98765,
      }),
    ).toEqual([
      { name: 'most in a second', words: '1,200' },
      { name: 'round trip', words: '20.3 ms' },
      { name: 'stalled share', words: '93.4 %' },
      { name: 'limit rate', words: '3.1 MiB/s' },
      { name: 'pings per call', words: '0.988' },
    ]);
  });
});
