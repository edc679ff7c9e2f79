import { describe, expect, test } from 'vitest';
import { headerBlockOf } from '../../../src/main/session/header-block';
import { conversation } from '../../support/conversation';
import {
  concat,
  headersFrame,
  hex,
  indexed,
  literal,
  literals,
  PREFACE,
  pushPromise,
  settings,
  sizeUpdate,
  splitHeaders,
} from '../../support/encode';
import { sessionOf } from './helpers';

const REQUEST = concat(indexed(2), indexed(4), indexed(6)); // GET, / and http, from the static table

/** The block that frame `n` completes; the client's frames from 4 on are those given. */
function blockOf(n: number, ...octets: Uint8Array[]) {
  const talk = conversation().toServer(0.1, PREFACE, settings()).toClient(0.2, settings());
  const session = sessionOf(talk.toServer(0.3, ...octets).file());
  return headerBlockOf(session.capture, session.payloads, session.rowOf(n));
}

describe('a header block', () => {
  test('is the fragment of its frame, without padding and priority', () => {
    const frame = headersFrame(1, REQUEST, { padding: 3, priority: { dependency: 0, weight: 16 } });
    const block = blockOf(4, frame)!;
    expect(block.octets).toEqual(REQUEST);
    // 9 of frame header, 1 of pad length, 5 of priority.
    expect(block.pieces).toEqual([{ n: 4, start: 15, end: 18, at: 0 }]);
    expect(block.entries.map(({ field }) => field)).toEqual([
      [':method', 'GET'],
      [':path', '/'],
      [':scheme', 'http'],
    ]);
  });

  test('is put together from the frames that carry it, and told at the one that completes it', () => {
    const octets = concat(REQUEST, literal('x-long', 'v'.repeat(50)));
    const frames = splitHeaders(1, octets, 20);
    expect(frames).toHaveLength(4);
    expect(blockOf(4, ...frames)).toBeUndefined();
    const block = blockOf(7, ...frames)!;
    expect(block.octets).toEqual(octets);
    expect(block.pieces.map(({ n, at }) => [n, at])).toEqual([
      [4, 0],
      [5, 20],
      [6, 40],
      [7, 60],
    ]);
    expect(block.untold).toBe(0);
  });

  test('gives size updates no field, and the rest of a damaged block one entry', () => {
    const update = sizeUpdate(0);
    const block = blockOf(4, headersFrame(1, concat(update, indexed(2), hex('80'))))!;
    expect(block.entries.map(({ representation, field }) => [representation.kind, field?.[0]])).toEqual([
      ['size-update', undefined],
      ['indexed', ':method'],
      ['error', undefined],
    ]);
  });

  test('of a PUSH_PROMISE begins behind the promised stream', () => {
    const octets = literals([[':method', 'GET']]);
    const block = blockOf(4, pushPromise(1, 2, octets))!;
    expect(block.octets).toEqual(octets);
  });

  test('of a great many fields is told in part', () => {
    const block = blockOf(4, headersFrame(1, new Uint8Array(30_000).fill(0x82)))!;
    expect(block.entries).toHaveLength(20_000);
    expect(block.untold).toBe(10_000);
    expect(block.octets).toHaveLength(30_000);
  });

  test('is there for no other frame', () => {
    expect(blockOf(2, headersFrame(1, REQUEST))).toBeUndefined();
    expect(blockOf(1, headersFrame(1, REQUEST))).toBeUndefined();
  });
});
