/**
 * Octets of a side that come late, or that the capture lacks, although its peer has acknowledged them: what the peer
 * then sends may answer them, and nothing is held against it.
 */
import { describe, expect, it } from 'vitest';
import { conversation } from '../../support/conversation';
import { Decoded } from '../../support/decoded';
import {
  concat,
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  PREFACE,
  ping,
  rstStream,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';
import { type Event, feed } from './feed';
import { partitionFaults } from './partition';
import { plainRows } from './snapshot';

const MESSAGE = grpcMessage(Uint8Array.of(1, 2, 3));
const REQUEST = concat(headersFrame(1, grpcRequest('/a.B/C')), data(1, MESSAGE, { endStream: true }));
/** Where the request stands in the client's octets: behind the preface, SETTINGS and their acknowledgement. */
const PLACE = 24 + 9 + 9;

function started() {
  return conversation({ penstock: false })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(), settingsAck())
    .toServer(0.003, settingsAck());
}

/** The request is not in its place. */
function without() {
  return started().gap('toServer', REQUEST.length);
}

const ANSWER = [
  headersFrame(1, grpcResponse()),
  data(1, MESSAGE),
  windowUpdate(1, 100),
  headersFrame(1, grpcTrailers(0), { endStream: true }),
];

function faultsOf(decoded: Decoded): string[] {
  return decoded.rows.flatMap(({ type, faults }) => faults.map(({ message }) => `${type}: ${message}`));
}

describe('an answer to octets that come late', () => {
  const file = without()
    .ack(0.01, 'toServer')
    .toClient(0.02, ...ANSWER)
    .segmentAt(0.03, 'toServer', PLACE, REQUEST)
    .toServer(0.04, headersFrame(3, grpcRequest('/a.B/D'), { endStream: true }))
    .toClient(0.05, headersFrame(3, grpcTrailers(0), { endStream: true }))
    .file();
  const decoded = Decoded.of(file);

  it('is no fault, nor are the late octets, nor what follows', () => {
    expect(faultsOf(decoded)).toEqual([]);
  });

  it('belongs to the call, which is whole and begins with its request', () => {
    expect(decoded.call(1)).toMatchObject({ kind: 'grpc', state: 'closed', messages: [1, 1], unprocessed: false });
    expect(decoded.call(1).request).toContainEqual([':path', '/a.B/C']);
    const { calls, chunks, frames } = decoded.capture;
    expect(chunks.time.get(frames.lastChunk.get(calls.startRow.get(0)))).toBe(30e6);
    expect(decoded.call(3).request).toContainEqual([':path', '/a.B/D']);
  });

  it('may be a reset, or DATA of a stream whose HEADERS come behind it', () => {
    const reset = without()
      .ack(0.01, 'toServer')
      .toClient(0.02, rstStream(1, 8))
      .segmentAt(0.03, 'toServer', PLACE, REQUEST);
    const late = Decoded.of(reset.file());
    expect(faultsOf(late)).toEqual([]);
    expect(late.call(1)).toMatchObject({ kind: 'grpc', messages: [1, 0] });
  });
});

describe('an answer to octets that are in no packet', () => {
  it('is no fault while the hole is not known yet, nor behind it', () => {
    const file = without()
      .ack(0.01, 'toServer')
      .toClient(0.02, ...ANSWER)
      .toServer(0.03, ping())
      .toClient(0.04, ping(new Uint8Array(8), { ack: true }))
      .file();
    const decoded = Decoded.of(file);
    expect(faultsOf(decoded)).toEqual([]);
    expect(decoded.rows.filter(({ type }) => type === 'GAP')).toMatchObject([
      { dir: 'toServer', length: REQUEST.length },
    ]);
    expect(decoded.call(1)).toMatchObject({ state: 'closed', messages: [0, 1] });
  });
});

describe('frames on a stream that nothing opened', () => {
  it('are faults where the peer’s octets are all there', () => {
    const decoded = Decoded.of(
      started()
        .toClient(0.02, ...ANSWER)
        .file(),
    );
    expect(faultsOf(decoded)[0]).toBe('HEADERS: HEADERS of a server on an idle stream');
  });

  it('are faults where octets are missing that had not been acknowledged: it cannot be an answer to them', () => {
    const decoded = Decoded.of(
      without()
        .toClient(0.02, ...ANSWER)
        .toServer(0.03, ping())
        .file(),
    );
    expect(faultsOf(decoded)[0]).toBe('HEADERS: HEADERS of a server on an idle stream');
  });

  it('are faults of the side whose own octets come late: they are read in order', () => {
    const file = without()
      .ack(0.01, 'toServer')
      .toClient(0.02, ...ANSWER)
      .segmentAt(0.03, 'toServer', PLACE, REQUEST)
      .toServer(0.04, data(5, MESSAGE))
      .file();
    expect(faultsOf(Decoded.of(file))).toEqual(['DATA: DATA on an idle stream']);
  });
});

describe('a hole where a side begins, and its peer speaks HTTP/2', () => {
  const client: Event = { side: 0, octets: concat(PREFACE, settings(), headersFrame(1, grpcRequest('/a.B/C'))) };

  it('is followed by the next frame that begins with a chunk, not by what stands behind it', () => {
    // The rest of a frame: its octets would make a header of type 0x61, 6,381,921 octets long.
    const rest: Event = { side: 1, octets: new Uint8Array(40).fill(0x61) };
    const events: Event[] = [
      client,
      { side: 1, gap: 50 },
      rest,
      { side: 1, octets: ping() },
      { side: 1, octets: ping() },
    ];
    const capture = feed(events, { client: 0 });
    expect(partitionFaults(capture, events)).toEqual([]);
    const rows = plainRows(capture).filter(({ side }) => side === 1);
    expect(rows.map(({ kind, offset }) => [kind, offset])).toEqual([
      ['GAP', 0],
      ['OPAQUE', 50],
      ['PING', 90],
      ['PING', 107],
    ]);
  });

  it('may have had its SETTINGS, and answers: nothing behind it is a fault', () => {
    const events: Event[] = [
      client,
      { side: 1, gap: 50 },
      { side: 1, octets: concat(data(1, MESSAGE), headersFrame(1, grpcTrailers(0), { endStream: true })) },
    ];
    const rows = plainRows(feed(events, { client: 0 })).filter(({ side }) => side === 1);
    expect(rows.map(({ kind, faults }) => [kind, faults])).toEqual([
      ['GAP', undefined],
      ['DATA', undefined],
      ['HEADERS', undefined],
    ]);
  });

  it('behind too few octets to tell what they are leaves those a row of their own', () => {
    const events: Event[] = [
      client,
      { side: 1, octets: settings().slice(0, 3) },
      { side: 1, gap: 20 },
      { side: 1, octets: ping() },
    ];
    const capture = feed(events, { client: 0 });
    expect(partitionFaults(capture, events)).toEqual([]);
    const rows = plainRows(capture).filter(({ side }) => side === 1);
    expect(rows.map(({ kind, complete }) => [kind, complete])).toEqual([
      ['DATA', false], // three octets of a header: a length, and no type yet
      ['GAP', true],
      ['PING', true],
    ]);
  });
});
