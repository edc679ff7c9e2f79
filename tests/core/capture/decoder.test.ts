import { describe, expect, it } from 'vitest';
import type { Capture } from '../../../src/core/capture/capture';
import { conversation } from '../../support/conversation';
import {
  concat,
  data,
  grpcMessage,
  grpcRequest,
  headersFrame,
  latin1,
  PREFACE,
  ping,
  settings,
  settingsAck,
} from '../../support/encode';
import { type Event, feed } from './feed';
import { partitionFaults } from './partition';
import { plainRows } from './snapshot';

const client = (...octets: Uint8Array[]): Event => ({ side: 0, octets: concat(...octets) });
const server = (...octets: Uint8Array[]): Event => ({ side: 1, octets: concat(...octets) });

/** Rows of a side as `[kind, offset, octets]`, with `cut` behind those whose end never came. */
function rowsOf(capture: Capture, side: 0 | 1): unknown[] {
  return plainRows(capture)
    .filter((row) => row.side === side)
    .map(({ kind, offset, extent, complete }) => [kind, offset, extent, ...(complete ? [] : ['cut'])]);
}

function decode(...events: Event[]): Capture {
  const capture = feed(events, { client: 0 });
  expect(partitionFaults(capture, events)).toEqual([]);
  return capture;
}

const GET = latin1('GET / HTTP/1.1\r\n\r\n'); // 18 octets
const UPGRADE = latin1('GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n');
const SWITCHING = latin1('HTTP/1.1 101\r\nUpgrade: h2c\r\n\r\n');

describe('HTTP/1.1 that leads to HTTP/2', () => {
  it('is followed over an upgrade whose answer has no reason phrase', () => {
    const capture = decode(client(UPGRADE), server(SWITCHING, settings()), client(PREFACE, settings()));
    expect(rowsOf(capture, 0)).toEqual([
      ['HTTP1', 0, UPGRADE.length],
      ['PREFACE', UPGRADE.length, 24],
      ['SETTINGS', UPGRADE.length + 24, 9],
    ]);
    expect(rowsOf(capture, 1)).toEqual([
      ['HTTP1', 0, SWITCHING.length],
      ['SETTINGS', SWITCHING.length, 9],
    ]);
    expect(capture.connections[0]!.protocol).toBe('h2c-upgrade');
  });

  it('is read on when the client asks for an upgrade and sends another request (this went round for ever)', () => {
    const capture = decode(client(UPGRADE, GET), server(latin1('HTTP/1.1 204 No Content\r\n\r\n')), client(GET));
    expect(rowsOf(capture, 0)).toEqual([
      ['HTTP1', 0, UPGRADE.length],
      ['HTTP1', UPGRADE.length, 18],
      ['HTTP1', UPGRADE.length + 18, 18],
    ]);
  });

  it('upgrades behind a request with a body that ends after the answer', () => {
    const post = latin1('POST / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 4\r\n\r\n');
    const capture = decode(
      client(post, latin1('ab')),
      server(SWITCHING, settings()),
      client(latin1('cd'), PREFACE, settings()),
    );
    expect(rowsOf(capture, 0).slice(-2)).toEqual([
      ['PREFACE', post.length + 4, 24],
      ['SETTINGS', post.length + 28, 9],
    ]);
  });

  it('is left at a preface, whatever was said before', () => {
    const capture = decode(client(GET, PREFACE, settings()));
    expect(rowsOf(capture, 0)).toEqual([
      ['HTTP1', 0, 18],
      ['PREFACE', 18, 24],
      ['SETTINGS', 42, 9],
    ]);
  });

  it('is left on the way through a CONNECT tunnel', () => {
    const connect = latin1('CONNECT a:1 HTTP/1.1\r\n\r\n');
    const established = latin1('HTTP/1.1 200 Connection established\r\n\r\n');
    const capture = decode(client(connect), server(established), client(PREFACE, settings()), server(settings()));
    expect(rowsOf(capture, 0).slice(1)).toEqual([
      ['PREFACE', connect.length, 24],
      ['SETTINGS', connect.length + 24, 9],
    ]);
    expect(rowsOf(capture, 1).slice(1)).toEqual([['SETTINGS', established.length, 9]]);
  });

  it('is left by both sides for a protocol that is not known here', () => {
    const capture = decode(
      client(latin1('GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n')),
      server(latin1('HTTP/1.1 101 Switching\r\n\r\n')),
      client(Uint8Array.of(0x81, 5), latin1('GET /')),
      client(GET),
      { side: 0, gap: 3 },
      client(GET),
      server(Uint8Array.of(0x81, 0)),
    );
    const kinds = ['HTTP1', 'OPAQUE', 'OPAQUE', 'GAP', 'OPAQUE'];
    expect(rowsOf(capture, 0).map((row) => (row as unknown[])[0])).toEqual(kinds);
    expect(rowsOf(capture, 1).map((row) => (row as unknown[])[0])).toEqual(['HTTP1', 'OPAQUE']);
  });
});

describe('what is no HTTP/1.1', () => {
  it.each(['PRI * HTTP/3.0\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n'])('%j', (text) => {
    const capture = decode(client(latin1(text)));
    expect(rowsOf(capture, 0)).toEqual([['OPAQUE', 0, text.length]]);
    expect(capture.connections[0]!.protocol).toBe('opaque');
  });
});

describe('holes', () => {
  const opening = [client(PREFACE, settings()), server(settings(), settingsAck())];

  it('that follow each other are told together (the first was forgotten)', () => {
    const capture = decode(...opening, { side: 0, gap: 5 }, { side: 0, gap: 7 }, client(ping()));
    expect(rowsOf(capture, 0).slice(2)).toEqual([
      ['GAP', 33, 12],
      ['PING', 45, 17],
    ]);
  });

  it('behind octets too few to tell what they are leave those a row of their own', () => {
    const capture = decode(client(Uint8Array.of(1, 2, 3)), { side: 0, gap: 10 }, client(Uint8Array.of(4, 5)));
    expect(rowsOf(capture, 0)).toEqual([
      ['OPAQUE', 0, 3],
      ['GAP', 3, 10],
      ['OPAQUE', 13, 2],
    ]);
  });

  it('inside a TLS record leave it whole but for what was not seen, and the next one is found', () => {
    const record = concat(Uint8Array.of(23, 3, 3, 0, 10), new Uint8Array(10));
    const capture = decode(client(record, record.slice(0, 8)), { side: 0, gap: 7 }, client(record));
    expect(rowsOf(capture, 0)).toEqual([
      ['TLS', 0, 15],
      ['TLS', 15, 8, 'cut'],
      ['GAP', 23, 7],
      ['TLS', 30, 15],
    ]);
  });

  it('at the end of an HTTP/1.1 body do not hide the next request', () => {
    const post = latin1('POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nab');
    // A method that no guess at the beginning of a chunk would take for HTTP/1.1.
    const report = latin1('REPORT / HTTP/1.1\r\n\r\n');
    const capture = decode(client(post), { side: 0, gap: 2 }, client(report));
    expect(rowsOf(capture, 0).slice(-2)).toEqual([
      ['GAP', post.length, 2],
      ['HTTP1', post.length + 2, report.length],
    ]);
  });
});

describe('octets after a reset', () => {
  it('are found at the next frame, not read as the middle of one', () => {
    const cut = data(1, new Uint8Array(100)).slice(0, 50);
    const capture = decode(
      client(PREFACE, settings(), headersFrame(1, grpcRequest('/a.B/C')), cut),
      server(settings()),
      { side: 1, reset: true },
      client(new Uint8Array(59)),
      client(ping()),
    );
    const rows = rowsOf(capture, 0).slice(3) as [string, number, number, string?][];
    expect(rows.map(([kind, , extent, end]) => [kind, extent, end])).toEqual([
      ['DATA', 50, 'cut'],
      ['OPAQUE', 59, undefined],
      ['PING', 17, undefined],
    ]);
  });
});

describe('TLS that is none', () => {
  it('gives the octets of a header cut by a chunk to the undecoded row (they were in none)', () => {
    const record = Uint8Array.of(22, 3, 1, 0, 1, 0);
    const capture = decode(client(record, Uint8Array.of(22, 9)), client(Uint8Array.of(9, 9, 9, 9)));
    expect(rowsOf(capture, 0)).toEqual([
      ['TLS', 0, 6],
      ['OPAQUE', 6, 6],
    ]);
  });
});

describe('joined in the middle', () => {
  it('begins at the first chunk that begins with a frame, after the rest of one', () => {
    const events = [client(new Uint8Array(40).fill(0x61)), client(ping(), ping()), client(data(1, new Uint8Array(3)))];
    const capture = feed(events);
    expect(rowsOf(capture, 0)).toEqual([
      ['OPAQUE', 0, 40],
      ['PING', 40, 17],
      ['PING', 57, 17],
      ['DATA', 74, 12],
    ]);
    expect(capture.connections[0]).toMatchObject({ joined: 'middle', protocol: 'h2' });
  });
});

describe('padding', () => {
  it.each([1, 2, 7, 1000])('is no part of a message that runs over two padded frames, in chunks of %i', (size) => {
    const message = grpcMessage(Uint8Array.of(1, 2, 3, 4, 5, 6)); // 00 | 00 00 00 06 | six octets
    const events = [
      client(PREFACE, settings(), headersFrame(1, grpcRequest('/a.B/C'))),
      server(settings(), settingsAck()),
      client(
        data(1, message.slice(0, 3), { padding: 9 }),
        data(1, concat(message.slice(3), grpcMessage(Uint8Array.of(7))), { padding: 0, endStream: true }),
      ),
    ];
    const { messages, calls, frames } = feed(events, { client: 0, sizes: [size] });
    const found = Array.from({ length: messages.count }, (_, i) => [
      messages.length.get(i),
      messages.seen.get(i),
      messages.skip.get(i),
    ]);
    expect(found).toEqual([
      [6, 6, 0],
      [1, 1, 8],
    ]);
    expect(calls.requestBytes.get(0)).toBe(11 + 6);
    expect(frames.faultCount).toBe(0);
  });
});

describe('bounds', () => {
  it('keep a few of the faults that one row has', () => {
    const messages = concat(...Array.from({ length: 1000 }, () => grpcMessage(new Uint8Array(0), 7)));
    const capture = feed(
      [
        client(PREFACE, settings(), headersFrame(1, grpcRequest('/a.B/C')), data(1, messages)),
        server(settings(), settingsAck()),
      ],
      { client: 0 },
    );
    const row = plainRows(capture).findIndex(({ kind }) => kind === 'DATA');
    expect(capture.frames.faults.get(row)).toHaveLength(32);
    expect(capture.messages.count).toBe(1000);
  });
});

describe('a SYN behind a stray segment', () => {
  it('tells the client all the same', async () => {
    const { Capture: Reader } = await import('../../../src/core/capture/capture');
    const capture = new Reader();
    const to = conversation({ penstock: false, handshake: 0.001 });
    // The server's bare ACK of an earlier connection with the same addresses comes before the SYN.
    to.ack(0, 'toServer', 0).toServer(0.002, PREFACE, settings());
    capture.push(to.file());
    capture.end();
    const [connection] = capture.connections;
    expect(connection).toMatchObject({ joined: 'start', protocol: 'h2' });
    expect(connection!.tcp.endpoints[connection!.clientSide].port).toBe(40001);
  });
});
