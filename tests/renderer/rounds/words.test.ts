import { expect, test } from 'vitest';
import { roundsSentence } from '../../../src/renderer/rounds/words';
import type { RoundRecord } from '../../../src/shared/records';

const round = (ping: number, windowBefore: number, windowAfter: number, rtt: number | null = 0.02): RoundRecord => ({
  conn: 1,
  by: 'client',
  implementation: 'grpc-go',
  purpose: 'bdp',
  ping,
  ack: rtt === null ? null : ping + 1,
  t: ping / 1000,
  rtt,
  bytes: 65_535,
  calls: 1,
  sameChunk: 'WINDOW_UPDATE',
  windowBefore,
  windowAfter,
  ...(windowAfter !== windowBefore && { growth: { frame: ping + 2, connectionIncrement: windowAfter - windowBefore } }),
  sinceAnswer: 1,
});

test('rounds are summed up: how many, how long, and what became of the window', () => {
  expect(roundsSentence([], 0)).toBe('No rounds on this connection.');
  expect(roundsSentence([round(3, 65_535, 65_535)], 1)).toBe(
    '1 round, 20 ms at the median; the client’s window stayed at 65,535.',
  );
  expect(roundsSentence([round(3, 65_535, 131_070), round(9, 131_070, 131_070)], 2)).toBe(
    '2 rounds, 20 ms at the median; the client’s window went from 65,535 to 131,070 in 1 of 2, not in the last one.',
  );
  expect(roundsSentence([round(3, 65_535, 131_070, null)], 1)).toBe(
    '1 round, none answered; the client’s window went from 65,535 to 131,070 in 1 of 1, the last one too.',
  );
});

test('keepalive pings size no window', () => {
  expect(roundsSentence([{ ...round(3, 65_535, 131_070), purpose: 'keepalive' }], 1)).toBe(
    '1 round, 20 ms at the median.',
  );
});
