import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../support/conversation';
import { captureFile } from '../../support/conversation';
import {
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  literals,
  ping,
  rstStream,
} from '../../support/encode';
import { found, opened, unary } from './findings';

/** A request alone, row 6 in a connection just opened. */
function asked(talk: Conversation, t: number, stream: number, extra: readonly (readonly [string, string])[] = []) {
  return talk.toServer(t, headersFrame(stream, grpcRequest('/a.B/C', extra), { endStream: true }));
}

describe('resets', () => {
  test('are grouped by code and by who sent them', () => {
    const talk = opened();
    for (const stream of [1, 3, 5]) asked(talk, 0.01 * stream, stream);
    talk.toServer(0.06, rstStream(1, 8)).toClient(0.07, rstStream(3, 2)).toClient(0.08, rstStream(5, 2)); // rows 9 to 11
    expect(found(talk, 'resets')).toMatchObject([
      { severity: 'error', title: 'The server reset 2 calls with INTERNAL_ERROR', evidence: [10, 11] },
      { severity: 'info', title: 'The client reset 1 call with CANCEL', stream: 1, evidence: [9] },
    ]);
  });

  test('behind a whole answer are none', () => {
    // RFC 9113 §8.1: a server may ask with NO_ERROR to leave out the rest of a request.
    const talk = opened()
      .toServer(0.01, headersFrame(1, grpcRequest('/a.B/C')))
      .toClient(0.02, headersFrame(1, grpcResponse([['grpc-status', '0']]), { endStream: true }), rstStream(1, 0));
    expect(found(talk, 'resets')).toEqual([]);
  });

  test('with REFUSED_STREAM have a finding of their own: they can be sent again', () => {
    const talk = asked(opened(), 0.01, 1).toClient(0.02, rstStream(1, 7)); // row 7
    expect(found(talk, 'refused-streams')).toMatchObject([{ evidence: [7], numbers: { calls: 1 } }]);
    expect(found(talk, 'resets')).toEqual([]);
    expect(found(talk, 'unprocessed-calls')).toEqual([]);
  });
});

describe('deadlines', () => {
  test('that the server says have passed', () => {
    const talk = unary(opened(), 0.01, 1, { status: 4 });
    expect(found(talk, 'deadline-exceeded')).toMatchObject([
      { severity: 'warning', stream: 1, numbers: { calls: 1, byServer: 1, byClient: 0 } },
    ]);
  });

  test('that have passed when the client cancels', () => {
    const talk = asked(opened(), 0.01, 1, [['grpc-timeout', '50m']]).toServer(0.06, rstStream(1, 8)); // 50 ms later
    expect(found(talk, 'deadline-exceeded')).toMatchObject([
      { evidence: [7], numbers: { byServer: 0, byClient: 1, shortestTimeout: 0.05 } },
    ]);
  });

  test('are not blamed for a cancellation before them', () => {
    const talk = asked(opened(), 0.01, 1, [['grpc-timeout', '50m']]).toServer(0.058, rstStream(1, 8)); // 48 ms
    expect(found(talk, 'deadline-exceeded')).toEqual([]);
  });
});

describe('a message beyond a limit', () => {
  test.each([
    ['grpc: received message larger than max (6291456 vs. 4194304)', 6_291_456, 4_194_304],
    ['gRPC message exceeds maximum size 4194304: 6291456', 6_291_456, 4_194_304],
    ['CLIENT: Received message larger than max (6291456 vs. 4194304)', 6_291_456, 4_194_304],
    ['Received message larger than max (6291456 vs 4194304)', 6_291_456, 4_194_304],
    ['grpc: received message after decompression larger than max 4194304', undefined, 4_194_304],
    ['Received message exceeds the maximum configured message size.', undefined, undefined],
  ])('is told by the words: %s', (message, length, limit) => {
    const [finding] = found(unary(opened(), 0.01, 1, { status: 8, message }), 'message-too-large');
    expect(finding).toMatchObject({ severity: 'error', conn: 1, stream: 1 });
    expect(finding!.numbers.length).toBe(length);
    expect(finding!.numbers.limit).toBe(limit);
  });

  test('is not told of a quota, or of the same words with another status', () => {
    expect(found(unary(opened(), 0.01, 1, { status: 8, message: 'quota exceeded' }), 'message-too-large')).toEqual([]);
    const words = 'grpc: received message larger than max (2 vs. 1)';
    expect(found(unary(opened(), 0.01, 1, { status: 2, message: words }), 'message-too-large')).toEqual([]);
  });
});

describe('a missing grpc-status', () => {
  const answered = (status: string, trailers?: Uint8Array) => {
    const talk = opened().toServer(0.01, headersFrame(1, grpcRequest('/a.B/C'), { endStream: true }));
    return trailers === undefined
      ? talk.toClient(0.02, headersFrame(1, literals([[':status', status]]), { endStream: true }))
      : talk.toClient(0.02, headersFrame(1, grpcResponse()), headersFrame(1, trailers, { endStream: true }));
  };

  test('is found, with what clients take it for', () => {
    const [finding] = found(answered('503'), 'missing-grpc-status');
    expect(finding).toMatchObject({ evidence: [7], numbers: { httpStatus: 503, status: 14 } });
    expect(finding!.detail).toContain('UNAVAILABLE');
    expect(found(answered('200'), 'missing-grpc-status')).toMatchObject([{ numbers: { httpStatus: 200, status: 2 } }]);
  });

  test('is found in trailers without it', () => {
    expect(found(answered('200', literals([['x', 'y']])), 'missing-grpc-status')).toHaveLength(1);
  });

  test('is none where trailers have one, or the call is open', () => {
    expect(found(answered('200', grpcTrailers(0)), 'missing-grpc-status')).toEqual([]);
    expect(
      found(asked(opened(), 0.01, 1).toClient(0.02, headersFrame(1, grpcResponse())), 'missing-grpc-status'),
    ).toEqual([]);
  });
});

describe('keepalive', () => {
  /** PINGs of the client at these seconds, each answered. */
  const pings = (talk: Conversation, ...times: number[]) => {
    for (const t of times) talk.toServer(t, ping()).toClient(t + 0.001, ping(undefined, { ack: true }));
    return talk;
  };

  test('is too frequent with a third strike in a row', () => {
    // After the call's answer the first PING is free; those at 20, 30 and 40 s are strikes 1 to 3.
    expect(found(pings(unary(opened(), 0.01, 1), 10, 20, 30, 40), 'keepalive-too-frequent')).toMatchObject([
      { severity: 'warning', evidence: [13, 15, 17], numbers: { strikes: 3, pings: 3, shortest: 10 } },
    ]);
  });

  test('is not with two strikes, or with an answer in between, or every five minutes', () => {
    expect(found(pings(unary(opened(), 0.01, 1), 10, 20, 30), 'keepalive-too-frequent')).toEqual([]);
    const busy = pings(unary(opened(), 0.01, 1), 10, 20, 30);
    expect(found(pings(unary(busy, 35, 3), 40, 50, 60), 'keepalive-too-frequent')).toEqual([]);
    expect(found(pings(unary(opened(), 0.01, 1), 10, 310, 610, 910, 1210), 'keepalive-too-frequent')).toEqual([]);
  });

  test('of a connection without gRPC calls is nobody’s business', () => {
    expect(found(pings(opened(), 10, 20, 30, 40, 50), 'keepalive-too-frequent')).toEqual([]);
  });
});

describe('connections', () => {
  const single = (count: number, closed = true) =>
    captureFile(
      Array.from({ length: count }, (_, i) => {
        const talk = unary(opened({ client: `127.0.0.1:${41_000 + i}`, handshake: 0 }), 0.01, 1);
        return closed ? talk.fin(0.1, 'toServer').fin(0.11, 'toClient') : talk;
      }),
    );

  test('of one call each are found, once for all of them', () => {
    expect(found(single(5), 'connection-per-call')).toMatchObject([
      { severity: 'warning', conn: 1, numbers: { connections: 5, withOneCall: 5 } },
    ]);
    expect(found(single(5), 'connection-per-call')[0]!.evidence).toHaveLength(5);
  });

  test('are not when they are four, still open, or one of several calls', () => {
    expect(found(single(4), 'connection-per-call')).toEqual([]);
    expect(found(single(5, false), 'connection-per-call')).toEqual([]);
    const several = Array.from({ length: 5 }, (_, i) => {
      const talk = unary(opened({ client: `127.0.0.1:${41_000 + i}` }), 0.01, 1);
      return unary(talk, 0.02, 3).fin(0.1, 'toServer').fin(0.11, 'toClient');
    });
    expect(found(captureFile(several), 'connection-per-call')).toEqual([]);
  });
});

describe('small calls of one method', () => {
  const inTurn = (count: number, options?: { length?: number }) => {
    const talk = opened();
    for (let i = 0; i < count; i++) unary(talk, 0.01 + i * 0.001, 2 * i + 1, options);
    return talk;
  };

  test('a hundred in a row could be one stream', () => {
    expect(found(inTurn(100), 'one-message-streams')).toMatchObject([{ severity: 'info', numbers: { calls: 100 } }]);
  });

  test('99, or larger ones, could not', () => {
    expect(found(inTurn(99), 'one-message-streams')).toEqual([]);
    expect(found(inTurn(100, { length: 1020 }), 'one-message-streams')).toEqual([]); // 1,025 with the prefix
  });

  test('side by side are no row', () => {
    const talk = opened();
    for (let i = 0; i < 100; i++) {
      talk.toServer(0.01 + i * 0.001, headersFrame(2 * i + 1, grpcRequest('/a.B/C')));
      talk.toServer(0.01 + i * 0.001, data(2 * i + 1, grpcMessage(Uint8Array.of(1)), { endStream: true }));
    }
    for (let i = 0; i < 100; i++) {
      talk.toClient(
        1 + i * 0.001,
        headersFrame(2 * i + 1, grpcResponse()),
        data(2 * i + 1, grpcMessage(Uint8Array.of(1))),
      );
      talk.toClient(1 + i * 0.001, headersFrame(2 * i + 1, grpcTrailers(0), { endStream: true }));
    }
    expect(found(talk, 'one-message-streams')).toEqual([]);
  });
});
