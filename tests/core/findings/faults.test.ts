import { describe, expect, test } from 'vitest';
import {
  concat,
  continuation,
  data,
  goaway,
  grpcRequest,
  grpcResponse,
  headersFrame,
  latin1,
  NOTHING,
  ping,
  rstStream,
  settings,
  settingsAck,
  splitHeaders,
  uint32,
} from '../../support/encode';
import { found, opened, unary } from './findings';

describe('faults of peers', () => {
  test('are grouped by code, with the first in words', () => {
    const talk = unary(opened(), 0.01, 1)
      .toServer(0.02, data(0, Uint8Array.of(1))) // row 11: DATA on stream 0, §6.1
      .toServer(0.03, data(0, Uint8Array.of(2))); // row 12
    expect(found(talk, 'protocol-fault')).toMatchObject([
      {
        severity: 'error',
        conn: 1,
        title: '2 faults of the client: PROTOCOL_ERROR',
        evidence: [11, 12],
        numbers: { faults: 2 },
      },
    ]);
    expect(found(talk, 'protocol-fault')[0]!.detail).toContain('RFC 9113 §6.1');
  });

  test('are none where all rules are kept', () => {
    expect(found(unary(opened(), 0.01, 1), 'protocol-fault')).toEqual([]);
  });

  test('name no more than 20 frames, however many there are', () => {
    const talk = opened();
    for (let i = 0; i < 100; i++) talk.toServer(0.01 + i / 1000, data(0, Uint8Array.of(1)));
    const [finding] = found(talk, 'protocol-fault');
    expect(finding!.evidence).toHaveLength(20);
    expect(finding!.numbers.faults).toBe(100);
  });
});

describe('a frame beyond SETTINGS_MAX_FRAME_SIZE', () => {
  const upload = (length: number) =>
    opened().toServer(0.01, headersFrame(1, grpcRequest('/a.B/C')), data(1, new Uint8Array(length)));

  test('is found, and is no protocol fault besides', () => {
    const talk = upload(16_385); // one octet more than the default
    expect(found(talk, 'frame-size')).toMatchObject([{ evidence: [7], numbers: { frames: 1, longest: 16_385 } }]);
    expect(found(talk, 'protocol-fault')).toEqual([]);
  });

  test('is none at exactly that size', () => {
    expect(found(upload(16_384), 'frame-size')).toEqual([]);
  });
});

describe('a message prefix the wrong way round', () => {
  const request = (prefix: Uint8Array, body: number) =>
    opened().toServer(
      0.01,
      headersFrame(1, grpcRequest('/a.B/C')),
      data(1, concat(prefix, new Uint8Array(body)), { endStream: true }), // row 7
    );

  test('is found when its length is in little-endian order', () => {
    // 05 00 00 00 is 83,886,080, or 5 in reverse; 5 octets follow.
    expect(found(request(Uint8Array.of(0, 5, 0, 0, 0), 5), 'reversed-length-prefix')).toMatchObject([
      { severity: 'error', evidence: [7], numbers: { messages: 1, littleEndian: 1, lengthFirst: 0, length: 5 } },
    ]);
  });

  test('is found when the length stands before the flag', () => {
    // 00 00 00 05 | 00: read as flag 0 and length 0x00000500, 1,280.
    const talk = request(Uint8Array.of(0, 0, 0, 5, 0), 5);
    expect(found(talk, 'reversed-length-prefix')).toMatchObject([{ numbers: { lengthFirst: 1, littleEndian: 0 } }]);
    expect(found(talk, 'protocol-fault')).toEqual([]);
  });

  test('is not claimed when what came fits neither reading', () => {
    const talk = request(Uint8Array.of(0, 5, 0, 0, 0), 6);
    expect(found(talk, 'reversed-length-prefix')).toEqual([]);
    expect(found(talk, 'protocol-fault')).toMatchObject([{ title: '1 fault of the client: GRPC_MESSAGE' }]);
  });
});

describe('floods', () => {
  /** Streams opened and reset, `apart` seconds from one to the next. */
  const resets = (count: number, apart: number) => {
    const talk = opened();
    for (let i = 0; i < count; i++) {
      const stream = 2 * i + 1;
      talk.toServer(0.01 + i * apart, headersFrame(stream, grpcRequest('/a.B/C')), rstStream(stream, 8));
    }
    return talk;
  };

  test('rapid resets are found: 100 in a second', () => {
    expect(found(resets(100, 0.001), 'reset-flood')).toMatchObject([
      { severity: 'error', numbers: { frames: 100, mostInASecond: 100 } },
    ]);
  });

  test('99 in a second, or 300 over ten seconds, are none', () => {
    expect(found(resets(99, 0.001), 'reset-flood')).toEqual([]);
    expect(found(resets(300, 0.034), 'reset-flood')).toEqual([]);
  });

  test('SETTINGS are counted without their acknowledgements', () => {
    const changes = (count: number) => {
      const talk = opened(); // the client's first is the first of them
      for (let i = 1; i < count; i++) talk.toServer(0.01 + i / 1000, settings([[4, 65_535]]), settingsAck());
      return talk;
    };
    expect(found(changes(50), 'settings-flood')).toMatchObject([{ numbers: { frames: 50, mostInASecond: 50 } }]);
    expect(found(changes(49), 'settings-flood')).toEqual([]);
  });

  test('PINGs are a flood when they do not wait for their answers', () => {
    const eager = opened();
    const patient = opened();
    for (let i = 0; i < 60; i++) {
      eager.toServer(0.01 + i / 1000, ping(concat(uint32(0), uint32(i))));
      // A BDP estimator on a fast path: a thousand a second, one at a time.
      patient.toServer(0.01 + i / 1000, ping(concat(uint32(0), uint32(i))));
      patient.toClient(0.0105 + i / 1000, ping(concat(uint32(0), uint32(i)), { ack: true }));
    }
    expect(found(eager, 'ping-flood')).toMatchObject([{ numbers: { frames: 59 } }]);
    expect(found(patient, 'ping-flood')).toEqual([]);
  });

  test('nine CONTINUATIONs of a block are one, eight are none', () => {
    const block = grpcRequest('/a.B/C');
    const pieces = (count: number) => {
      const size = Math.ceil(block.length / (count + 1));
      const frames = splitHeaders(1, block, size, { endStream: true });
      return [...frames.slice(0, -1), ...extra(count + 1 - frames.length), frames[frames.length - 1]!];
    };
    const extra = (count: number) =>
      Array.from({ length: count }, () => continuation(1, NOTHING, { endHeaders: false }));
    expect(found(opened().toServer(0.01, ...pieces(9)), 'continuation-flood')).toMatchObject([
      { numbers: { continuations: 9, frames: 1 } },
    ]);
    expect(found(opened().toServer(0.01, ...pieces(8)), 'continuation-flood')).toEqual([]);
  });
});

describe('GOAWAY', () => {
  test('too_many_pings is explained', () => {
    const talk = unary(opened(), 0.01, 1).toClient(1, goaway(1, 11, latin1('too_many_pings'))); // row 11
    const [finding] = found(talk, 'too-many-pings');
    expect(finding).toMatchObject({ severity: 'error', evidence: [11], numbers: { code: 11 } });
    expect(finding!.advice).toContain('MinTime');
  });

  test('with another error is told with its reason', () => {
    const talk = unary(opened(), 0.01, 1).toClient(1, goaway(1, 11, latin1('max_idle\u0007')));
    expect(found(talk, 'too-many-pings')).toEqual([]);
    expect(found(talk, 'goaway-error')).toMatchObject([{ detail: expect.stringContaining('“max_idle·”') }]);
  });

  test('in peace is no finding', () => {
    const talk = unary(opened(), 0.01, 1).toClient(1, goaway(0x7fffffff, 0)).toClient(1.1, goaway(1, 0));
    expect(found(talk, 'goaway-error')).toEqual([]);
    expect(found(talk, 'unprocessed-calls')).toEqual([]);
  });

  test('streams above its last one can be sent again', () => {
    const talk = opened()
      .toServer(0.01, headersFrame(1, grpcRequest('/a.B/C'), { endStream: true })) // row 6
      .toServer(0.01, headersFrame(3, grpcRequest('/a.B/C'), { endStream: true })) // row 7
      .toClient(0.02, goaway(1, 0))
      .toClient(0.03, headersFrame(1, grpcResponse()));
    expect(found(talk, 'unprocessed-calls')).toMatchObject([{ evidence: [7], numbers: { calls: 1 } }]);
    expect(found(talk, 'refused-streams')).toEqual([]);
  });
});
