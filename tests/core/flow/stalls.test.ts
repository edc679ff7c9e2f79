/**
 * Stalls in the sender's books. A delay of 10 ms each way: credit that arrives at the tap at 100 ms is with its sender at
 * 110 ms, and DATA counts when it arrives. Every conversation begins with these rows:
 *
 *     1 PREFACE, 2 SETTINGS →   3 SETTINGS, 4 SETTINGS ACK ←   5 SETTINGS ACK →   6 HEADERS of stream 1 →
 */
import { describe, expect, it } from 'vitest';
import { Setting } from '../../../src/shared/names';
import { type Conversation, type ConversationOptions, conversation } from '../../support/conversation';
import {
  concat,
  data,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  literals,
  PREFACE,
  rstStream,
  settings,
  settingsAck,
  uint32,
  windowUpdate,
} from '../../support/encode';
import { stallsIn } from './stalls';

const REQUEST = grpcRequest('/a.B/C');
const octets = (length: number) => new Uint8Array(length);

/** Stream 1 is open, opened by frame 6 at 5 ms; both windows of each direction are 65,535. */
function opened(options: ConversationOptions = {}, pairs: readonly (readonly [number, number])[] = []): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(pairs), settingsAck())
    .toServer(0.003, settingsAck())
    .toServer(0.013, headersFrame(1, REQUEST));
}

/** The beginning of a gRPC message: its prefix, and `sent` octets in all. */
function messagePart(length: number, sent: number): Uint8Array {
  return concat(Uint8Array.of(0), uint32(length), octets(sent - 5));
}

/** DATA of 16,384 + 16,384 + 16,384 + 16,383 = 65,535 octets, the beginning of a message: four frames. */
function windowful(stream: number, length = 1_000_000): Uint8Array[] {
  return [
    data(stream, messagePart(length, 16_384)),
    data(stream, octets(16_384)),
    data(stream, octets(16_384)),
    data(stream, octets(16_383)),
  ];
}

const BIG = 1 << 20;

describe('reported faults', () => {
  it("a stream that stands still on the connection's window names who holds it", () => {
    // Stream 1 spends all 65,535 of the connection (frames 9 to 12); its receiver reads nothing of it. Stream 3 has all
    // of its own 65,535; its response begins (13) when the connection has nothing left.
    const file = opened()
      .toServer(0.02, headersFrame(3, REQUEST)) // 7
      .toClient(0.04, headersFrame(1, grpcResponse()), ...windowful(1)) // 8, 9 to 12
      .toClient(0.05, headersFrame(3, grpcResponse())) // 13
      .toServer(0.5, windowUpdate(0, 20_000)) // 14: with the server at 510 ms
      .toClient(0.512, data(3, messagePart(10_000, 10_005))) // 15
      .fin(1, 'toClient')
      .file();
    expect(stallsIn(file)).toEqual([
      // From the last octet of credit on; the connection's credit came at 510 ms, the stream's own never: 1,000 - 40
      // against 510 - 40, so the stream's window is its cause.
      { dir: '←', stream: 1, from: 40, to: 1000, cause: 'stream-window', heldBy: [], by: null, evidence: 'message' },
      { dir: '←', stream: 3, from: 50, to: 510, cause: 'connection-window', heldBy: [1], by: 14, evidence: 'resumed' },
    ]);
  });

  it('… and when the credit never comes', () => {
    const file = opened()
      .toServer(0.02, headersFrame(3, REQUEST))
      .toClient(0.04, headersFrame(1, grpcResponse()), ...windowful(1))
      .toClient(0.05, headersFrame(3, grpcResponse()))
      .fin(1, 'toClient')
      .file();
    expect(stallsIn(file)).toEqual([
      { dir: '←', stream: 1, from: 40, to: 1000, cause: 'both', heldBy: [1], by: null, evidence: 'message' },
      {
        dir: '←',
        stream: 3,
        from: 50,
        to: 1000,
        cause: 'connection-window',
        heldBy: [1],
        by: null,
        evidence: 'headers',
      },
    ]);
  });

  it('… or after a part of its message', () => {
    const file = opened()
      .toServer(0.02, headersFrame(3, REQUEST))
      .toClient(0.03, headersFrame(3, grpcResponse()), data(3, messagePart(5000, 100))) // 8, 9
      // 65,535 - 100 = 65,435 are left: 16,384 * 3 + 16,283
      .toClient(0.04, headersFrame(1, grpcResponse()), ...windowful(1).slice(0, 3), data(1, octets(16_283)))
      .fin(1, 'toClient')
      .file();
    expect(stallsIn(file)).toEqual([
      {
        dir: '←',
        stream: 1,
        from: 40,
        to: 1000,
        cause: 'connection-window',
        heldBy: [1],
        by: null,
        evidence: 'message',
      },
      {
        dir: '←',
        stream: 3,
        from: 40,
        to: 1000,
        cause: 'connection-window',
        heldBy: [1],
        by: null,
        evidence: 'message',
      },
    ]);
  });

  it('a message of 1 MB whose receiver never updates: the stream at 0 for seconds, no WINDOW_UPDATE', () => {
    const file = opened()
      .toClient(0.014, windowUpdate(0, BIG)) // 7: the connection has enough
      .toServer(0.03, ...windowful(1)) // 8 to 11
      .fin(5.03, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([
      { dir: '→', stream: 1, from: 30, to: 5030, cause: 'stream-window', heldBy: [], by: null, evidence: 'message' },
    ]);
  });

  it('a rate that falls while both windows are wide open is no stall', () => {
    const talk = opened({}, [[Setting.INITIAL_WINDOW_SIZE, BIG]]).toClient(0.014, windowUpdate(0, BIG));
    // A message of 200,000 octets: 100 kB in 10 ms, then 100 kB in 10 s.
    talk.toServer(0.03, data(1, messagePart(200_000, 10_000)));
    for (let i = 1; i < 10; i++) talk.toServer(0.03 + i * 0.001, data(1, octets(10_000)));
    for (let i = 1; i <= 10; i++) talk.toServer(0.04 + i, data(1, octets(10_000)));
    expect(stallsIn(talk.fin(20, 'toServer').file())).toEqual([]);
  });

  it('DATA after a reset that is never credited is held by the stream that is gone', () => {
    // The client resets stream 1 (tap 40 ms, server 50 ms); until then the server has sent 40,000 octets on it, and of
    // stream 3 what is left: 65,535 - 40,000 = 25,535 = 16,384 + 9,151.
    const file = opened()
      .toServer(0.02, headersFrame(3, REQUEST)) // 7
      .toClient(0.035, headersFrame(1, grpcResponse()), headersFrame(3, grpcResponse())) // 8, 9
      .toServer(0.04, rstStream(1, 8)) // 10
      .toClient(0.045, data(1, messagePart(60_000, 16_384)), data(1, octets(16_384)), data(1, octets(7232))) // 11 to 13
      .toClient(0.06, data(3, messagePart(500_000, 16_384)), data(3, octets(9151))) // 14, 15
      // The client returns what it read of stream 3, to both windows; with the server at 110 ms.
      .toServer(0.1, windowUpdate(3, 25_535), windowUpdate(0, 25_535)) // 16, 17
      .toClient(0.111, data(3, octets(16_384)), data(3, octets(9151))) // 18, 19
      .fin(0.2, 'toClient')
      .file();
    expect(stallsIn(file)).toEqual([
      {
        dir: '←',
        stream: 3,
        from: 60,
        to: 110,
        cause: 'connection-window',
        heldBy: [1, 3],
        by: 17,
        evidence: 'message',
      },
      {
        dir: '←',
        stream: 3,
        from: 111,
        to: 200,
        cause: 'connection-window',
        heldBy: [1, 3],
        by: null,
        evidence: 'message',
      },
    ]);
  });
});

describe('a stall', () => {
  it("lasts, in the sender's books, until the credit is with the sender", () => {
    const file = opened()
      .toServer(0.03, ...windowful(1)) // 7 to 10: 0 at 30 ms, with the server at 40 ms
      .toClient(0.041, windowUpdate(0, 65_535), windowUpdate(1, 65_535)) // 11, 12: with the client at 51 ms
      .toServer(0.0512, data(1, octets(16_384))) // 13
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([
      { dir: '→', stream: 1, from: 30, to: 51, cause: 'both', heldBy: [1], by: 12, evidence: 'message' },
    ]);
  });

  it.each([
    // Connection at 51 ms, stream at 91 ms: of 61 ms the connection was empty for 21.
    ['stream-window', [], 0.041, 0.081, 12],
    ['connection-window', [1], 0.081, 0.041, 12],
    // 58 of 61 ms are more than nine tenths.
    ['both', [1], 0.078, 0.081, 12],
  ] as const)('has the cause that was there for nine tenths of it: %s', (cause, heldBy, connection, stream, by) => {
    const updates = [
      { t: connection, octets: windowUpdate(0, 65_535) },
      { t: stream, octets: windowUpdate(1, 65_535) },
    ].sort((a, b) => a.t - b.t);
    const talk = opened().toServer(0.03, ...windowful(1));
    for (const { t, octets: update } of updates) talk.toClient(t, update);
    const file = talk
      .toServer(0.0912, data(1, octets(16_384)))
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([{ dir: '→', stream: 1, from: 30, to: 91, cause, heldBy, by, evidence: 'message' }]);
  });

  it('of a sender whose data is no message shows when DATA follows promptly on the credit', () => {
    const plain = (next: number) =>
      conversation({ delay: 0.01 })
        .toServer(0.001, PREFACE, settings())
        .toClient(0.002, settings(), settingsAck())
        .toServer(
          0.013,
          headersFrame(
            1,
            literals([
              [':method', 'POST'],
              [':path', '/'],
              [':scheme', 'http'],
            ]),
          ),
        ) // 5
        .toServer(0.03, ...[0, 0, 0].map(() => data(1, octets(16_384))), data(1, octets(16_383))) // 6 to 9
        .toClient(0.041, windowUpdate(0, 65_535), windowUpdate(1, 65_535)) // 10, 11
        .toServer(next, data(1, octets(100)))
        .fin(1, 'toServer')
        .file();
    const stall = { dir: '→', stream: 1, from: 30, to: 51, cause: 'both', heldBy: [1], by: 11, evidence: 'resumed' };
    expect(stallsIn(plain(0.0559))).toEqual([stall]); // 4.9 ms after it
    expect(stallsIn(plain(0.0561))).toEqual([]); // 5.1 ms: nothing says that the sender had waited
  });

  it('needs no more to send: a message that just fills the window is none', () => {
    const file = opened()
      .toServer(0.03, ...windowful(1, 65_530)) // with its prefix 65,535
      .toClient(0.041, windowUpdate(0, 65_535), windowUpdate(1, 65_535))
      .toServer(0.5, data(1, messagePart(100, 105)))
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([]);
  });

  it('… nor is the end of a stream, in trailers or in DATA without octets', () => {
    const file = opened()
      .toServer(0.03, ...windowful(1, 65_530))
      .toServer(0.04, data(1, octets(0), { endStream: true }))
      .toClient(0.045, headersFrame(1, grpcResponse()), ...windowful(1, 65_530))
      .toClient(0.046, headersFrame(1, grpcTrailers(0), { endStream: true }))
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([]);
  });

  it('without release shows in a last frame that was cut to fit, of a stream that was not ended', () => {
    const plain = (...last: Uint8Array[]) =>
      conversation({ delay: 0.01 })
        .toServer(0.001, PREFACE, settings())
        .toClient(0.002, settings(), settingsAck())
        .toServer(
          0.013,
          headersFrame(
            1,
            literals([
              [':method', 'POST'],
              [':path', '/'],
              [':scheme', 'http'],
            ]),
          ),
        )
        .toServer(0.03, ...[0, 0, 0].map(() => data(1, octets(16_384))), ...last)
        .fin(1, 'toServer')
        .file();
    expect(stallsIn(plain(data(1, octets(16_383))))).toEqual([
      { dir: '→', stream: 1, from: 30, to: 1000, cause: 'both', heldBy: [1], by: null, evidence: 'cut' },
    ]);
    expect(stallsIn(plain(data(1, octets(16_383), { endStream: true })))).toEqual([]);
    expect(stallsIn(plain(data(1, octets(16_382))))).toEqual([]); // 1 octet is left
  });

  it('ends with the reset of its stream, when its sender knows of it', () => {
    const file = opened()
      .toServer(0.03, ...windowful(1))
      .toClient(0.1, rstStream(1, 8)) // with the client at 110 ms
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([
      { dir: '→', stream: 1, from: 30, to: 110, cause: 'both', heldBy: [1], by: null, evidence: 'message' },
    ]);
  });

  it('begins with SETTINGS that take the window from under a message (§6.9.2)', () => {
    const file = opened()
      .toServer(0.03, data(1, messagePart(100_000, 16_384))) // 7
      .toClient(0.04, settings([[Setting.INITIAL_WINDOW_SIZE, 10_000]])) // 8: 10,000 - 16,384 = -6,384 at 50 ms
      .toServer(0.051, settingsAck()) // 9
      .toClient(0.1, windowUpdate(1, 6384)) // 10: 0 at 110 ms, still no credit
      .toClient(0.12, windowUpdate(1, 1000)) // 11: 1,000 at 130 ms
      .toServer(0.131, data(1, octets(1000))) // 12
      .toClient(0.15, windowUpdate(1, 1000)) // 13
      .fin(0.16, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([
      { dir: '→', stream: 1, from: 50, to: 130, cause: 'stream-window', heldBy: [], by: 11, evidence: 'message' },
      { dir: '→', stream: 1, from: 131, to: 160, cause: 'stream-window', heldBy: [], by: 13, evidence: 'message' },
    ]);
  });

  it('is one for a stream that waits while another takes the credit again and again', () => {
    // Stream 3 has begun a message; stream 1 takes every credit of the connection within 1 ms.
    const talk = opened({}, [[Setting.INITIAL_WINDOW_SIZE, BIG]])
      .toServer(0.02, headersFrame(3, REQUEST)) // 7
      .toServer(0.03, data(3, messagePart(1000, 100))) // 8
      .toServer(0.03, data(1, messagePart(BIG, 65_435))); // 9: the connection at 0
    for (let i = 1; i <= 5; i++) {
      const t = 0.03 + i * 0.02;
      talk.toClient(t - 0.01, windowUpdate(0, 1000)); // with the client at t
      talk.toServer(t + 0.001, data(i === 5 ? 3 : 1, octets(i === 5 ? 905 : 1000)));
    }
    const stalls = stallsIn(talk.fin(0.2, 'toServer').file());
    expect(stalls.filter(({ stream }) => stream === 3)).toEqual([
      // Released by the update 10 + 2 * 4; it had waited 100 ms, of which the connection had credit for 4.
      { dir: '→', stream: 3, from: 30, to: 130, cause: 'connection-window', heldBy: [1], by: 18, evidence: 'message' },
    ]);
    expect(stalls.filter(({ stream }) => stream === 1)).toHaveLength(5);
  });

  it('is not known of a connection that was joined in the middle', () => {
    const file = conversation({ delay: 0.01, handshake: false })
      .toServer(0.013, headersFrame(1, REQUEST))
      .toServer(0.03, ...windowful(1))
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([]);
  });

  it('is that of the capture point where the file tells no deliveries', () => {
    const file = opened({ penstock: false })
      .toServer(0.03, ...windowful(1))
      .toClient(0.041, windowUpdate(0, 65_535), windowUpdate(1, 65_535))
      .toServer(0.0612, data(1, octets(16_384)))
      .fin(1, 'toServer')
      .file();
    expect(stallsIn(file)).toEqual([
      { dir: '→', stream: 1, from: 30, to: 41, cause: 'both', heldBy: [1], by: 12, evidence: 'message' },
    ]);
  });
});
