import { describe, expect, test } from 'vitest';
import { hex } from '../../support/octets';
import { ipv4, tcpSegment } from '../../support/packets';
import { Conversation } from './conversation';

describe('a connection from its start', () => {
  test('handshake, octets both ways, acknowledgements, both FINs', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, flags: 'P', payload: 'ping' })
      .server({ seq: 501, ack: 105, payload: 'po' })
      .server({ seq: 503, ack: 105, flags: 'P', payload: 'ng' })
      .client({ seq: 105, ack: 505, flags: 'F' })
      .server({ seq: 505, ack: 106, flags: 'F' })
      .client({ seq: 106, ack: 506 })
      .end();
    expect(sink.events).toEqual([
      { kind: 'connection', id: 1, ends: ['10.0.0.1 40000', '10.0.0.2 50051'], client: 0 },
      { kind: 'octets', id: 1, side: 0, text: 'ping', offset: 0, time: 30, at: 4040, push: true },
      { kind: 'acknowledged', id: 1, side: 0, offset: 4 },
      { kind: 'octets', id: 1, side: 1, text: 'po', offset: 0, time: 40, at: 5040, push: false },
      { kind: 'octets', id: 1, side: 1, text: 'ng', offset: 2, time: 50, at: 6040, push: true },
      { kind: 'acknowledged', id: 1, side: 1, offset: 4 },
      { kind: 'closed', id: 1, by: 0, how: 'fin', time: 60 },
      { kind: 'closed', id: 1, by: 1, how: 'fin', time: 70 },
    ]);
    expect(sink.connections[0]).toMatchObject({ start: 0, interfaceId: 0 });
  });

  test('a SYN-ACK seen first names its receiver the client', () => {
    const sink = new Conversation().server({ seq: 500, flags: 'S', ack: 101 }).end();
    expect(sink.of('connection')[0]).toMatchObject({ client: 1, ends: ['10.0.0.2 50051', '10.0.0.1 40000'] });
  });

  test('a SYN after its SYN-ACK, and a repeated one, belong to the same connection', () => {
    const sink = new Conversation()
      .server({ seq: 500, flags: 'S', ack: 101 })
      .client({ seq: 100, flags: 'S' })
      .client({ seq: 100, flags: 'S' })
      .client({ seq: 101, ack: 501, payload: 'x' })
      .end();
    expect(sink.connections).toHaveLength(1);
    expect(sink.stream(1)).toBe('x');
  });

  test('octets in a SYN (TCP Fast Open) come after its number', () => {
    const sink = new Conversation()
      .client({ seq: 100, flags: 'S', payload: 'early' })
      .server({ seq: 500, flags: 'S', ack: 106 })
      .client({ seq: 106, ack: 501, payload: ' and late' })
      .end();
    expect(sink.stream(0)).toBe('early and late');
    expect(sink.of('acknowledged')).toEqual([{ kind: 'acknowledged', id: 1, side: 0, offset: 5 }]);
  });

  test('TCP options are stepped over', () => {
    const sink = new Conversation()
      .client({ seq: 1, options: hex('01 01 08 0a 00000001 00000002'), payload: 'x' })
      .end();
    expect(sink.stream(0)).toBe('x');
  });

  test('a header length that is impossible is told; the connection counts, as in tshark', () => {
    const short = tcpSegment({ from: 1, to: 2, seq: 0, payload: 'x' });
    short[12] = 4 << 4;
    const long = tcpSegment({ from: 3, to: 4, seq: 0, payload: 'x' });
    long[12] = 15 << 4;
    const sink = new Conversation().packet(ipv4(short)).packet(ipv4(long)).end();
    expect(sink.events.map((event) => event.kind)).toEqual(['connection', 'trouble', 'connection']);
  });
});

describe('several connections', () => {
  test('are told apart by port and address, in either direction', () => {
    const conversation = new Conversation();
    for (let round = 0; round < 2; round++) {
      for (let port = 1; port <= 300; port++) {
        for (const source of ['10.0.0.1', '10.0.1.1']) {
          const there = tcpSegment({ from: port, to: 80, seq: 10 + round, payload: `${round}` });
          const back = tcpSegment({ from: 80, to: port, seq: 20 + round, payload: `${round}` });
          conversation.packet(ipv4(there, { source, destination: '10.0.0.9' }));
          conversation.packet(ipv4(back, { source: '10.0.0.9', destination: source }));
        }
      }
    }
    const sink = conversation.end();
    expect(sink.connections).toHaveLength(600);
    for (const { id } of sink.connections) {
      expect(sink.stream(0, id)).toBe('01');
      expect(sink.stream(1, id)).toBe('01');
    }
  });

  test('a SYN with another initial number on the same ports is a new connection; what the old one lacks is a gap', () => {
    const sink = new Conversation()
      .handshake(100, 500)
      .client({ seq: 101, ack: 501, payload: 'old' })
      .client({ seq: 106, ack: 501, payload: 'er' })
      .handshake(9000, 9500)
      .client({ seq: 9001, ack: 9501, payload: 'new' })
      .end();
    expect(sink.connections.map(({ id, client, start }) => ({ id, client, start }))).toEqual([
      { id: 1, client: 0, start: 0 },
      { id: 2, client: 0, start: 50 },
    ]);
    expect(sink.stream(0, 1)).toBe('old..er');
    expect(sink.stream(0, 2)).toBe('new');
    expect(sink.events.findIndex((event) => event.kind === 'gap')).toBeLessThan(
      sink.events.findIndex((event) => event.kind === 'connection' && event.id === 2),
    );
  });

  test('a new connection may be opened from the other side', () => {
    const sink = new Conversation().handshake().server({ seq: 7000, flags: 'S' }).end();
    expect(sink.of('connection')[1]).toMatchObject({ client: 0, ends: ['10.0.0.2 50051', '10.0.0.1 40000'] });
  });

  test('a SYN that does not fit the acknowledgements of an unseen side opens a new connection', () => {
    const reused = new Conversation()
      .server({ seq: 500, ack: 101, payload: 'abc' })
      .client({ seq: 7000, flags: 'S' })
      .end();
    expect(reused.connections).toHaveLength(2);
    const late = new Conversation()
      .server({ seq: 500, ack: 101, payload: 'abc' })
      .client({ seq: 100, flags: 'S' })
      .end();
    expect(late.connections).toHaveLength(1);
  });

  test('a SYN with the same initial number, after a reset too, is a repetition', () => {
    const sink = new Conversation()
      .client({ seq: 100, flags: 'S' })
      .server({ seq: 0, ack: 101, flags: 'R' })
      .client({ seq: 100, flags: 'S' })
      .server({ seq: 0, ack: 101, flags: 'R' })
      .end();
    expect(sink.connections).toHaveLength(1);
    expect(sink.of('closed')).toHaveLength(1);
  });

  test('a SYN-ACK that contradicts the octets seen is told and ignored', () => {
    const sink = new Conversation()
      .handshake()
      .server({ seq: 501, ack: 101, payload: 'a' })
      .server({ seq: 900, ack: 101, flags: 'S' })
      .server({ seq: 502, ack: 101, payload: 'b' })
      .end();
    expect(sink.stream(1)).toBe('ab');
    expect(sink.of('trouble')).toHaveLength(1);
    expect(sink.connections).toHaveLength(1);
  });
});

describe('how it ends', () => {
  test('a FIN waits for the octets before it', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 104, flags: 'F', ack: 501, payload: 'def' })
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .end();
    expect(sink.events.slice(1).map((event) => ('text' in event ? event.text : event.kind))).toEqual([
      'abc',
      'def',
      'closed',
    ]);
    expect(sink.of('closed')).toEqual([{ kind: 'closed', id: 1, by: 0, how: 'fin', time: 30 }]);
  });

  test('a FIN behind octets that never came: gap, then closed', () => {
    const sink = new Conversation().handshake().client({ seq: 104, flags: 'F', ack: 501 }).end();
    expect(sink.events.slice(1)).toEqual([
      { kind: 'gap', id: 1, side: 0, offset: 0, length: 3 },
      { kind: 'closed', id: 1, by: 0, how: 'fin', time: 30 },
    ]);
  });

  test('a repeated FIN, keep-alives after it and the last ACK add nothing', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, flags: 'F', payload: 'x' })
      .client({ seq: 101, ack: 501, flags: 'F', payload: 'x' })
      .client({ seq: 102, ack: 501, flags: 'F' })
      .client({ seq: 102, ack: 501, payload: '\0' }) // keep-alive: the FIN's own number
      .client({ seq: 103, ack: 501 })
      .end();
    expect(sink.stream(0)).toBe('x');
    expect(sink.of('closed')).toHaveLength(1);
    expect(sink.of('trouble')).toEqual([]);
  });

  test('octets after a FIN are told and ignored; the other side goes on', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, flags: 'F' })
      .client({ seq: 102, ack: 501, payload: 'more' })
      .server({ seq: 501, ack: 102, payload: 'answer' })
      .end();
    expect(sink.stream(0)).toBe('');
    expect(sink.stream(1)).toBe('answer');
    expect(sink.of('trouble')).toHaveLength(1);
  });

  test('a reset gives up what is missing on both sides, and is told once a side', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 102, ack: 501, payload: 'b' })
      .server({ seq: 503, ack: 101, payload: 'd' })
      .server({ seq: 504, ack: 101, flags: 'R', payload: 'why' })
      .server({ seq: 0, flags: 'R' })
      .end();
    expect(sink.events.slice(1)).toEqual([
      { kind: 'gap', id: 1, side: 0, offset: 0, length: 1 },
      expect.objectContaining({ kind: 'octets', side: 0, text: 'b', offset: 1, time: 30 }),
      { kind: 'gap', id: 1, side: 1, offset: 0, length: 2 },
      expect.objectContaining({ kind: 'octets', side: 1, text: 'd', offset: 2, time: 40 }),
      { kind: 'closed', id: 1, by: 1, how: 'reset', time: 50 },
    ]);
  });

  test('octets that cross a reset on the wire are still the stream', () => {
    const sink = new Conversation()
      .handshake()
      .server({ seq: 501, flags: 'R', ack: 101 })
      .client({ seq: 101, ack: 501, payload: 'late' })
      .end();
    expect(sink.stream(0)).toBe('late');
  });

  test('SYN with FIN or RST is told and ignored', () => {
    const sink = new Conversation().handshake().server({ seq: 501, ack: 101, flags: 'SFR' }).end();
    expect(sink.of('closed')).toEqual([]);
    expect(sink.of('trouble')).toHaveLength(1);
    expect(sink.connections).toHaveLength(1);
  });
});

describe('joined in the middle', () => {
  test('the first segment of a side is its offset 0, also when the other side was acknowledged before', () => {
    const sink = new Conversation()
      .client({ seq: 7000, ack: 8000, payload: 'ab' })
      .server({ seq: 8030, ack: 7002, payload: 'cd' })
      .client({ seq: 7002, ack: 8032 })
      .end();
    expect(sink.of('connection')[0]!.client).toBeUndefined();
    expect(sink.stream(0)).toBe('ab');
    expect(sink.stream(1)).toBe('cd');
    expect(sink.of('acknowledged').map(({ side, offset }) => [side, offset])).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  test('an earlier segment moves the start when nothing was told yet', () => {
    const sink = new Conversation()
      .client({ seq: 7003, ack: 8000 })
      .client({ seq: 7006, ack: 8000, payload: 'ghi' })
      .client({ seq: 7000, ack: 8000, payload: 'abc' })
      .client({ seq: 7003, ack: 8000, payload: 'def' })
      .end();
    expect(sink.stream(0)).toBe('abcdefghi');
    expect(sink.of('trouble')).toEqual([]);
  });

  test('an earlier segment after octets were told is ignored, and told', () => {
    const sink = new Conversation()
      .client({ seq: 7003, ack: 8000, payload: 'def' })
      .client({ seq: 7000, ack: 8000, payload: 'abc' })
      .client({ seq: 7001, ack: 8000, payload: 'bcdefghi' })
      .end();
    expect(sink.stream(0)).toBe('defghi');
    expect(sink.of('trouble')).toEqual([{ kind: 'trouble', message: expect.stringContaining('before the first') }]);
  });

  test('a SYN that comes just after the segments it opened is theirs', () => {
    const sink = new Conversation()
      .client({ seq: 101, ack: 501, payload: 'abc' })
      .client({ seq: 100, flags: 'S' })
      .end();
    expect(sink.connections).toMatchObject([{ client: 0 }]);
    expect(sink.stream(0)).toBe('abc');
  });
});

describe('acknowledgements', () => {
  test('are told when they grow, and never beyond the octets seen', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 101, ack: 501, payload: 'abcd' })
      .server({ seq: 501, ack: 103 })
      .server({ seq: 501, ack: 103 })
      .server({ seq: 501, ack: 102 })
      .server({ seq: 501, ack: 999 })
      .end();
    expect(sink.of('acknowledged').map((event) => event.offset)).toEqual([2, 4]);
  });

  test('count held octets as seen', () => {
    const sink = new Conversation()
      .handshake()
      .client({ seq: 105, ack: 501, payload: 'ef' })
      .server({ seq: 501, ack: 107 })
      .end();
    expect(sink.of('acknowledged').map((event) => event.offset)).toEqual([6]);
  });
});
