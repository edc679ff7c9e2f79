import { describe, expect, it, test } from 'vitest';
import { checkState, Half, RULES, Sent, Stream } from '../../../src/core/http2/stream';

/**
 * RFC 9113 §5.1 once more, written from the RFC's side: what a peer may not send in each state of its own half.
 * Connection faults are in capitals.
 */
const EXPECTED: Record<keyof typeof Half, Partial<Record<keyof typeof Sent, string>>> = {
  // "Receiving any frame other than HEADERS or PRIORITY on a stream in this state" is a connection error.
  IDLE: {
    DATA: 'PROTOCOL_ERROR connection',
    RST_STREAM: 'PROTOCOL_ERROR connection',
    WINDOW_UPDATE: 'PROTOCOL_ERROR connection',
    PUSH_PROMISE: 'PROTOCOL_ERROR connection',
  },
  OPEN: {},
  // After END_STREAM only WINDOW_UPDATE, PRIORITY and RST_STREAM may be sent.
  ENDED: { DATA: 'STREAM_CLOSED stream', HEADERS: 'STREAM_CLOSED stream', PUSH_PROMISE: 'STREAM_CLOSED stream' },
  // The RFC allows PRIORITY alone; WINDOW_UPDATE and a second RST_STREAM do no harm, and peers must expect them.
  RESET: { DATA: 'STREAM_CLOSED stream', HEADERS: 'STREAM_CLOSED stream', PUSH_PROMISE: 'STREAM_CLOSED stream' },
  // A stream that was promised: its server may send HEADERS, RST_STREAM and PRIORITY.
  RESERVED: {
    DATA: 'PROTOCOL_ERROR connection',
    WINDOW_UPDATE: 'PROTOCOL_ERROR connection',
    PUSH_PROMISE: 'PROTOCOL_ERROR connection',
  },
};

const HALVES = Object.keys(Half) as (keyof typeof Half)[];
const KINDS = Object.keys(Sent) as (keyof typeof Sent)[];

describe('every frame in every state of its sender', () => {
  const pairs = HALVES.flatMap((half) => KINDS.map((kind) => [kind, half] as const));

  test.each(pairs)('%s while %s', (kind, half) => {
    const fault = checkState(Sent[kind], Half[half]);
    expect(fault && `${fault.code} ${fault.scope}`).toBe(EXPECTED[half][kind]);
    if (fault !== undefined) {
      expect(fault.clause).toBe('RFC 9113 §5.1');
      expect(fault.message.startsWith(kind)).toBe(true);
    }
  });

  it('has a rule for each', () => {
    expect(RULES.map((row) => row.length)).toEqual(KINDS.map(() => HALVES.length));
  });
});

describe('a stream is closed', () => {
  const names = HALVES.flatMap((client) => HALVES.map((server) => [client, server] as const));

  test.each(names)('%s by the client, %s by the server', (client, server) => {
    const stream = new Stream(1, 0);
    stream.half = [Half[client], Half[server]];
    const reset = client === 'RESET' || server === 'RESET';
    expect(stream.closed).toBe(reset || (client === 'ENDED' && server === 'ENDED'));
  });
});
