/**
 * What the windows view shows, of two streams of one connection, 10 ms each way. The connection's window is 65,535.
 *
 *     30 ms  stream 1 sends 65,535 octets of a longer message: the connection at 0
 *     40 ms  stream 3 sends HEADERS (its message waits)
 *     61 ms  credit for the connection, sent at 51 ms: stream 3 sends 5,005 octets, its whole message
 *     71 ms  credit for stream 1, sent at 61 ms: 60,530 octets are left of the connection's
 */
import { describe, expect, it } from 'vitest';
import { flowView } from '../../../src/main/session/flow-view';
import { windowsOf } from '../../../src/main/session/pages';
import { withStalled } from '../../../src/main/session/records/stalled-call';
import type { Session } from '../../../src/main/session/session';
import type { FlowQuery } from '../../../src/shared/flow';
import { conversation } from '../../support/conversation';
import {
  concat,
  data,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  PREFACE,
  ping,
  settings,
  uint32,
  windowUpdate,
} from '../../support/encode';
import { sessionOf } from './helpers';

const octets = (length: number) => new Uint8Array(length);
const message = (length: number, sent: number) => concat(Uint8Array.of(0), uint32(length), octets(sent - 5));

function twoStreams(): Session {
  const file = conversation({ delay: 0.01 })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings())
    .toServer(0.013, headersFrame(1, grpcRequest('/a.B/C'))) // 4
    .toServer(0.03, data(1, message(100_000, 65_535))) // 5
    .toServer(0.04, headersFrame(3, grpcRequest('/a.B/D'))) // 6
    .toClient(0.051, ping(), windowUpdate(0, 65_535)) // 7, 8
    .toServer(0.0611, data(3, message(5000, 5005), { endStream: true })) // 9
    .toClient(0.0612, windowUpdate(1, 65_535)) // 10: with the client at 71.2 ms
    .toServer(0.0713, data(1, octets(34_470), { endStream: true })) // 11: 100,005 - 65,535
    .toClient(0.09, headersFrame(1, grpcResponse()), headersFrame(1, grpcTrailers(0), { endStream: true })) // 12, 13
    .fin(0.13, 'toServer')
    .fin(0.13, 'toClient')
    .file();
  return sessionOf(file);
}

const QUERY: FlowQuery = {
  conn: 1,
  dir: 'toServer',
  view: 'sender',
  stream: 1,
  streams: [],
  from: 0,
  to: 0.1,
  buckets: 100,
};

describe('the windows view', () => {
  it('has stalls by cause, each with who held the credit and what ended it', () => {
    const { stalls } = flowView(twoStreams(), QUERY);
    expect(stalls.map(({ from, to, ...rest }) => ({ from: ms(from), to: ms(to), ...rest }))).toEqual([
      // The stream's own window was at 0 for all of the 41.2 ms, the connection's for 31 of them.
      { from: 30, to: 71.2, cause: 'stream-window', count: 1, stream: 1, heldBy: [], releasedBy: 10 },
      { from: 40, to: 61, cause: 'connection-window', count: 1, stream: 3, heldBy: [1], releasedBy: 8 },
    ]);
  });

  it('has those of the streams drawn alone, if any are, and none out of sight', () => {
    const session = twoStreams();
    expect(flowView(session, { ...QUERY, streams: [3] }).stalls.map(({ stream }) => stream)).toEqual([3]);
    expect(flowView(session, { ...QUERY, from: 0.08 }).stalls).toEqual([]);
  });

  it('has the longest of the streams drawn, else of any', () => {
    const session = twoStreams();
    expect(flowView(session, { ...QUERY, streams: [3], from: 0.09 }).longest).toMatchObject({
      stream: 3,
      releasedBy: 8,
    });
    expect(flowView(session, { ...QUERY, streams: [5] }).longest).toMatchObject({ stream: 1, releasedBy: 10 });
    expect(flowView(session, { ...QUERY, dir: 'toClient' }).longest).toBeNull();
  });

  it('joins stalls of a cause that are closer than a pixel', () => {
    expect(flowView(twoStreams(), { ...QUERY, to: 1000, buckets: 1 }).stalls.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('has the octets of DATA where they went, and none is lost in the rate', () => {
    const { data: bars, rate } = flowView(twoStreams(), QUERY);
    expect(bars.width).toBeCloseTo(0.001, 9);
    expect(Object.entries(bars.octets).filter(([, count]) => count > 0)).toEqual([
      ['30', 65_535],
      ['61', 5005],
      ['71', 34_470],
    ]);
    expect(rate.octets).toHaveLength(25);
    expect(flowView(twoStreams(), { ...QUERY, view: 'receiver' }).data.octets[40]).toBe(65_535);
  });

  it('has marks of WINDOW_UPDATEs where they count, and of PINGs', () => {
    const { updates, pings } = flowView(twoStreams(), QUERY);
    expect(updates.map(({ t, ...rest }) => ({ t: ms(t), ...rest }))).toEqual([
      { t: 61, n: 8, stream: 0, increment: 65_535 },
      { t: 71.2, n: 10, stream: 1, increment: 65_535 },
    ]);
    expect(pings).toEqual([{ t: 0.051, n: 7, by: 'server' }]);
  });

  it('has the limit of the connection and of the chosen stream', () => {
    const { limit, streamLimit } = flowView(twoStreams(), QUERY);
    expect(limit).toMatchObject({ stream: 0, octets: 105_010, stalls: 2 });
    expect(streamLimit).toMatchObject({ stream: 1, octets: 100_005, stalls: 1, limitedBy: 'receiver' });
    expect(flowView(twoStreams(), { ...QUERY, stream: 0 }).streamLimit).toBeNull();
    expect(flowView(twoStreams(), { ...QUERY, dir: 'toClient' }).limit).toBeNull();
  });

  it('has how long each stream stood still, of its time', () => {
    expect(flowView(twoStreams(), QUERY).stalledStreams).toEqual([
      // Stream 1 lasted from 13 ms until its trailers were with the client, 100 ms.
      {
        stream: 1,
        seconds: expect.closeTo(0.0412, 9),
        share: expect.closeTo(0.0412 / 0.087, 6),
        cause: 'stream-window',
        heldBy: [],
      },
      // Stream 3 is open until the capture ends, at 130 ms.
      {
        stream: 3,
        seconds: expect.closeTo(0.021, 9),
        share: expect.closeTo(0.021 / 0.09, 6),
        cause: 'connection-window',
        heldBy: [1],
      },
    ]);
  });

  it('is refused for a connection that is not there', () => {
    expect(() => flowView(twoStreams(), { ...QUERY, conn: 2 })).toThrow('there is no connection 2');
  });
});

it('calls are told how long they stood still, and for what', () => {
  const session = twoStreams();
  expect(withStalled(session, session.call(0)).stalled).toEqual({
    seconds: expect.closeTo(0.0412, 9),
    share: expect.closeTo(0.0412 / 0.087, 6),
    cause: 'stream-window',
  });
});

it("a window's series tells when its stream was over", () => {
  const { capture, flow } = twoStreams();
  const query = { conn: 1, dir: 'toServer', streams: [0, 1, 3], view: 'sender', from: 0, to: 1, buckets: 10 } as const;
  expect(windowsOf(capture, flow.sender, { ...query, streams: [0, 1, 3] }).series.map(({ end }) => end)).toEqual([
    undefined,
    0.0713,
    0.0611,
  ]);
});

function ms(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e3;
}
