import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ipv4, tcpSegment } from '../../support/packets';
import { Conversation } from './conversation';

const MiB = 1024 * 1024;

/** A handshake (client's first octet: 101, or `first` where that is not beyond), then segments made without new parts. */
function manySegments(length: number, first: number, captured = length) {
  const conversation = new Conversation().handshake(first > 1000 ? first - 1 : 100, 500);
  const packet = ipv4(tcpSegment({ from: 40000, to: 50051, seq: 0, ack: 501, payload: new Uint8Array(length) }));
  const view = new DataView(packet.buffer);
  let seq = first;
  const send = () => {
    view.setUint32(24, seq); // 20 octets of IPv4, then the ports
    conversation.demux.packet(packet, 0, 40 + captured, 0, packet.length, 0, 0, undefined, 101);
    seq = (seq + length) >>> 0;
  };
  return { conversation, send };
}

describe('out of order', () => {
  test('octets are handed on in order, each with its own segment time and place', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 104, ack: 501, flags: 'P', payload: 'def' })
      .client({ seq: 107, ack: 501, payload: 'ghi' })
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .end();
    expect(sink.of('octets').map(({ text, time, at, push }) => ({ text, time, at, push }))).toEqual([
      { text: 'abc', time: 50, at: 6040, push: false },
      { text: 'def', time: 30, at: 4040, push: true },
      { text: 'ghi', time: 40, at: 5040, push: false },
    ]);
  });

  test('repeated octets are trimmed before and behind; what is new has its own place', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .client({ seq: 102, ack: 501, payload: 'bcdef' })
      .end();
    expect(sink.of('octets').map(({ text, offset, at }) => ({ text, offset, at }))).toEqual([
      { text: 'abc', offset: 0, at: 4040 },
      { text: 'def', offset: 3, at: 6042 },
    ]);
    expect(sink.of('trouble')).toEqual([]);
  });

  test('a segment over several held ones fills what is between them', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 103, ack: 501, payload: 'c' })
      .client({ seq: 106, ack: 501, payload: 'fg' })
      .client({ seq: 102, ack: 501, flags: 'P', payload: 'bcdefgh' })
      .client({ seq: 101, ack: 501, payload: 'a' })
      .end();
    expect(sink.of('octets').map(({ text, time, at, push }) => ({ text, time, at, push }))).toEqual([
      { text: 'a', time: 60, at: 7040, push: false },
      { text: 'b', time: 50, at: 6040, push: false },
      { text: 'c', time: 30, at: 4040, push: false },
      { text: 'de', time: 50, at: 6042, push: false },
      { text: 'fg', time: 40, at: 5040, push: false },
      { text: 'h', time: 50, at: 6046, push: true },
    ]);
  });

  test('where octets sent twice differ, those seen first stay and it is told once', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 103, ack: 501, payload: 'cd' })
      .client({ seq: 102, ack: 501, payload: 'bXXe' })
      .client({ seq: 101, ack: 501, payload: 'aYYYYf' })
      .end();
    expect(sink.stream(0)).toBe('abcdef');
    expect(sink.of('trouble')).toEqual([{ kind: 'trouble', message: expect.stringContaining('differ') }]);
  });

  test('keep-alives carry an old octet or none; a zero-window probe carries the next', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .client({ seq: 103, ack: 501, payload: '\0' })
      .client({ seq: 103, ack: 501 })
      .client({ seq: 104, ack: 501, payload: 'd' })
      .client({ seq: 104, ack: 501, payload: 'def' })
      .end();
    expect(sink.stream(0)).toBe('abcdef');
    expect(sink.of('trouble')).toEqual([]);
  });
});

describe('holes', () => {
  test('become gaps at the end of the file', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 103, ack: 501, payload: 'cd' })
      .client({ seq: 107, ack: 501, payload: 'gh' })
      .end();
    expect(sink.stream(0)).toBe('..cd..gh');
  });

  test('become gaps 3 segments after an acknowledgement that covers them, not before', () => {
    const conversation = new Conversation()
      .handshake()
      .client({ seq: 104, ack: 501, payload: 'def' })
      .server({ seq: 501, ack: 101 }) // a duplicate: the octets are not there yet
      .server({ seq: 501, ack: 101 })
      .server({ seq: 501, ack: 101 })
      .server({ seq: 501, ack: 101 })
      .server({ seq: 501, ack: 107 }) // all there
      .client({ seq: 107, ack: 501, payload: 'g' })
      .client({ seq: 108, ack: 501, payload: 'h' });
    expect(conversation.sink.of('gap')).toEqual([]);
    conversation.client({ seq: 109, ack: 501, payload: 'i' });
    expect(conversation.sink.stream(0)).toBe('...defghi');
    conversation.client({ seq: 101, ack: 501, payload: 'abc' });
    expect(conversation.end().of('trouble')).toEqual([
      { kind: 'trouble', message: expect.stringContaining('given up') },
    ]);
  });

  test('are filled when the octets come within those 3 segments', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 104, ack: 501, payload: 'def' })
      .server({ seq: 501, ack: 107 })
      .server({ seq: 501, ack: 107, payload: 'x' })
      .server({ seq: 502, ack: 107, payload: 'y' })
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .end();
    expect(sink.stream(0)).toBe('abcdef');
  });

  test('a hole before a FIN is given up in the same way', () => {
    const conversation = new Conversation()
      .handshake()
      .client({ seq: 104, ack: 501, flags: 'F' })
      .server({ seq: 501, ack: 105 })
      .server({ seq: 501, ack: 105, payload: 'a' })
      .client({ seq: 105, ack: 502 })
      .server({ seq: 502, ack: 105, payload: 'b' });
    expect(conversation.sink.of('closed')).toHaveLength(1);
    expect(conversation.sink.stream(0)).toBe('...');
  });

  test('are given up when more than 16 MiB wait behind them', () => {
    const length = 65_000;
    const fits = Math.floor((16 * MiB) / length);
    const { conversation, send } = manySegments(length, 102);
    let octets = 0;
    conversation.sink.octets = (_connection, _side, _data, start, end) => {
      octets += end - start;
    };
    for (let i = 0; i < fits; i++) send();
    expect(conversation.sink.of('gap')).toEqual([]);
    send();
    expect(conversation.sink.of('gap')).toEqual([{ kind: 'gap', id: 1, side: 0, offset: 0, length: 1 }]);
    expect(octets).toBe((fits + 1) * length);
  });

  test('small segments count for what they take in memory', () => {
    const { conversation, send } = manySegments(1, 102);
    for (let i = 0; i < (16 * MiB) / 1024; i++) send();
    expect(conversation.sink.of('gap')).toEqual([]);
    send();
    expect(conversation.sink.of('gap')).toHaveLength(1);
  });
});

describe('packets cut by the snap length', () => {
  const HEADERS = 40;

  test('give the captured octets, then a gap for the rest', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, flags: 'P', payload: 'abcdef' }, HEADERS + 2)
      .client({ seq: 107, ack: 501, payload: 'ghi' })
      .client({ seq: 110, ack: 501, payload: 'jkl' }, HEADERS)
      .client({ seq: 113, ack: 501, payload: 'mno' }, HEADERS - 10)
      .server({ seq: 501, ack: 113 })
      .end();
    expect(sink.stream(0)).toBe('ab....ghi...');
    expect(sink.of('octets')[0]!.push).toBe(false);
    expect(sink.of('acknowledged').map((event) => event.offset)).toEqual([12]);
  });

  test('also when they come out of order, are repeated, or overlap', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 104, ack: 501, payload: 'defghi' }, HEADERS + 2)
      .client({ seq: 104, ack: 501, payload: 'defghi' }, HEADERS + 2)
      .client({ seq: 108, ack: 501, payload: 'hijk' }, HEADERS + 3)
      .client({ seq: 101, ack: 501, payload: 'abcdefghijklm' }, HEADERS + 12)
      .end();
    // What was cut of the copy seen first counts as lost, though a later copy has it.
    expect(sink.stream(0)).toBe('abcde....j.l.');
    expect(sink.of('trouble')).toEqual([]);
  });
});

describe('sequence numbers', () => {
  test('wrap at 2^32, in order and out of order, with acknowledgements', () => {
    for (let before = 0; before <= 12; before++) {
      const first = 2 ** 32 - before;
      const sink = new Conversation()
        .handshake(first - 1, 500)
        .client({ seq: first, ack: 501, payload: 'abcd' })
        .client({ seq: first + 8, ack: 501, payload: 'ijkl' })
        .client({ seq: first + 4, ack: 501, payload: 'efgh' })
        .server({ seq: 501, ack: first + 12 })
        .client({ seq: first + 2, ack: 501, payload: 'cdefgh' })
        .client({ seq: first + 12, ack: 501, flags: 'F' })
        .end();
      expect(sink.stream(0)).toBe('abcdefghijkl');
      expect(sink.of('acknowledged').map((event) => event.offset)).toEqual([12]);
      expect(sink.of('closed')).toHaveLength(1);
    }
  });

  test('offsets go on beyond 2^32 over many wraps', () => {
    const length = 65_000;
    const count = 140_000;
    // Cut packets, for a long stream in little time: 3 octets captured of each.
    const { conversation, send } = manySegments(length, 0xfffffff1, 3);
    let calls = 0;
    let end = 0;
    conversation.sink.octets = () => {
      calls++;
    };
    conversation.sink.gap = (_connection, _side, offset, missing) => {
      end = offset + missing;
    };
    for (let i = 0; i < count; i++) send();
    expect(calls).toBe(count);
    expect(end).toBe(count * length); // 9.1 * 10^9, over two wraps
  });
});

describe('any stream', () => {
  test('cut into any segments, repeated and shuffled, gives the same octets', () => {
    const text = fc.string({ minLength: 1, maxLength: 200, unit: fc.constantFrom(...'abcdefghijklmnop') });
    const cut = fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) });
    const initial = fc.oneof(fc.constant(100), fc.integer({ min: 2 ** 32 - 200, max: 2 ** 32 - 1 }));
    fc.assert(
      fc.property(
        text,
        fc.array(cut, { maxLength: 40 }),
        fc.infiniteStream(fc.nat()),
        initial,
        (stream, extra, random, isn) => {
          const segments: { at: number; text: string }[] = [];
          for (let at = 0; at < stream.length; ) {
            const length = 1 + (random.next().value % 20);
            segments.push({ at, text: stream.slice(at, at + length) });
            at += length;
          }
          for (const { at, length } of extra) {
            const from = at % stream.length;
            segments.push({ at: from, text: stream.slice(from, from + length) });
          }
          for (let i = segments.length - 1; i > 0; i--) {
            const j = random.next().value % (i + 1);
            [segments[i], segments[j]] = [segments[j]!, segments[i]!];
          }
          const conversation = new Conversation().handshake(isn, 500);
          for (const segment of segments) {
            const seq = (isn + 1 + segment.at) >>> 0;
            conversation.client({ seq, ack: 501, payload: segment.text });
          }
          conversation.client({ seq: (isn + 1 + stream.length) >>> 0, ack: 501, flags: 'F' });
          // Before the end of the file: nothing may be left waiting.
          expect(conversation.sink.stream(0)).toBe(stream);
          expect(conversation.sink.of('closed')).toHaveLength(1);
          expect(conversation.end().of('trouble')).toEqual([]);
          for (const octets of conversation.sink.of('octets'))
            expect(octets.time).toBe((octets.at - 1000 - ((octets.at - 1000) % 1000)) / 100);
        },
      ),
      { numRuns: 300 },
    );
  });
});
