import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../support/conversation';
import { conversation } from '../../support/conversation';
import {
  concat,
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  PREFACE,
  ping,
  rstStream,
  settings,
  settingsAck,
  uint32,
  windowUpdate,
} from '../../support/encode';
import { allFound, found, opened, unary } from './findings';

const FRAME = 16_384;

/** The beginning of a message of so many octets, and DATA of nothing but its middle. */
const first = (stream: number, message: number, length = FRAME) =>
  data(stream, concat(Uint8Array.of(0), uint32(message), new Uint8Array(length - 5)));
const part = (stream: number, length = FRAME) => data(stream, new Uint8Array(length));

/**
 * An upload of 200,000 octets on a path of 20 ms. The server's connection window is 65,535; the stream's is `window`.
 * Each windowful waits for credit that is sent as it arrives.
 */
function upload(
  window: number,
  credit: (talk: Conversation, t: number) => unknown,
  more: readonly (readonly [number, number])[] = [],
): Conversation {
  const talk = conversation({ delay: 0.01 })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings([...more, [4, window]]), settingsAck())
    .toServer(0.013, settingsAck())
    .toServer(0.02, headersFrame(1, grpcRequest('/a.B/C')), first(1, 196_600), part(1), part(1), part(1, 16_383));
  for (const t of [0.031, 0.052]) {
    credit(talk, t); // arrives at t + 10 ms
    talk.toServer(t + 0.0101, part(1), part(1), part(1), part(1, 16_383));
  }
  return talk;
}

describe('a window that holds a transfer back', () => {
  test('is named: the connection’s', () => {
    const talk = upload(1 << 20, (at, t) => at.toClient(t, windowUpdate(0, 65_535)));
    const [finding] = found(talk, 'connection-window-limit');
    expect(finding).toMatchObject({ severity: 'warning', conn: 1, numbers: { window: 65_535 } });
    expect(finding!.detail).toContain('Limited by the connection window');
    expect(finding!.evidence.length).toBeGreaterThan(0);
    expect(finding!.advice).toContain('StaticConnWindowSize');
    expect(found(talk, 'stream-window-limit')).toEqual([]);
  });

  test('comes with the setting of the receiver, where it is known which software it is', () => {
    // grpc-go's server begins its SETTINGS with MAX_FRAME_SIZE 16384.
    const talk = upload(1 << 20, (at, t) => at.toClient(t, windowUpdate(0, 65_535)), [[5, 16_384]]);
    const [finding] = found(talk, 'connection-window-limit');
    expect(finding!.advice).toContain(
      'it looks like grpc-go, whose setting is StaticConnWindowSize of 1,048,576 octets',
    );
  });

  test('is named: the stream’s', () => {
    const talk = conversation({ delay: 0.01 })
      .toServer(0.001, PREFACE, settings())
      .toClient(0.002, settings(), settingsAck(), windowUpdate(0, 1 << 20))
      .toServer(0.013, settingsAck())
      .toServer(0.02, headersFrame(1, grpcRequest('/a.B/C')), first(1, 196_600), part(1), part(1), part(1, 16_383));
    for (const t of [0.031, 0.052]) {
      talk.toClient(t, windowUpdate(1, 65_535)).toServer(t + 0.0101, part(1), part(1), part(1), part(1, 16_383));
    }
    expect(found(talk, 'stream-window-limit')).toMatchObject([{ conn: 1, numbers: { window: 65_535 } }]);
    expect(found(talk, 'connection-window-limit')).toEqual([]);
  });

  test('is not blamed when credit comes before it is needed', () => {
    const talk = opened({ delay: 0.01 }).toServer(0.02, headersFrame(1, grpcRequest('/a.B/C')), first(1, 196_600));
    for (let i = 1; i < 12; i++) {
      talk
        .toServer(0.02 + i * 0.02, part(1))
        .toClient(0.031 + i * 0.02, windowUpdate(0, FRAME), windowUpdate(1, FRAME));
    }
    expect(allFound(talk).filter(({ id }) => id.includes('window') || id === 'slow-reader')).toEqual([]);
  });
});

describe('starvation', () => {
  /** Stream 1 fills the connection's window and is not read; stream 3 wants to send a message of 1,000 octets. */
  const starved = (released: number) =>
    opened()
      .toServer(0.01, headersFrame(1, grpcRequest('/a.B/Slow')), first(1, 100_000), part(1), part(1), part(1, 16_383)) // 6 to 10
      .toServer(0.02, headersFrame(3, grpcRequest('/a.B/Fast'))) // 11
      .toClient(0.02 + released, windowUpdate(0, 1005)) // 12
      .toServer(0.02 + released + 0.0001, data(3, grpcMessage(new Uint8Array(1000)), { endStream: true }));

  test('by one stream is found, and names it', () => {
    expect(found(starved(0.5), 'starvation')).toMatchObject([
      { severity: 'warning', conn: 1, stream: 1, evidence: [12], numbers: { stalls: 1, streams: 1 } },
    ]);
  });

  test('is not claimed of a short wait', () => {
    expect(found(starved(0.05), 'starvation')).toEqual([]);
  });
});

describe('credit that is not returned', () => {
  /** The server resets stream 1 while 40,000 octets of it are still to come; stream 3 goes on. */
  const late = (...credit: Uint8Array[]) =>
    opened()
      .toServer(0.01, headersFrame(1, grpcRequest('/a.B/C')), headersFrame(3, grpcRequest('/a.B/C')))
      .toClient(0.02, rstStream(1, 8))
      .toServer(0.021, part(1), part(1), part(1, 7232)) // rows 9 to 11: 16,384 + 16,384 + 7,232 = 40,000
      .toServer(0.03, part(3, 10_000))
      .toClient(0.04, ...credit)
      .toServer(0.05, part(3, 10));

  test('after a reset is a leak when other octets are credited', () => {
    expect(found(late(windowUpdate(0, 10_000)), 'credit-leak')).toMatchObject([
      {
        severity: 'warning',
        title: '40,000 octets of the connection’s window were not returned by the server',
        evidence: [9, 10, 11],
        numbers: { octets: 40_000 },
      },
    ]);
  });

  test('is none when it is returned, together with others', () => {
    expect(found(late(windowUpdate(0, 50_000)), 'credit-leak')).toEqual([]);
  });

  test('is a leak when no credit comes for a second, and none before', () => {
    const silent = late(windowUpdate(3, 10_000));
    expect(found(silent, 'credit-leak')).toEqual([]);
    expect(found(silent.fin(1.1, 'toServer'), 'credit-leak')).toMatchObject([{ numbers: { octets: 40_000 } }]);
  });

  test('of a stream that its own sender reset is no matter', () => {
    const talk = opened()
      .toServer(0.01, headersFrame(1, grpcRequest('/a.B/C')), part(1), rstStream(1, 8))
      .fin(5, 'toServer');
    expect(found(talk, 'credit-leak')).toEqual([]);
  });
});

describe('the limit of streams', () => {
  /** Six calls of 1 s, `open` at a time; the server allows 2. */
  const waves = (open: number, limit = 2) => {
    const talk = opened({}, [[3, limit]]);
    for (let i = 0; i < 6; i++) {
      const t = 0.01 + Math.floor(i / open) * 1.001;
      talk.toServer(t, headersFrame(2 * i + 1, grpcRequest('/a.B/C'), { endStream: true }));
    }
    for (let i = 0; i < 6; i++) {
      const t = 1.01 + Math.floor(i / open) * 1.001;
      talk.toClient(
        t,
        headersFrame(2 * i + 1, grpcResponse()),
        headersFrame(2 * i + 1, grpcTrailers(0), { endStream: true }),
      );
    }
    return talk;
  };

  test('is found with waves behind it', () => {
    expect(found(waves(2), 'stream-limit')).toMatchObject([
      { severity: 'warning', numbers: { limit: 2, peak: 2, prompt: 4, waves: 3 } },
    ]);
  });

  test('is not where one more would have been allowed', () => {
    expect(found(waves(2, 3), 'stream-limit')).toEqual([]);
  });
});

describe('BDP pings', () => {
  const BDP = hex('02041010090e0707');
  const chatty = (pings: number, length: number, payload = BDP) => {
    const talk = opened();
    for (let i = 0; i < 40; i++) {
      unary(talk, 0.01 + i * 0.01, 2 * i + 1, { length });
      if (i < pings)
        talk.toClient(0.015 + i * 0.01, ping(payload)).toServer(0.016 + i * 0.01, ping(payload, { ack: true }));
    }
    return talk;
  };

  test('on small calls are chatter from one PING for two calls on', () => {
    expect(found(chatty(20, 100), 'bdp-chatter')).toMatchObject([
      { severity: 'info', numbers: { pings: 20, calls: 40, pingsPerCall: 0.5 } },
    ]);
  });

  test('are none when they are fewer, the calls larger, or they are no estimator’s', () => {
    expect(found(chatty(19, 100), 'bdp-chatter')).toEqual([]);
    expect(found(chatty(20, 3000), 'bdp-chatter')).toEqual([]);
    expect(found(chatty(20, 100, new Uint8Array(8)), 'bdp-chatter')).toEqual([]);
  });
});
