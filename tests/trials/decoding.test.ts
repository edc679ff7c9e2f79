/** Faults that users of other inspectors have met, as inputs with the right answer: frames, headers, connections. */
import { describe, expect, it } from 'vitest';
import { type ConversationOptions, conversation } from '../support/conversation';
import {
  concat,
  continuation,
  data,
  frame,
  goaway,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  incremental,
  indexed,
  latin1,
  literals,
  PREFACE,
  ping,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  sizeUpdate,
  splitHeaders,
  windowUpdate,
} from '../support/encode';
import { CANCEL, END, faults, HELLO, opened, Trial } from './session';

describe('any split of the octets gives the same', () => {
  /** Something of everything: padding, CONTINUATION, a push, messages over frames, frames of no known type. */
  function everything(options: ConversationOptions): Uint8Array {
    const long = grpcMessage(new Uint8Array(700).fill(0x41));
    return conversation(options)
      .toServer(
        0.1,
        PREFACE,
        settings([[4, 100_000]]),
        ...splitHeaders(1, concat(grpcRequest('/a.B/C'), incremental('x-trace', 'abc')), 20),
        data(1, long.subarray(0, 3), { padding: 9 }),
        data(1, long.subarray(3, 400)),
      )
      .toClient(0.2, settings(), settingsAck(), frame(0x0c, 0, 0, hex('00 03 61 2e 62')))
      .toClient(
        0.3,
        pushPromise(1, 2, literals([[':path', '/p']]), { padding: 2 }),
        headersFrame(1, grpcResponse(), { padding: 3, priority: { dependency: 0, weight: 7 } }),
        frame(0xfa, 0x0f, 1, HELLO),
        data(1, concat(grpcMessage(HELLO), grpcMessage(HELLO), long.subarray(0, 5))),
        ping(hex('02 04 10 10 09 0e 07 07')),
      )
      .toServer(0.4, settingsAck(), data(1, concat(long.subarray(400), grpcMessage(HELLO)), END), windowUpdate(0, 5))
      .toServer(0.5, ping(hex('02 04 10 10 09 0e 07 07'), { ack: true }), headersFrame(3, indexed(62), END))
      .toClient(0.6, data(1, long.subarray(5)), headersFrame(1, grpcTrailers(5, 'no%20such'), END))
      .toClient(0.7, rstStream(2, CANCEL), goaway(3, 0, latin1('bye')), data(3, hex('00')), windowUpdate(99, 1))
      .fin(0.8, 'toClient')
      .fin(0.9, 'toServer')
      .file();
  }
  const whole = new Trial(everything({}));

  it('is a conversation with calls, messages and faults', () => {
    expect(whole.calls.map(({ stream, method, status }) => [stream, method, status])).toEqual([
      [1, '/a.B/C', 5],
      [2, '/p', null],
      [3, null, null],
    ]);
    expect(whole.messages.map(({ dir, wireLength, complete }) => [dir, wireLength, complete])).toEqual([
      ['toServer', 700, true],
      ['toClient', 7, true],
      ['toClient', 7, true],
      ['toClient', 700, true],
      ['toServer', 7, true],
    ]);
    expect(whole.rows.filter(({ faults }) => faults !== undefined)).not.toEqual([]);
  });

  it.each([1, 2, 3, 5, 8, 9, 13, 100])('chunks of %i octets', (split) => {
    expect(new Trial(everything({ split })).essence).toEqual(whole.essence);
  });

  it.each([1, 7, 1000])('a file that is read %i octets at a time', (pieces) => {
    expect(new Trial(everything({}), pieces).essence).toEqual(whole.essence);
  });

  it('a preface that is split at each of its octets, and behind it', () => {
    const octets = concat(PREFACE, settings(), headersFrame(1, grpcRequest('/a.B/C'), END));
    const one = new Trial(conversation().toServer(0.1, octets).toClient(0.2, settings()).file());
    expect(one.rows.map(({ type }) => type)).toEqual(['PREFACE', 'SETTINGS', 'HEADERS', 'SETTINGS']);
    for (let at = 1; at <= PREFACE.length + 9; at++) {
      const file = conversation()
        .toServer(0.1, octets.subarray(0, at))
        .toServer(0.1, octets.subarray(at))
        .toClient(0.2, settings())
        .file();
      expect(new Trial(file).essence, `split at ${at}`).toEqual(one.essence);
    }
  });
});

describe('table size updates', () => {
  it('0 and then 4096 before an indexed field are decoded', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, concat(sizeUpdate(0), sizeUpdate(4096), indexed(2), indexed(4))))
        .file(),
    );
    const [row] = trial.rowsOf('HEADERS');
    expect(row?.headers).toEqual([
      [':method', 'GET'],
      [':path', '/'],
    ]);
    expect(faults(row!)).toEqual([]);
  });

  it('after a field are flagged, and what follows is decoded', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, concat(indexed(2), sizeUpdate(0), indexed(4))))
        .toServer(0.3, headersFrame(3, indexed(2)))
        .file(),
    );
    const [first, second] = trial.rowsOf('HEADERS');
    expect(first?.headers).toEqual([
      [':method', 'GET'],
      [':path', '/'],
    ]);
    expect(faults(first!)).toEqual(['COMPRESSION_ERROR connection RFC 9113 §4.3']);
    expect(first?.faults?.[0]?.message).toContain('RFC 7541 §4.2');
    expect(faults(second!)).toEqual([]);
  });
});

describe('frames of extensions', () => {
  it('between DATA are rows with their names, and the message around them stays whole', () => {
    const message = grpcMessage(HELLO);
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C'), END))
        .toClient(
          0.3,
          headersFrame(1, grpcResponse()),
          data(1, message.subarray(0, 6)),
          frame(0x0a, 0, 1, hex('00 00 63 6c 65 61 72')), // no origin, "clear"
          frame(0x0c, 0, 0, hex('00 01 61')),
          frame(0x10, 0, 0, hex('00 00 00 01 75 3d 31')), // stream 1, u=1
          frame(0xfa, 0, 1, hex('de ad')),
          data(1, message.subarray(6)),
          headersFrame(1, grpcTrailers(0), END),
        )
        .file(),
    );
    const types = trial.rows.filter(({ t }) => t === 0.3).map(({ type, typeId }) => [type, typeId]);
    expect(types).toEqual([
      ['HEADERS', 1],
      ['DATA', 0],
      ['ALTSVC', 0x0a],
      ['ORIGIN', 0x0c],
      ['PRIORITY_UPDATE', 0x10],
      ['UNKNOWN', 0xfa],
      ['DATA', 0],
      ['HEADERS', 1],
    ]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
    const [first, last] = trial.rowsOf('DATA').map(({ n }) => n);
    expect(trial.messages).toMatchObject([{ wireLength: 7, complete: true, frames: [first, last] }]);
  });

  it('of type 0xfa between HEADERS and CONTINUATION is a connection fault, and decoding goes on', () => {
    const block = grpcRequest('/a.B/C');
    const trial = new Trial(
      opened()
        .toServer(
          0.2,
          headersFrame(1, block.subarray(0, 30), { endHeaders: false }),
          frame(0xfa, 0, 1, hex('00')),
          continuation(1, block.subarray(30)),
          data(1, grpcMessage(HELLO), END),
        )
        .file(),
    );
    expect(faults(trial.rowsOf('UNKNOWN')[0]!)).toEqual(['PROTOCOL_ERROR connection RFC 9113 §6.10']);
    const [headers] = trial.rowsOf('HEADERS');
    const [last] = trial.rowsOf('CONTINUATION');
    expect(last?.block).toEqual([headers?.n, last?.n]);
    expect(last?.headers?.[2]).toEqual([':path', '/a.B/C']);
    expect(trial.rows.flatMap(faults)).toHaveLength(1);
    expect(trial.messages).toMatchObject([{ complete: true, length: 7 }]);
  });
});

describe('responses', () => {
  it('one HEADERS with END_STREAM and grpc-status 5 is trailers-only: NOT_FOUND, no messages', () => {
    const block = literals([
      [':status', '200'],
      ['content-type', 'application/grpc'],
      ['grpc-status', '5'],
      ['grpc-message', 'no%20such%20key'],
    ]);
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C'), END))
        .toClient(0.3, headersFrame(1, block, END))
        .file(),
    );
    expect(trial.call(1)).toMatchObject({
      kind: 'grpc',
      httpStatus: 200,
      status: 5,
      statusName: 'NOT_FOUND',
      statusMessage: 'no such key',
      state: 'closed',
      requestMessages: 0,
      responseMessages: 0,
    });
    expect(trial.call(1).statusInferred).toBeUndefined();
    expect(trial.messages).toEqual([]);
    expect(trial.rowsOf('HEADERS')[1]?.info).toContain('trailers-only');
  });

  it(':status 103, then 200, then DATA: both rows, and the status is 200', () => {
    const trial = new Trial(
      opened()
        .toServer(
          0.2,
          headersFrame(
            1,
            literals([
              [':method', 'GET'],
              [':path', '/'],
            ]),
            END,
          ),
        )
        .toClient(
          0.3,
          headersFrame(
            1,
            literals([
              [':status', '103'],
              ['link', '</a>'],
            ]),
          ),
        )
        .toClient(0.4, headersFrame(1, literals([[':status', '200']])), data(1, HELLO, END))
        .file(),
    );
    const statuses = trial.rowsOf('HEADERS').flatMap(({ headers }) => headers!.filter(([name]) => name === ':status'));
    expect(statuses.map(([, value]) => value)).toEqual(['103', '200']);
    expect(trial.call(1)).toMatchObject({ kind: 'http', httpStatus: 200, state: 'closed', responseBytes: 7 });
    expect(trial.rows.flatMap(faults)).toEqual([]);
  });
});

describe('GOAWAY', () => {
  it('with last stream 2^31 - 1, then 5, while 7 and 9 are open: 7 and 9 were not processed', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, ...[1, 3, 5, 7, 9].map((id) => headersFrame(id, grpcRequest('/a.B/C'), END)))
        .toClient(0.25, headersFrame(1, grpcResponse()), headersFrame(1, grpcTrailers(0), END))
        .toClient(0.3, goaway(2 ** 31 - 1))
        .toClient(0.4, goaway(5))
        .toClient(0.5, headersFrame(5, grpcResponse()), headersFrame(5, grpcTrailers(0), END))
        .file(),
    );
    expect(trial.rowsOf('GOAWAY').map(({ lastStream, errorCode }) => [lastStream, errorCode])).toEqual([
      [2 ** 31 - 1, 'NO_ERROR'],
      [5, 'NO_ERROR'],
    ]);
    expect(trial.calls.map(({ stream, state, unprocessed }) => [stream, state, unprocessed])).toEqual([
      [1, 'closed', false],
      [3, 'open', false],
      [5, 'closed', false],
      [7, 'open', true],
      [9, 'open', true],
    ]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
  });

  it('REFUSED_STREAM says the same of one stream', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C'), END))
        .toClient(0.3, rstStream(1, 7))
        .file(),
    );
    expect(trial.call(1)).toMatchObject({ state: 'reset', resetCode: 'REFUSED_STREAM', unprocessed: true });
  });
});

describe('an upgrade from HTTP/1.1', () => {
  const request = latin1(
    'GET /path?x=1 HTTP/1.1\r\nHost: example.test\r\nConnection: Upgrade, HTTP2-Settings\r\n' +
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  );
  const switching = latin1('HTTP/1.1 101\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'); // no reason phrase

  function upgrade(options: ConversationOptions): Trial {
    return new Trial(
      conversation(options)
        .toServer(0.1, request)
        .toClient(0.2, switching, settings(), headersFrame(1, literals([[':status', '200']])))
        .toServer(0.3, PREFACE, settings(), settingsAck())
        .toClient(0.4, settingsAck(), data(1, HELLO, END))
        .toServer(
          0.5,
          headersFrame(
            3,
            literals([
              [':method', 'GET'],
              [':path', '/2'],
            ]),
            END,
          ),
        )
        .file(),
    );
  }

  it.each([{}, { split: 1 }, { split: 11 }])('is stream 1, half-closed by the client (%o)', (options) => {
    const trial = upgrade(options);
    expect(trial.connections[0]).toMatchObject({ protocol: 'h2c-upgrade', joined: 'start' });
    expect(trial.rows.map(({ dir, type, stream }) => [dir, type, stream])).toEqual([
      ['toServer', 'HTTP1', 0],
      ['toClient', 'HTTP1', 0],
      ['toClient', 'SETTINGS', 0],
      ['toClient', 'HEADERS', 1],
      ['toServer', 'PREFACE', 0],
      ['toServer', 'SETTINGS', 0],
      ['toServer', 'SETTINGS', 0],
      ['toClient', 'SETTINGS', 0],
      ['toClient', 'DATA', 1],
      ['toServer', 'HEADERS', 3],
    ]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
    expect(trial.call(1)).toMatchObject({
      kind: 'http',
      method: 'GET /path?x=1',
      httpStatus: 200,
      state: 'closed',
      responseBytes: 7,
    });
  });

  it('DATA of the client on stream 1 is a fault: its half has ended', () => {
    const trial = new Trial(
      conversation()
        .toServer(0.1, request)
        .toClient(0.2, switching, settings())
        .toServer(0.3, PREFACE, settings(), data(1, HELLO))
        .file(),
    );
    expect(faults(trial.rowsOf('DATA')[0]!)).toEqual(['STREAM_CLOSED stream RFC 9113 §5.1']);
  });

  it('that the server does not take stays HTTP/1.1', () => {
    const answer = latin1('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    const trial = new Trial(conversation().toServer(0.1, request).toClient(0.2, answer).toServer(0.3, request).file());
    expect(trial.connections[0]?.protocol).toBe('http/1.1');
    expect(new Set(trial.rows.map(({ type }) => type))).toEqual(new Set(['HTTP1']));
  });
});

describe('how a connection begins', () => {
  const parts = [PREFACE, settings([[4, 65_536]]), headersFrame(1, grpcRequest('/a.B/C'), END)];

  it('preface, SETTINGS and HEADERS in one write or in many: the same', () => {
    const one = new Trial(
      conversation()
        .toServer(0.1, ...parts)
        .toClient(0.2, settings())
        .file(),
    );
    const talk = conversation();
    for (const part of parts) talk.toServer(0.1, part);
    const many = new Trial(talk.toClient(0.2, settings()).file());
    expect(many.essence).toEqual(one.essence);
    expect(one.rows.map(({ type }) => type)).toEqual(['PREFACE', 'SETTINGS', 'HEADERS', 'SETTINGS']);
    expect(many.connections[0]).toMatchObject({ protocol: 'h2', joined: 'start' });
  });

  const HELLO_RECORD = concat(hex('16 03 01 00 2a'), new Uint8Array(42).fill(1)); // handshake, 42 octets
  /** Like random ones, and the same in every run. */
  const NOISE = Uint8Array.from({ length: 200 }, (_, i) => (Math.imul(i + 1, 2_654_435_761) >>> 13) & 0xff);

  it.each([
    ['HTTP/1.1', 'http/1.1', latin1('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), latin1('HTTP/1.1 204 No Content\r\n\r\n')],
    ['TLS', 'tls', HELLO_RECORD, HELLO_RECORD],
    ['noise', 'opaque', NOISE, NOISE],
    ['a line of text', 'opaque', latin1('EHLO example.test\r\n'), latin1('250 example.test\r\n')],
    ['the beginning of a preface, then other octets', undefined, latin1('PRI * HTTP/3.0\r\n\r\nSM\r\n\r\n'), NOISE],
  ])('%s is not called HTTP/2, and is kept to its last octet', (_what, protocol, toServer, toClient) => {
    for (const split of [1, 9, 1000]) {
      const trial = new Trial(conversation({ split }).toServer(0.1, toServer).toClient(0.2, toClient).file());
      if (protocol !== undefined) expect(trial.connections[0]?.protocol).toBe(protocol);
      expect(trial.connections[0]?.protocol).not.toMatch(/^h2/);
      expect(trial.rows.filter(({ typeId }) => typeId !== null)).toEqual([]);
      for (const [dir, octets] of [['toServer', toServer] as const, ['toClient', toClient] as const]) {
        const rows = trial.rows.filter((row) => row.dir === dir);
        expect(concat(...rows.map(({ n }) => trial.session.frameOctets(n)))).toEqual(octets);
      }
    }
  });
});

describe('PUSH_PROMISE', () => {
  it.each([
    ['the promised stream', 2],
    ['the stream that it came on', 1],
  ])('whose headers enter the table, with %s reset at once: the table stays in step', (_what, reset) => {
    const promised = concat(literals([[':method', 'GET']]), incremental('x-push', 'p'));
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C'), END))
        .toServer(0.25, rstStream(1, CANCEL))
        .toClient(0.3, pushPromise(1, 2, promised))
        .toServer(0.35, rstStream(reset, CANCEL))
        .toClient(0.4, headersFrame(2, concat(literals([[':status', '200']]), incremental('x-later', 'q'))))
        .toServer(0.45, headersFrame(3, grpcRequest('/a.B/C'), END))
        .toClient(0.5, headersFrame(3, concat(literals([[':status', '200']]), indexed(62), indexed(63))))
        .file(),
    );
    expect(trial.rowsOf('PUSH_PROMISE')[0]).toMatchObject({ promised: 2, stream: 1 });
    expect(trial.rowsOf('PUSH_PROMISE')[0]?.headers?.at(-1)).toEqual(['x-push', 'p']);
    expect(trial.rowsOf('HEADERS').at(-1)?.headers).toEqual([
      [':status', '200'],
      ['x-later', 'q'],
      ['x-push', 'p'],
    ]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
  });
});

describe('a pad length that is not smaller than the payload', () => {
  const PADDED = 0x08;

  it.each([
    ['as long', hex('04 61 61 61')],
    ['longer', hex('ff 61 61 61')],
    ['and nothing but it', hex('01')],
  ])('(%s) is a fault of that frame, and the next frame is decoded', (_what, payload) => {
    const trial = new Trial(
      opened()
        .toServer(
          0.2,
          headersFrame(1, grpcRequest('/a.B/C')),
          frame(0, PADDED, 1, payload),
          data(1, grpcMessage(HELLO), { endStream: true, padding: 3 }),
        )
        .file(),
    );
    const [bad, good] = trial.rowsOf('DATA');
    expect(faults(bad!)).toEqual(['PROTOCOL_ERROR connection RFC 9113 §6.1']);
    expect(faults(good!)).toEqual([]);
    expect(good).toMatchObject({ dataLength: 12, padding: 3 });
    expect(trial.messages).toMatchObject([{ complete: true, wireLength: 7, frames: [good!.n] }]);
  });
});
