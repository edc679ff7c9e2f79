import { describe, expect, test } from 'vitest';
import { hexRuns, offsetDigits, rowCount } from '../../../src/renderer/detail/hex-runs';
import { type HexSource, hexSource, inSource, partAt, rangesOf } from '../../../src/renderer/detail/hex-source';
import type { ChunkDetail } from '../../../src/shared/detail';
import { detail } from './fields';

/** The 30 octets of grpc-go: a WINDOW_UPDATE of 13 and a PING of 17 in one chunk. */
const CHUNK: ChunkDetail = {
  id: 4,
  conn: 1,
  dir: 'toClient',
  t: 0,
  length: 30,
  parts: [
    { n: 9, type: 'WINDOW_UPDATE', typeId: 8, start: 0, end: 13 },
    { n: 10, type: 'PING', typeId: 6, start: 13, end: 30 },
  ],
  cut: false,
};

/** A chunk of 20 octets that begins 5 octets into a frame, and ends 4 octets into the next but one. */
const MIDDLE: HexSource = {
  kind: 'chunk',
  id: 7,
  total: 20,
  parts: [
    { n: 1, type: 'DATA', typeId: 0, start: -5, end: 6 },
    { n: 2, type: 'PING', typeId: 6, start: 6, end: 16 },
    { n: 3, type: 'DATA', typeId: 0, start: 16, end: 99 },
  ],
};

describe('the source of the hex view', () => {
  const shown = detail({ chunk: CHUNK });

  test('is the chunk with its frames, or the frame alone', () => {
    expect(hexSource(shown, 'chunk')).toEqual({ kind: 'chunk', id: 4, total: 30, parts: CHUNK.parts });
    expect(hexSource(shown, 'frame')).toEqual({
      kind: 'frame',
      id: 9,
      total: 13,
      parts: [{ n: 9, type: 'WINDOW_UPDATE', typeId: 8, start: 0, end: 13 }],
    });
  });

  test('is the frame where there is no chunk, and holds nothing of a gap', () => {
    const gap = detail({ frame: { type: 'GAP', typeId: null, length: 1000 }, captured: 1000 });
    expect(hexSource(gap, 'chunk')).toMatchObject({ kind: 'frame', total: 0 });
  });

  test('tells the part at a position', () => {
    expect([0, 12, 13, 29, 30].map((position) => partAt(CHUNK.parts, position))).toEqual([0, 0, 1, 1, -1]);
    expect([0, 5, 6, 19].map((position) => partAt(MIDDLE.parts, position))).toEqual([0, 0, 1, 2]);
  });

  test('has the octets of fields where their frames stand in it, and no others', () => {
    const source = hexSource(shown, 'chunk');
    expect(rangesOf(source, [{ n: 9, start: 9, end: 13 }])).toEqual([{ start: 9, end: 13 }]);
    expect(rangesOf(source, [{ n: 10, start: 9, end: 17 }])).toEqual([{ start: 22, end: 30 }]);
    expect(rangesOf(source, [{ n: 11, start: 0, end: 9 }])).toEqual([]);
  });

  test('cuts octets that are in another chunk', () => {
    const spans = [
      { n: 3, start: 0, end: 83 },
      { n: 1, start: 0, end: 11 },
    ];
    expect(rangesOf(MIDDLE, spans)).toEqual([
      { start: 0, end: 6 },
      { start: 16, end: 20 },
    ]);
    expect(rangesOf(MIDDLE, [{ n: 1, start: 0, end: 5 }])).toEqual([]);
    expect(inSource(MIDDLE.parts[2]!, MIDDLE.total)).toEqual({ start: 16, end: 20 });
    expect(inSource(MIDDLE.parts[0]!, MIDDLE.total)).toEqual({ start: 0, end: 6 });
  });
});

describe('rows of octets', () => {
  const source = hexSource(detail({ chunk: CHUNK }), 'chunk');
  const plain = { lit: false, hovered: false };

  test('fall into runs by frame', () => {
    expect(hexRuns(0, source, [], [])).toEqual([
      { from: 0, to: 13, part: 0, ...plain },
      { from: 13, to: 16, part: 1, ...plain },
    ]);
  });

  test('end where the octets end', () => {
    expect(rowCount(30)).toBe(2);
    expect(rowCount(32)).toBe(2);
    expect(rowCount(33)).toBe(3);
    expect(hexRuns(1, source, [], [])).toEqual([{ from: 0, to: 14, part: 1, ...plain }]);
  });

  test('show what is lit, and what the pointer is on, over the end of a row', () => {
    const lit = [{ start: 9, end: 13 }];
    const hovered = [{ start: 13, end: 30 }];
    expect(hexRuns(0, source, lit, hovered)).toEqual([
      { from: 0, to: 9, part: 0, ...plain },
      { from: 9, to: 13, part: 0, lit: true, hovered: false },
      { from: 13, to: 16, part: 1, lit: false, hovered: true },
    ]);
    expect(hexRuns(1, source, lit, hovered)).toEqual([{ from: 0, to: 14, part: 1, lit: false, hovered: true }]);
  });

  test('have offsets of as many digits as the last one needs', () => {
    expect([0, 30, 0x10000, 0x10001, 16_777_224].map(offsetDigits)).toEqual([4, 4, 4, 6, 8]);
  });
});
