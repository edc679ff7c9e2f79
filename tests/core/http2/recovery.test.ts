/** Decoding goes on after faults and after octets that were never seen, without faults that follow from the first. */
import { describe, expect, it } from 'vitest';
import { Setting } from '../../../src/shared/names';
import { conversation } from '../../support/conversation';
import { Decoded } from '../../support/decoded';
import {
  concat,
  continuation,
  data,
  frame,
  goaway,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  headersFrame,
  hex,
  incremental,
  indexed,
  literals,
  PREFACE,
  ping,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';
import { client, exchange, faultsOf, REQUEST, RESPONSE, server, TRAILERS } from './rules';

const PADDED = 0x08;
const END_HEADERS = 0x04;
const END_STREAM = 0x01;
const MARK = incremental('x-mark', 'seen');
const FIRST_DYNAMIC = 62;

describe('the header table stays in step', () => {
  it.each([
    ['HEADERS on stream 0', client(headersFrame(0, MARK))],
    ['HEADERS after END_STREAM', client(headersFrame(1, MARK))],
    ['HEADERS of an even stream', client(headersFrame(2, MARK))],
    [
      'HEADERS longer than SETTINGS_MAX_FRAME_SIZE',
      client(headersFrame(3, concat(MARK, new Uint8Array(17_000).fill(0x82)))),
    ],
    ['a PUSH_PROMISE that a client must not send', client(frame(5, END_HEADERS, 1, concat(hex('00 00 00 02'), MARK)))],
    ['a PUSH_PROMISE of stream 0', client(frame(5, END_HEADERS, 1, concat(hex('00 00 00 00'), MARK)))],
  ])('over %s', (_what, faulty) => {
    const rows = exchange([
      client(headersFrame(1, REQUEST, { endStream: true })),
      faulty,
      client(headersFrame(9, concat(REQUEST, indexed(FIRST_DYNAMIC)))),
    ]);
    expect(rows[1]!.faults).not.toEqual([]);
    expect(rows[2]!.headers?.at(-1)).toEqual(['x-mark', 'seen']);
    expect(rows[2]!.faults).toEqual([]);
  });

  it('or is said to be unknown where a block could not be told from its padding', () => {
    const rows = exchange([
      client(headersFrame(1, concat(REQUEST, MARK))),
      client(frame(1, PADDED | END_HEADERS, 3, concat(hex('ff'), MARK))),
      client(headersFrame(5, concat(REQUEST, indexed(FIRST_DYNAMIC)))),
    ]);
    expect(rows[1]!.headers).toBeUndefined();
    expect(rows[2]!.headers?.at(-1)).toEqual(['unknown (dynamic 62)', null]);
    expect(rows[2]!.faults).toEqual([]);
  });
});

describe('END_STREAM counts', () => {
  it.each([
    ['on HEADERS whose padding does not fit', [client(frame(1, PADDED | END_HEADERS | END_STREAM, 1, hex('ff')))]],
    ['on HEADERS whose block is damaged', [client(headersFrame(1, hex('80'), { endStream: true }))]],
    [
      'on HEADERS whose padding does not fit, with the CONTINUATION',
      [client(frame(1, PADDED | END_STREAM, 1, hex('ff'))), client(continuation(1, TRAILERS))],
    ],
    [
      'on DATA whose padding does not fit',
      [client(headersFrame(1, REQUEST)), client(frame(0, PADDED | END_STREAM, 1, hex('ff')))],
    ],
  ])('%s', (_what, steps) => {
    const rows = exchange([...steps, client(data(1, hex('00')))]);
    expect(faultsOf(rows[steps.length]!)).toEqual(['STREAM_CLOSED stream §5.1']);
  });
});

describe('the first frame of a side', () => {
  it.each([
    ['a PING', ping()],
    ['an acknowledgement', settingsAck()],
  ])('%s instead of SETTINGS is a fault', (_what, first) => {
    const file = conversation().toServer(0.1, PREFACE, first, settings()).toClient(0.2, settings()).file();
    expect(Decoded.of(file).frames.map(faultsOf)).toEqual([['PROTOCOL_ERROR connection §3.4'], [], []]);
  });
});

describe('octets that were never seen', () => {
  const start = () =>
    conversation()
      .toServer(0.1, PREFACE, settings())
      .toClient(0.2, settings(), settingsAck())
      .toServer(0.3, settingsAck(), headersFrame(1, concat(grpcRequest('/a/B'), MARK)));

  it('may have opened streams, changed the header table and the settings', () => {
    const file = start()
      .gap('toServer', 100)
      .toServer(
        0.4,
        continuation(3, TRAILERS), // of HEADERS in the gap
        data(3, hex('00')),
        windowUpdate(3, 1),
        data(5, hex('00'), { endStream: true }),
        headersFrame(7, concat(REQUEST, indexed(FIRST_DYNAMIC))),
      )
      // A hole is believed in when later segments have come and it has not been filled.
      .toServer(0.41, ping())
      .toServer(0.42, ping())
      .toServer(0.43, ping())
      .toClient(0.5, headersFrame(3, RESPONSE), data(5, new Uint8Array(20_000)), headersFrame(7, RESPONSE))
      .file();
    const { frames, rows } = Decoded.of(file);
    expect(rows.filter(({ type }) => type === 'GAP')).toHaveLength(1);
    expect(frames.flatMap(faultsOf)).toEqual([]);
    expect(frames.find(({ stream, dir }) => stream === 7 && dir === 'toServer')?.headers?.at(-1)).toEqual([
      'unknown (dynamic 62)',
      null,
    ]);
  });

  it('may have been messages: the next that begins a frame is supposed to be one, and said so', () => {
    const message = grpcMessage(hex('0a 01 61'));
    const file = start()
      .toServer(0.35, data(1, message), data(1, message.subarray(0, 6)))
      .gap('toServer', 50)
      .toServer(0.4, data(1, hex('ff ff ff ff ff ff')), data(1, concat(message, message), { endStream: true }))
      .file();
    const { messages } = Decoded.of(file);
    expect(messages.map(({ index, seen, complete, assumed }) => [index, seen, complete, assumed])).toEqual([
      [0, 3, true, false],
      [1, 1, false, false],
      [2, 3, true, true],
      [3, 3, true, true],
    ]);
  });

  it('inside one message only cost that message', () => {
    const message = grpcMessage(new Uint8Array(40));
    const whole = data(1, concat(message, message), { endStream: true });
    const file = start()
      .toServer(0.35, whole.subarray(0, 20))
      .gap('toServer', 10)
      .toServer(0.4, whole.subarray(30))
      .file();
    const { messages, call } = { messages: Decoded.of(file).messages, call: Decoded.of(file).call(1) };
    expect(messages.map(({ seen, length, complete }) => [seen, length, complete])).toEqual([
      [30, 40, false],
      [40, 40, true],
    ]);
    expect(call.bytes[0]).toBe(90);
  });
});

describe('a frame that is cut at the end of the connection', () => {
  it('ends no stream', () => {
    const answer = data(1, grpcMessage(hex('0a 01 61')), { endStream: true });
    const file = conversation()
      .toServer(0.1, PREFACE, settings(), headersFrame(1, grpcRequest('/a/B'), { endStream: true }))
      .toClient(0.2, settings(), headersFrame(1, grpcResponse()), answer.subarray(0, 13))
      .reset(0.3, 'toClient')
      .file();
    const decoded = Decoded.of(file);
    expect(decoded.frames.at(-1)).toMatchObject({ type: 'DATA', complete: false, faults: [] });
    expect(decoded.call(1).state).toBe('open');
    expect(decoded.messages).toMatchObject([{ dir: 'toClient', seen: 0, complete: false }]);
  });
});

describe('bounds', () => {
  it('of the faults of one SETTINGS frame', () => {
    const pairs = Array.from({ length: 2000 }, (): [number, number] => [Setting.ENABLE_PUSH, 7]);
    const [row] = exchange([client(settings(pairs))]);
    expect(row!.faults).toHaveLength(16);
  });

  it('of the closed streams that are remembered: later frames are still known to be late', () => {
    const ids = Array.from({ length: 3000 }, (_, i) => 2 * i + 1);
    const steps = ids.flatMap((id) => [
      client(headersFrame(id, REQUEST, { endStream: true })),
      server(headersFrame(id, RESPONSE, { endStream: true })),
    ]);
    const rows = exchange([
      ...steps,
      client(data(1, hex('00'))),
      server(data(1, hex('00'))),
      client(data(9001, hex('00'))),
    ]);
    expect(rows.slice(0, steps.length).flatMap(faultsOf)).toEqual([]);
    expect(rows.slice(steps.length, -2).map(faultsOf)).toEqual([
      ['STREAM_CLOSED stream §5.1'],
      ['STREAM_CLOSED stream §5.1'],
      ['PROTOCOL_ERROR connection §5.1'],
    ]);
  });

  it('of a block: what is longer than 16 MiB is left undecoded and said so', () => {
    const fragment = new Uint8Array(16_384).fill(0x82);
    const steps = [client(headersFrame(1, fragment, { endHeaders: false }))];
    for (let i = 0; i < 1024; i++) steps.push(client(continuation(1, fragment, { endHeaders: false })));
    steps.push(client(continuation(1, TRAILERS)), client(headersFrame(3, literals([['x-a', '1']]))));
    const rows = exchange(steps);
    expect(rows.flatMap(faultsOf)).toEqual(['ENHANCE_YOUR_CALM connection §10.5.1']);
    expect(rows.at(-3)?.headers).toEqual([['x-a', '1']]);
  });
});

describe('GOAWAY', () => {
  it('speaks of the streams that open after it, too', () => {
    const file = conversation()
      .toServer(0.1, PREFACE, settings(), headersFrame(1, REQUEST), headersFrame(3, REQUEST))
      .toClient(0.2, settings(), goaway(1))
      .toServer(0.3, headersFrame(5, REQUEST))
      .toClient(0.4, headersFrame(1, RESPONSE, { endStream: true }))
      .file();
    const { calls } = Decoded.of(file);
    expect(calls.map(({ stream, unprocessed }) => [stream, unprocessed])).toEqual([
      [1, false],
      [3, true],
      [5, true],
    ]);
  });
});
