import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CallRecord, MessageRecord } from '../../../src/shared/records';
import { type Conversation, conversation } from '../../support/conversation';
import {
  chunksOf,
  concat,
  data,
  goaway,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  literals,
  PREFACE,
  pushPromise,
  rstStream,
  settings,
  windowUpdate,
} from '../../support/encode';
import { sessionOf } from './helpers';

const HELLO = hex('0a 02 68 69'); // field 1, two octets: "hi"

function opened(options?: Parameters<typeof conversation>[0]): Conversation {
  return conversation(options).toServer(0.001, PREFACE, settings()).toClient(0.001, settings());
}

function calls(talk: Conversation): CallRecord[] {
  const session = sessionOf(talk.file());
  return Array.from({ length: session.callCount }, (_, i) => JSON.parse(JSON.stringify(session.call(i))) as CallRecord);
}

function messages(talk: Conversation): MessageRecord[] {
  const session = sessionOf(talk.file());
  return Array.from(
    { length: session.messageCount },
    (_, i) => JSON.parse(JSON.stringify(session.message(i))) as MessageRecord,
  );
}

describe('a call’s faults', () => {
  const answered = () =>
    opened()
      .toServer(0.002, headersFrame(1, grpcRequest('/demo.Echo/Say'), { endStream: true }))
      .toClient(0.003, headersFrame(1, grpcResponse()), headersFrame(1, grpcTrailers(0), { endStream: true }));

  test('are those of all its rows, behind its end, too (these were left out)', () => {
    const talk = answered()
      .toServer(0.004, data(1, HELLO)) // after END_STREAM
      .toClient(0.005, windowUpdate(1, 0)) // increment 0
      .toServer(0.006, headersFrame(3, grpcRequest('/demo.Echo/Say'), { endStream: true }));
    const [first, second] = calls(talk);
    expect(first!.faults!.map(({ code, clause }) => [code, clause])).toEqual([
      ['STREAM_CLOSED', 'RFC 9113 §5.1'],
      ['PROTOCOL_ERROR', 'RFC 9113 §6.9'],
    ]);
    expect(first!.state).toBe('closed');
    expect(second!.faults).toBeUndefined();
  });

  test('of a pushed call are not those of the stream that promised it', () => {
    const promise = literals([
      [':method', 'GET'],
      [':path', '/style.css'],
    ]);
    const talk = opened()
      .toServer(0.002, headersFrame(1, grpcRequest('/demo.Echo/Say')))
      .toClient(0.003, windowUpdate(1, 0), pushPromise(1, 2, promise));
    const [first, pushed] = calls(talk);
    expect(first!.faults).toHaveLength(1);
    expect(pushed).toMatchObject({ stream: 2, method: 'GET /style.css' });
    expect(pushed!.faults).toBeUndefined();
  });
});

describe('a call’s record', () => {
  test('has the contract’s names; it lasts, for its client, until the trailers are delivered', () => {
    const talk = opened({ delay: 0.01 })
      .toServer(0.002, headersFrame(1, grpcRequest('/demo.Echo/Say')))
      .toServer(0.003, data(1, grpcMessage(HELLO), { endStream: true, padding: 10 }))
      .toClient(0.02, headersFrame(1, grpcResponse()), data(1, concat(grpcMessage(HELLO), grpcMessage(HELLO))))
      .toClient(0.021, headersFrame(1, grpcTrailers(5, 'no%20such%20%E2%82%AC'), { endStream: true }));
    expect(calls(talk)).toMatchObject([
      {
        conn: 1,
        stream: 1,
        kind: 'grpc',
        method: '/demo.Echo/Say',
        httpStatus: 200,
        status: 5,
        statusName: 'NOT_FOUND',
        statusMessage: 'no such €',
        start: 0.002,
        end: 0.031,
        requestEnd: 0.003,
        responseStart: 0.03,
        requestMessages: 1,
        responseMessages: 2,
        requestBytes: 9,
        responseBytes: 18,
        state: 'closed',
        resetCode: null,
        unprocessed: false,
      },
    ]);
  });

  test('has null for all that has not come', () => {
    const talk = opened({ delay: 0.01 }).toServer(0.002, headersFrame(1, grpcRequest('/a/B')));
    expect(calls(talk)).toMatchObject([
      {
        conn: 1,
        stream: 1,
        kind: 'grpc',
        method: '/a/B',
        httpStatus: null,
        status: null,
        statusName: null,
        statusMessage: null,
        start: 0.002,
        end: null,
        requestEnd: null,
        responseStart: null,
        requestMessages: 0,
        responseMessages: 0,
        requestBytes: 0,
        responseBytes: 0,
        state: 'open',
        resetCode: null,
        unprocessed: false,
      },
    ]);
  });

  test('that ended, but not yet for its client, has no end; in a foreign file it ends at the capture point', () => {
    const talk = (penstock: boolean) =>
      opened({ penstock })
        .toServer(0.002, headersFrame(1, grpcRequest('/a/B'), { endStream: true }))
        .toClient(0.003, headersFrame(1, grpcResponse([['grpc-status', '0']]), { endStream: true }), {
          delivered: null,
        });
    expect(calls(talk(true))[0]).toMatchObject({ state: 'closed', end: null });
    expect(calls(talk(false))[0]).toMatchObject({ state: 'closed', end: 0.003 });
  });

  test('of a response that is trailers only has the status, and no messages', () => {
    const talk = opened()
      .toServer(0.002, headersFrame(1, grpcRequest('/a/B'), { endStream: true }))
      .toClient(0.003, headersFrame(1, grpcResponse([['grpc-status', '5']]), { endStream: true }));
    expect(calls(talk)[0]).toMatchObject({
      httpStatus: 200,
      status: 5,
      statusName: 'NOT_FOUND',
      responseMessages: 0,
      responseBytes: 0,
      state: 'closed',
    });
    expect(calls(talk)[0]).not.toHaveProperty('statusInferred');
  });

  test('takes the final response’s status, not an informational one’s', () => {
    const talk = opened()
      .toServer(
        0.002,
        headersFrame(
          1,
          literals([
            [':method', 'GET'],
            [':path', '/x'],
          ]),
          { endStream: true },
        ),
      )
      .toClient(0.003, headersFrame(1, literals([[':status', '103']])), headersFrame(1, literals([[':status', '200']])))
      .toClient(0.004, data(1, new Uint8Array(7), { endStream: true }));
    expect(calls(talk)[0]).toMatchObject({
      kind: 'http',
      method: 'GET /x',
      httpStatus: 200,
      status: null,
      statusName: null,
      responseMessages: 0,
      responseBytes: 7,
      state: 'closed',
    });
  });

  test('says when its status follows from something else', () => {
    const request = headersFrame(1, grpcRequest('/a/B'), { endStream: true });
    const reset = opened().toServer(0.002, request).toServer(0.003, rstStream(1, 8));
    expect(calls(reset)[0]).toMatchObject({
      state: 'reset',
      resetCode: 'CANCEL',
      status: 1,
      statusName: 'CANCELLED',
      statusInferred: true,
      end: 0.003,
    });
    const proxy = headersFrame(
      1,
      literals([
        [':status', '503'],
        ['content-type', 'text/html'],
      ]),
      { endStream: true },
    );
    expect(calls(opened().toServer(0.002, request).toClient(0.003, proxy))[0]).toMatchObject({
      httpStatus: 503,
      statusName: 'UNAVAILABLE',
      statusInferred: true,
    });
  });

  test('that a GOAWAY or REFUSED_STREAM leaves out was not processed', () => {
    const talk = opened();
    for (const stream of [5, 7, 9, 11]) talk.toServer(0.002, headersFrame(stream, grpcRequest('/a/B')));
    talk.toClient(0.003, goaway(0x7fffffff)).toClient(0.004, goaway(7)).toClient(0.005, rstStream(7, 7));
    expect(calls(talk).map(({ stream, unprocessed, state }) => [stream, unprocessed, state])).toEqual([
      [5, false, 'open'],
      [7, true, 'reset'],
      [9, true, 'open'],
      [11, true, 'open'],
    ]);
  });

  test('carries the faults of its frames', () => {
    const talk = opened()
      .toServer(0.002, headersFrame(1, grpcRequest('/a/B')))
      .toServer(0.003, data(1, hex('00 00 00 00 0a 01 02 03'), { endStream: true })); // 3 octets of 10
    const [call] = calls(talk);
    expect(call!.faults).toEqual([
      {
        code: 'GRPC_MESSAGE',
        scope: 'stream',
        clause: 'gRPC PROTOCOL-HTTP2 Length-Prefixed-Message',
        message: 'message 0 is cut short: 3 of 10 octets',
      },
    ]);
  });
});

describe('a message’s record', () => {
  /** Both sides name an encoding; the client sends these octets in the frames given. */
  function sent(frames: Uint8Array[], encoding?: string): Conversation {
    const extra: [string, string][] = encoding === undefined ? [] : [['grpc-encoding', encoding]];
    return opened()
      .toServer(0.002, headersFrame(1, grpcRequest('/a/B', extra)))
      .toServer(0.003, ...frames);
  }

  test('has the contract’s names', () => {
    const [message] = messages(sent([data(1, grpcMessage(HELLO), { endStream: true })]));
    expect(message).toMatchObject({
      conn: 1,
      stream: 1,
      dir: 'toServer',
      index: 0,
      compressed: false,
      encoding: 'identity',
      wireLength: 4,
      length: 4,
      complete: true,
      assumed: false,
      frames: [5],
    });
    expect(message!.fields).toMatchObject([{ number: 1, wireType: 2 }]);
    expect(message).not.toHaveProperty('faults');
    expect(message).not.toHaveProperty('captured');
  });

  test('is null in length until it is decompressed; gzip and deflate are, flags 0 and 1 in one stream', () => {
    const long = new Uint8Array(1000).fill(0x2a);
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
    ] as const) {
      const wire = compress(long);
      const found = messages(sent([data(1, grpcMessage(wire, 1)), data(1, grpcMessage(long, 0))], encoding));
      expect(found).toMatchObject([
        { index: 0, compressed: true, encoding, wireLength: wire.length, length: 1000, complete: true },
        { index: 1, compressed: false, encoding, wireLength: 1000, length: 1000, complete: true },
      ]);
    }
  });

  test('that cannot be decompressed names the fault and has no length', () => {
    const [unnamed] = messages(sent([data(1, grpcMessage(HELLO, 1))]));
    expect(unnamed).toMatchObject({ compressed: true, encoding: 'identity', wireLength: 4, length: null });
    expect(unnamed!.faults).toMatchObject([
      { code: 'GRPC_MESSAGE', message: expect.stringContaining('without grpc-encoding') },
    ]);
    const [wrong] = messages(sent([data(1, grpcMessage(HELLO, 1))], 'gzip'));
    expect(wrong!.length).toBeNull();
    expect(wrong!.faults).toMatchObject([
      { message: expect.stringContaining('could not be decompressed: it is no gzip') },
    ]);
    const [unknown] = messages(sent([data(1, grpcMessage(HELLO, 1))], 'lzma'));
    expect(unknown!.faults).toMatchObject([
      { message: expect.stringContaining('no decompressor for grpc-encoding lzma') },
    ]);
  });

  test('lies over padded DATA frames in any cut, several in one frame', () => {
    const first = Uint8Array.from({ length: 300 }, (_, i) => i % 251);
    const wire = gzipSync(first);
    const octets = concat(grpcMessage(HELLO), grpcMessage(wire, 1), grpcMessage(hex('')), grpcMessage(HELLO));
    for (let size = 1; size <= octets.length; size += size < 20 ? 1 : 13) {
      const parts = chunksOf(octets, size).map((part, i) => data(1, part, i % 2 === 0 ? { padding: i % 256 } : {}));
      const session = sessionOf(sent(parts, 'gzip').file());
      const found = Array.from({ length: session.messageCount }, (_, i) => session.message(i));
      expect(found.map((each) => [each.index, each.wireLength, each.length, each.complete])).toEqual([
        [0, 4, 4, true],
        [1, wire.length, 300, true],
        [2, 0, 0, true],
        [3, 4, 4, true],
      ]);
      // Frame 5 is the first that carries DATA.
      const start = [0, 9, 14 + wire.length, 19 + wire.length];
      const end = [9, 14 + wire.length, 19 + wire.length, octets.length];
      expect(found.map(({ frames }) => [frames[0], frames.at(-1)])).toEqual(
        start.map((at, i) => [5 + Math.floor(at / size), 5 + Math.floor((end[i]! - 1) / size)]),
      );
    }
  });

  test('is whole although another stream’s frames and unknown ones stand between', () => {
    const one = grpcMessage(new Uint8Array(100).fill(1));
    const two = grpcMessage(new Uint8Array(50).fill(2));
    const talk = opened().toServer(0.002, headersFrame(1, grpcRequest('/a/B')), headersFrame(3, grpcRequest('/a/B')));
    for (let at = 0; at < 105; at += 35) {
      talk.toServer(0.003, data(1, one.slice(at, at + 35)));
      talk.toServer(0.003, data(3, two.slice(at, at + 35)));
    }
    expect(messages(talk)).toMatchObject([
      { stream: 1, length: 100, complete: true, frames: [6, 8, 10] },
      { stream: 3, length: 50, complete: true, frames: [7, 9] },
    ]);
  });

  test('that is cut says how much of it was seen', () => {
    const [message] = messages(sent([data(1, hex('00 00 00 00 0a 01 02 03'), { endStream: true })]));
    expect(message).toMatchObject({ wireLength: 10, length: null, complete: false, captured: 3, frames: [5] });
    expect(message!.faults).toMatchObject([{ message: 'message 0 is cut short: 3 of 10 octets' }]);
  });

  test('is supposed where the beginning of its stream was not seen', () => {
    const talk = conversation({ handshake: false, penstock: false })
      .toServer(0, data(7, grpcMessage(HELLO)), data(7, grpcMessage(HELLO), { endStream: true }))
      .toClient(0.001, headersFrame(7, grpcTrailers(0), { endStream: true }));
    expect(messages(talk)).toMatchObject([
      { stream: 7, assumed: true, index: 0, length: 4 },
      { stream: 7, assumed: true, index: 1, length: 4 },
    ]);
  });

  test('of a call comes in the client’s order, then the server’s', () => {
    const talk = sent([data(1, grpcMessage(HELLO))])
      .toClient(0.004, headersFrame(1, grpcResponse()), data(1, grpcMessage(hex(''))))
      .toServer(0.005, data(1, grpcMessage(hex('08 01')), { endStream: true }))
      .toClient(0.006, data(1, grpcMessage(hex('08 02'))));
    const session = sessionOf(talk.file());
    expect(session.messagesOf(0).map(({ dir, index, wireLength }) => [dir, index, wireLength])).toEqual([
      ['toServer', 0, 4],
      ['toServer', 1, 2],
      ['toClient', 0, 0],
      ['toClient', 1, 2],
    ]);
  });
});
