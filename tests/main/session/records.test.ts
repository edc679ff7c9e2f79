import { describe, expect, test } from 'vitest';
import type { Session } from '../../../src/main/session/session';
import { Flag } from '../../../src/shared/names';
import type { FrameRecord } from '../../../src/shared/records';
import { type Conversation, conversation } from '../../support/conversation';
import {
  concat,
  data,
  frame,
  goaway,
  grpcRequest,
  grpcResponse,
  headersFrame,
  hex,
  indexed,
  latin1,
  literals,
  PREFACE,
  ping,
  priority,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  splitHeaders,
  windowUpdate,
} from '../../support/encode';
import { sessionOf } from './helpers';

/** What the record's JSON says: what is undefined is not in it. */
function json<T>(record: T): T {
  return JSON.parse(JSON.stringify(record)) as T;
}

function framesOf(session: Session): FrameRecord[] {
  return Array.from({ length: session.frameCount }, (_, i) => json(session.frame(i + 1)));
}

function frames(talk: Conversation): FrameRecord[] {
  return framesOf(sessionOf(talk.file()));
}

/** The frame that stands last when these octets follow the client's preface and settings (rows 1 and 2). */
function lastOf(...octets: Uint8Array[]): FrameRecord {
  return frames(
    conversation()
      .toServer(0.001, PREFACE, settings())
      .toServer(0.002, ...octets),
  ).at(-1)!;
}

describe('a frame’s record', () => {
  test('has what every row has, in the contract’s names', () => {
    const [preface, first, headers] = frames(
      conversation({ delay: 0.01 })
        .toServer(0.001, PREFACE, settings())
        .toServer(0.0018, headersFrame(1, grpcRequest('/demo.Echo/Say')), { delivered: null }),
    );
    expect(preface).toEqual({
      n: 1,
      t: 0.001,
      delivered: 0.011,
      conn: 1,
      dir: 'toServer',
      chunk: 1,
      chunks: [1, 1],
      type: 'PREFACE',
      typeId: null,
      flags: [],
      flagBits: 0,
      stream: 0,
      reserved: 0,
      length: 24,
      offset: 0,
      complete: true,
      info: 'connection preface',
    });
    expect(first).toMatchObject({ n: 2, type: 'SETTINGS', typeId: 4, offset: 24, length: 0, settings: [] });
    const block = grpcRequest('/demo.Echo/Say');
    expect(headers).toEqual({
      n: 3,
      t: 0.0018,
      delivered: null,
      conn: 1,
      dir: 'toServer',
      chunk: 2,
      chunks: [2, 2],
      type: 'HEADERS',
      typeId: 1,
      flags: ['END_HEADERS'],
      flagBits: 4,
      stream: 1,
      reserved: 0,
      length: block.length,
      offset: 33,
      complete: true,
      info: 'POST /demo.Echo/Say',
      headers: [
        [':method', 'POST'],
        [':scheme', 'http'],
        [':path', '/demo.Echo/Say'],
        [':authority', 'localhost'],
        ['te', 'trailers'],
        ['content-type', 'application/grpc'],
      ],
      block: [3],
    });
  });

  test('has no delivery in a foreign file', () => {
    const [row] = frames(conversation({ penstock: false }).toServer(0.001, PREFACE));
    expect(row).not.toHaveProperty('delivered');
  });

  test('says when its first octet came, and which chunks carry it', () => {
    const octets = ping(hex('00 01 02 03 04 05 06 07'));
    const talk = conversation({ delay: 0.01 })
      .toServer(0.001, PREFACE, settings(), octets.subarray(0, 5))
      .toServer(0.002, octets.subarray(5, 10))
      .toServer(0.003, octets.subarray(10), settings());
    const rows = frames(talk);
    expect(rows[2]).toMatchObject({
      type: 'PING',
      tFirst: 0.001,
      t: 0.003,
      delivered: 0.013,
      chunk: 3,
      chunks: [1, 3],
    });
    expect(rows[3]).toMatchObject({ type: 'SETTINGS', t: 0.003, chunk: 3, chunks: [3, 3], offset: 33 + 17 });
    expect(rows[3]).not.toHaveProperty('tFirst');
  });

  test('counts a frame of several segments as one chunk in Penstock’s files, as several in others', () => {
    const big = data(1, new Uint8Array(100));
    const talk = (penstock: boolean) =>
      conversation({ penstock, segment: 64 })
        .toServer(0.001, PREFACE, settings())
        .toServer(0.002, headersFrame(1, literals([[':method', 'POST']])))
        .toServer(0.003, big);
    expect(frames(talk(true)).at(-1)!.chunks).toEqual([3, 3]);
    expect(frames(talk(false)).at(-1)!.chunks).toEqual([3, 4]);
  });

  test('keeps the reserved bit, undefined flags and unknown types', () => {
    expect(lastOf(frame(0xfa, 0xff, 5, hex('01 02'), { reserved: 1 }))).toMatchObject({
      type: 'UNKNOWN',
      typeId: 0xfa,
      flags: [],
      flagBits: 0xff,
      stream: 5,
      reserved: 1,
      length: 2,
    });
    expect(lastOf(frame(6, 0xf0, 0, new Uint8Array(8)))).toMatchObject({ type: 'PING', flags: [], flagBits: 0xf0 });
    expect(lastOf(frame(0x0a, 0, 0, hex('00 00')))).toMatchObject({ type: 'ALTSVC', typeId: 10 });
    expect(lastOf(frame(0x10, 0, 0, hex('00 00 00 03')))).toMatchObject({ type: 'PRIORITY_UPDATE', typeId: 16 });
  });

  test('splits DATA into content and padding; the length octet is neither', () => {
    const open = headersFrame(1, grpcRequest('/a/B'));
    expect(lastOf(open, data(1, hex('01 02 03'), { padding: 7, endStream: true }))).toMatchObject({
      type: 'DATA',
      flags: ['END_STREAM', 'PADDED'],
      flagBits: 9,
      length: 11,
      dataLength: 3,
      padding: 7,
    });
    expect(lastOf(open, data(1, hex('01 02 03')))).toMatchObject({ length: 3, dataLength: 3, padding: 0 });
    expect(lastOf(open, data(1, hex(''), { padding: 0 }))).toMatchObject({ length: 1, dataLength: 0, padding: 0 });
    // RFC 9113 §6.1: a pad length that is not below the payload's
    const wrong = lastOf(open, frame(0, Flag.PADDED, 1, hex('05 01 02 03 04')));
    expect(wrong).toMatchObject({ length: 5, dataLength: 0, padding: 4 });
    expect(wrong.faults).toEqual([
      { code: 'PROTOCOL_ERROR', scope: 'connection', clause: 'RFC 9113 §6.1', message: expect.any(String) as string },
    ]);
  });

  test('lists settings in order, duplicates and unknown ones too', () => {
    const pairs: [number, number][] = [
      [4, 1_048_576],
      [0x0a0b, 7],
      [3, 100],
      [4, 65_535],
      [0xfe03, 1],
    ];
    expect(lastOf(settings(pairs))).toMatchObject({
      type: 'SETTINGS',
      settings: [
        [4, 'INITIAL_WINDOW_SIZE', 1_048_576],
        [0x0a0b, 'UNKNOWN (0xa0b)', 7],
        [3, 'MAX_CONCURRENT_STREAMS', 100],
        [4, 'INITIAL_WINDOW_SIZE', 65_535],
        [0xfe03, 'GRPC_ALLOW_TRUE_BINARY_METADATA', 1],
      ],
    });
    expect(lastOf(settingsAck())).not.toHaveProperty('settings');
  });

  test('reads a priority’s weight as 1 to 256, on its own frame and on HEADERS', () => {
    expect(lastOf(priority(3, { dependency: 1, weight: 256, exclusive: true })).priority).toEqual({
      exclusive: true,
      dependency: 1,
      weight: 256,
    });
    const fields = { dependency: 0, weight: 1 };
    const headers = lastOf(headersFrame(1, grpcRequest('/a/B'), { priority: fields, padding: 3 }));
    expect(headers).toMatchObject({
      flags: ['END_HEADERS', 'PADDED', 'PRIORITY'],
      priority: { exclusive: false, dependency: 0, weight: 1 },
    });
    expect(headers.headers![0]).toEqual([':method', 'POST']);
    expect(lastOf(headersFrame(1, grpcRequest('/a/B')))).not.toHaveProperty('priority');
  });

  test('names error codes, and has a GOAWAY’s debug data in hex', () => {
    const open = headersFrame(1, grpcRequest('/a/B'));
    expect(lastOf(open, rstStream(1, 8))).toMatchObject({ errorCode: 'CANCEL', errorCodeId: 8, info: 'CANCEL' });
    expect(lastOf(open, rstStream(1, 0xdead))).toMatchObject({ errorCode: 'UNKNOWN (0xdead)', errorCodeId: 0xdead });
    expect(lastOf(goaway(7, 11, hex('74 6f 6f 00 ff')))).toMatchObject({
      type: 'GOAWAY',
      lastStream: 7,
      errorCode: 'ENHANCE_YOUR_CALM',
      errorCodeId: 11,
      debug: '746f6f00ff',
    });
    expect(lastOf(goaway(0x7fffffff))).toMatchObject({ lastStream: 0x7fffffff, errorCode: 'NO_ERROR', debug: '' });
  });

  test('has what the other types carry', () => {
    expect(lastOf(windowUpdate(0, 11))).toMatchObject({
      type: 'WINDOW_UPDATE',
      increment: 11,
      info: 'connection +11 → 65,546',
    });
    expect(lastOf(ping(hex('02 04 10 10 09 0e 07 07'))).payload).toBe('02041010090e0707');
    const pushed = frames(
      conversation()
        .toServer(
          0.001,
          PREFACE,
          settings(),
          headersFrame(
            1,
            literals([
              [':method', 'GET'],
              [':path', '/'],
            ]),
          ),
        )
        .toClient(
          0.002,
          settings(),
          pushPromise(
            1,
            2,
            literals([
              [':method', 'GET'],
              [':path', '/a.css'],
            ]),
            { padding: 4 },
          ),
        ),
    ).at(-1)!;
    expect(pushed).toMatchObject({ type: 'PUSH_PROMISE', stream: 1, promised: 2, block: [pushed.n] });
    expect(pushed.headers).toEqual([
      [':method', 'GET'],
      [':path', '/a.css'],
    ]);
  });

  test('has a header list on the row that completes the block, with the rows that carry it', () => {
    const block = grpcRequest('/demo.Echo/Say', [['x-long', 'v'.repeat(50)]]);
    const parts = splitHeaders(1, block, 60);
    expect(parts).toHaveLength(3);
    const rows = frames(conversation().toServer(0.001, PREFACE, settings(), ...parts));
    expect(rows.map(({ type }) => type)).toEqual(['PREFACE', 'SETTINGS', 'HEADERS', 'CONTINUATION', 'CONTINUATION']);
    for (const row of rows.slice(2, 4)) {
      expect(row).not.toHaveProperty('headers');
      expect(row).not.toHaveProperty('block');
    }
    expect(rows[4]).toMatchObject({ flags: ['END_HEADERS'], block: [3, 4, 5] });
    expect(rows[4]!.headers!.at(-1)).toEqual(['x-long', 'v'.repeat(50)]);
  });

  test('reads header values as Latin-1 and leaves -bin metadata as it stands', () => {
    const block = concat(
      grpcRequest('/a/B', [
        ['trace-bin', 'AAEC'],
        ['many-bin', 'AAE=,AAEC'],
      ]),
      literals([['x-octets', 'f\xe9\xff']]),
    );
    expect(lastOf(headersFrame(1, block)).headers!.slice(-3)).toEqual([
      ['trace-bin', 'AAEC'],
      ['many-bin', 'AAE=,AAEC'],
      ['x-octets', 'f\xe9\xff'],
    ]);
  });

  test('shows an entry of a table that was never seen as unknown', () => {
    const rows = frames(
      conversation({ handshake: false, penstock: false }).toServer(
        0,
        headersFrame(7, concat(indexed(0x83 - 0x80), indexed(62))),
      ),
    );
    expect(rows[0]!.headers).toEqual([
      [':method', 'POST'],
      ['unknown (dynamic 62)', null],
    ]);
  });

  test('of a frame that is cut says what was seen of it', () => {
    const cut = lastOf(headersFrame(1, grpcRequest('/a/B')), data(1, new Uint8Array(50)).subarray(0, 30));
    expect(cut).toMatchObject({ type: 'DATA', length: 50, complete: false, captured: 30 });
    expect(cut.info).toContain('cut short: 30 of 59 octets seen');
    for (const field of ['dataLength', 'padding']) expect(cut).not.toHaveProperty(field);
    const header = lastOf(ping().subarray(0, 4));
    expect(header).toMatchObject({ type: 'PING', length: 8, complete: false, captured: 4 });
  });

  test('says which part of a message it carries, and of a whole one only its length', () => {
    const open = headersFrame(1, grpcRequest('/a/B'));
    const message = hex('00 00 00 00 0a 00 01 02 03 04 05 06 07 08 09'); // ten octets
    expect(lastOf(open, data(1, message)).info).toBe('message 0 · 10 octets');
    expect(lastOf(open, data(1, message.subarray(0, 8))).info).toBe('message 0, 0 to 3 of 10');
    expect(lastOf(open, data(1, message.subarray(0, 8)), data(1, message.subarray(8))).info).toBe(
      'message 0, 3 to 10 of 10',
    );
  });

  test('stands for octets that were never seen, which count towards offsets', () => {
    const rows = frames(
      conversation({ penstock: false })
        .toServer(0.001, PREFACE, settings())
        .gap('toServer', 100)
        .toServer(0.002, ping()),
    );
    expect(rows[2]).toMatchObject({
      n: 3,
      type: 'GAP',
      typeId: null,
      t: 0.002,
      offset: 33,
      length: 100,
      complete: true,
      info: '100 octets that are not in the capture',
    });
    expect(rows[3]).toMatchObject({ type: 'PING', offset: 133 });
  });
});

describe('a connection’s record', () => {
  test('counts frames and octets each way, and says how it ended', () => {
    const talk = conversation({ client: '[::1]:40001', server: '[::1]:50051' })
      .toServer(0.001, PREFACE, settings(), headersFrame(1, grpcRequest('/a/B')), frame(0xfa, 0, 0), frame(0xfb, 0, 0))
      .toClient(0.002, settings(), settingsAck())
      .fin(0.003, 'toServer')
      .fin(0.004, 'toClient');
    const sent = 24 + 9 + 9 + grpcRequest('/a/B').length + 18;
    expect(json(sessionOf(talk.file()).connections())).toEqual([
      {
        conn: 1,
        client: '[::1]:40001',
        server: '[::1]:50051',
        protocol: 'h2',
        joined: 'start',
        frames: { toServer: { PREFACE: 1, SETTINGS: 1, HEADERS: 1, UNKNOWN: 2 }, toClient: { SETTINGS: 2 } },
        bytes: { toServer: sent, toClient: 18 },
        start: 0,
        end: 0.004,
        closed: { by: 'client', how: 'fin' },
      },
    ]);
  });

  test('names a reset and who sent it', () => {
    const talk = conversation().toServer(0.001, PREFACE).reset(0.002, 'toClient');
    expect(sessionOf(talk.file()).connections()[0]!.closed).toEqual({ by: 'server', how: 'reset' });
  });

  test('knows who is the client without a SYN, and that the beginning is missing', () => {
    const talk = conversation({ handshake: false, penstock: false })
      .toClient(0, headersFrame(1, grpcResponse()))
      .toServer(0.001, headersFrame(3, grpcRequest('/a/B')));
    expect(json(sessionOf(talk.file()).connections()[0]!)).toMatchObject({
      client: '127.0.0.1:40001',
      server: '127.0.0.1:50051',
      joined: 'middle',
      closed: null,
    });
  });

  test('is there for an empty one, and for other protocols', () => {
    const empty = sessionOf(conversation().file()).connections();
    expect(json(empty)).toMatchObject([
      { conn: 1, protocol: 'opaque', frames: { toServer: {}, toClient: {} }, bytes: { toServer: 0, toClient: 0 } },
    ]);
    const http1 = conversation().toServer(0.001, latin1('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    expect(sessionOf(http1.file()).connections()[0]).toMatchObject({ protocol: 'http/1.1' });
  });
});
