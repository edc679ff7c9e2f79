import { describe, expect, test } from 'vitest';
import { figuresOf } from '../../../src/renderer/capture-bar/figures';
import type { TapFigures } from '../../../src/shared/app';
import { engineStatus } from '../support';

const TAP: TapFigures = {
  connections: { open: 2, total: 5 },
  octets: { toServer: 1000, toClient: 9000 },
  rate: { toServer: 1024, toClient: 3 * 1024 },
  spool: 0,
  unwritten: 0,
};

const texts = (...given: Parameters<typeof figuresOf>) => figuresOf(...given).map(({ text }) => text);

describe('the figures of the capture bar', () => {
  test('are none without a session', () => {
    expect(figuresOf('none', null, engineStatus())).toEqual([]);
    expect(figuresOf('capturing', TAP, null)).toEqual([]);
  });

  test('tell a capture with both directions together', () => {
    const engine = engineStatus({ frames: 12_482, lag: 0 });
    expect(texts('capturing', TAP, engine)).toEqual(['12,482 frames', '4 KiB/s', '2 conns', 'lag 0 B']);
  });

  test('tell the spool only when it holds something, and count as lag what is not in the file yet', () => {
    const tap = { ...TAP, spool: 2048, unwritten: 512 };
    expect(texts('capturing', tap, engineStatus({ frames: 1, lag: 512 }))).toEqual([
      '1 frame',
      '4 KiB/s',
      '2 conns',
      'spool 2 KiB',
      'lag 1 KiB',
    ]);
  });

  test('tell an open file what is in it', () => {
    expect(texts('open', null, engineStatus({ frames: 7, connections: 1 }))).toEqual(['7 frames', '1 conn']);
  });
});
