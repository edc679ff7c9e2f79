/** A health check of grpc-go through a tap, and what each octet of it is counted as. */
import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { type AccountScope, accountOf, accountsOf } from '../../../src/core/flow/account';
import { type Conversation, captureFile, conversation } from '../../support/conversation';
import {
  concat,
  data,
  frame,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  PREFACE,
  ping,
  priority,
  rstStream,
  settings,
  settingsAck,
  splitHeaders,
  windowUpdate,
} from '../../support/encode';

const BDP = hex('02041010090e0707');
const REQUEST = grpcRequest('/grpc.health.v1.Health/Check');
const RESPONSE = grpcResponse();
const TRAILERS = grpcTrailers(0);
/** 9 octets of frame header, 5 of prefix. */
const question = (stream: number) => data(stream, grpcMessage(hex('0a0464656d6f')), { endStream: true }); // 9 + 5 + 6
const answer = (stream: number) => data(stream, grpcMessage(hex('0801'))); // 9 + 5 + 2

/** Chunks: 2 and 2 for the settings, then 1 for the request, 3 for what the server sends, 1 for the acknowledgement. */
function check(options = {}): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings([[4, 65_535]])) // 24, 9 + 6
    .toClient(0.002, settings(), settingsAck()) // 9, 9
    .toServer(0.003, settingsAck()) // 9
    .toServer(0.004, headersFrame(1, REQUEST), question(1))
    .toClient(0.02, windowUpdate(0, 11), ping(BDP)) // 13, 17
    .toServer(0.031, ping(BDP, { ack: true })) // 17
    .toClient(0.04, headersFrame(1, RESPONSE), answer(1))
    .toClient(0.041, headersFrame(1, TRAILERS, { endStream: true }));
}

function read(file: Uint8Array): Capture {
  const capture = new Capture();
  capture.push(file);
  capture.end();
  return capture;
}

const account = (file: Uint8Array, scope?: AccountScope) => accountOf(read(file), scope);

describe('the account of a call', () => {
  it('counts frames, octets and chunks of each direction, in all and by type', () => {
    const { toServer, toClient, ...whole } = account(check().file());
    expect(whole).toEqual({ conn: null, stream: null, from: 0.001, to: 0.041, connections: 1, calls: 1 });
    const request = 9 + REQUEST.length;
    expect(toServer).toMatchObject({
      frames: 5,
      bytes: 24 + 15 + 9 + request + 20 + 17,
      chunks: 4,
      types: {
        PREFACE: { frames: 1, bytes: 24, chunks: 1 },
        SETTINGS: { frames: 2, bytes: 15 + 9, chunks: 2 },
        HEADERS: { frames: 1, bytes: request, chunks: 1 },
        DATA: { frames: 1, bytes: 20, chunks: 1 },
        PING: { frames: 1, bytes: 17, chunks: 1 },
      },
    });
    expect(toClient).toMatchObject({
      frames: 7,
      bytes: 9 + 9 + 13 + 17 + (9 + RESPONSE.length) + 16 + (9 + TRAILERS.length),
      chunks: 4,
      types: {
        SETTINGS: { frames: 2, bytes: 18, chunks: 1 },
        WINDOW_UPDATE: { frames: 1, bytes: 13, chunks: 1 },
        PING: { frames: 1, bytes: 17, chunks: 1 },
        HEADERS: { frames: 2, chunks: 2 },
        DATA: { frames: 1, bytes: 16, chunks: 1 },
      },
    });
  });

  it('sets what the application asked for beside what the protocol added', () => {
    const { toServer, toClient } = account(check().file());
    // 5 octets of prefix count as the message's; the preface is no frame.
    expect(toServer).toMatchObject({ messages: 1, messageBytes: 11, controlFrames: 3, controlBytes: 15 + 9 + 17 });
    expect(toClient).toMatchObject({ messages: 1, messageBytes: 7, controlFrames: 4, controlBytes: 18 + 13 + 17 });
    expect(toServer).toMatchObject({ pings: 0, pingAcks: 1, pingsPerCall: 0, controlFramesPerCall: 3 });
    expect(toClient).toMatchObject({ pings: 1, pingAcks: 0, pingsPerCall: 1, chunksPerCall: 4, framesPerCall: 7 });
  });

  it('tells header octets before and after HPACK', () => {
    const { toClient } = account(check().file());
    // Names and values: ":status" "200", "content-type" "application/grpc", and "grpc-status" "0".
    const plain = 7 + 3 + (12 + 16) + (11 + 1);
    expect(toClient).toMatchObject({ headerBlocks: 2, headerBlocksUnread: 0, headerBytesPlain: plain });
    expect(toClient.headerBytes).toBe(RESPONSE.length + TRAILERS.length);
  });

  it('counts a block over CONTINUATION once, and leaves out what is no part of it', () => {
    const file = conversation()
      .toServer(0.001, PREFACE, settings())
      .toServer(0.002, ...splitHeaders(1, REQUEST, 20, { priority: { dependency: 0, weight: 16 } }))
      .file();
    const { toServer } = account(file);
    expect(toServer).toMatchObject({ headerBlocks: 1, headerBytes: REQUEST.length });
    expect(toServer.types.CONTINUATION?.frames).toBe(Math.ceil(REQUEST.length / 20) - 1);
  });

  it('does not take a block that could not be decoded for an empty one', () => {
    const file = conversation()
      .toServer(0.001, PREFACE, settings())
      .toServer(0.002, headersFrame(1, hex('ff80'))) // an index without its end (RFC 7541 §5.1)
      .file();
    expect(account(file).toServer).toMatchObject({ headerBlocks: 1, headerBlocksUnread: 1, headerBytesPlain: 0 });
  });

  it('is of one stream when asked, with the chunks that the stream has a part in', () => {
    const file = check().file();
    const { toServer, toClient, calls } = account(file, { conn: 1, stream: 1 });
    expect(calls).toBe(1);
    expect(toServer).toMatchObject({ frames: 2, chunks: 1, controlFrames: 0, messages: 1 });
    expect(toClient).toMatchObject({ frames: 3, chunks: 2, controlFrames: 0, messages: 1 });
    const ofConnection = account(file, { conn: 1, stream: 0 });
    expect(ofConnection.calls).toBe(0);
    expect(ofConnection.toClient).toMatchObject({ frames: 4, pings: 1, messages: 0, pingsPerCall: null });
  });
});

describe('the account of a time', () => {
  it('takes rows from its beginning on and before its end, so that parts make up the whole', () => {
    const capture = read(check().file());
    const whole = accountOf(capture);
    const parts = [
      accountOf(capture, { to: 0.02e9 }),
      accountOf(capture, { from: 0.02e9, to: 0.04e9 }),
      accountOf(capture, { from: 0.04e9 }),
    ];
    for (const key of ['frames', 'bytes', 'chunks', 'messages', 'messageBytes', 'headerBytes', 'pings'] as const) {
      for (const dir of ['toServer', 'toClient'] as const) {
        expect(parts.reduce((sum, part) => sum + part[dir][key], 0)).toBe(whole[dir][key]);
      }
    }
    expect(parts[1]!.toClient).toMatchObject({ frames: 2, chunks: 1, pings: 1 });
    expect(parts[1]).toMatchObject({ from: 0.02, to: 0.031 });
  });

  it('counts calls with part in it, the one begun before it too, and none that was over or is to come', () => {
    const capture = read(check().file());
    expect(accountOf(capture, { to: 0.004e9 }).calls).toBe(0);
    expect(accountOf(capture, { from: 0.02e9, to: 0.03e9 }).calls).toBe(1);
    expect(accountOf(capture, { from: 0.042e9 })).toMatchObject({ calls: 0, connections: 0, from: 0, to: 0 });
  });
});

describe('chunks', () => {
  it('tell how many calls share them', () => {
    const file = opening()
      .toServer(0.01, ...[1, 3, 5].flatMap((stream) => [headersFrame(stream, REQUEST), question(stream)]))
      .toServer(0.02, headersFrame(7, REQUEST), question(7))
      .toServer(0.03, ping(BDP), priority(9, { dependency: 0, weight: 1 })) // no call
      .file();
    // Three calls in one chunk, one in another: 2 in the mean.
    expect(account(file).toServer).toMatchObject({
      chunks: 4,
      callChunks: 2,
      sharedChunks: 1,
      mostCallsInChunk: 3,
      callsPerChunk: 2,
    });
  });

  it('count each once for a call that comes again and again in it', () => {
    const piece = (stream: number) => data(stream, new Uint8Array(10));
    const file = opening()
      .toServer(0.01, headersFrame(1, REQUEST), headersFrame(3, REQUEST))
      .toServer(0.02, piece(1), piece(3), piece(1), windowUpdate(1, 5), piece(3), piece(1))
      .file();
    expect(account(file).toServer).toMatchObject({ callChunks: 2, sharedChunks: 2, mostCallsInChunk: 2 });
  });

  it('of other connections, and of the other side, that a long frame lasts over are not its own', () => {
    const long = conversation({ client: '127.0.0.1:40001', split: 1000 })
      .toServer(0.001, PREFACE, settings(), headersFrame(1, REQUEST))
      .toClient(0.002, settings())
      .toServer(0.01, data(1, new Uint8Array(5000)));
    const other = conversation({ client: '127.0.0.1:40002', handshake: 0.0005 }).toServer(0.01, PREFACE, settings());
    const { connections, whole } = accountsOf(read(captureFile([long, other])), 1, 10);
    // 5,009 octets in pieces of 1,000.
    expect(connections[0]!.toServer.types.DATA).toEqual({ frames: 1, bytes: 5009, chunks: 6 });
    expect(connections[1]!.toServer.chunks).toBe(1);
    expect(whole.toServer.chunks).toBe(1 + 6 + 1);
  });
});

describe('an answer that is written at once or in three parts', () => {
  it.each([1, 3])('has three frames either way, and %d of chunks', (chunks) => {
    const talk = conversation().toServer(0.001, PREFACE, settings(), headersFrame(1, REQUEST), question(1));
    const parts = [headersFrame(1, RESPONSE), answer(1), headersFrame(1, TRAILERS, { endStream: true })];
    if (chunks === 1) talk.toClient(0.02, ...parts);
    else for (const [i, part] of parts.entries()) talk.toClient(0.02 + i / 1000, part);
    const { toClient } = account(talk.file(), { conn: 1, stream: 1 });
    expect(toClient).toMatchObject({ frames: 3, chunks, framesPerCall: 3, chunksPerCall: chunks, callsPerChunk: 1 });
  });
});

describe('accounts of connections', () => {
  it('are the whole together, whichever of them are asked for', () => {
    const talks = [1, 2, 3].map((n) => check({ client: `127.0.0.1:4000${n}`, handshake: n / 1e4 }));
    const capture = read(captureFile(talks));
    const { whole, connections } = accountsOf(capture, 1, 100);
    expect(connections.map(({ conn }) => conn)).toEqual([1, 2, 3]);
    expect(whole).toEqual(accountOf(capture));
    expect(whole.connections).toBe(3);
    for (const one of connections) expect(one).toEqual(accountOf(capture, { conn: one.conn! }));
    expect(whole.toClient.bytes).toBe(3 * connections[0]!.toClient.bytes);
    expect(accountsOf(capture, 3, 100).connections).toEqual([connections[2]]);
    expect(accountsOf(capture, 4, 100).connections).toEqual([]);
  });
});

describe('what a peer does wrong', () => {
  it('is counted as it is: unknown types, frames on streams never opened, frames that are cut', () => {
    const cut = data(1, new Uint8Array(100)).subarray(0, 50);
    const file = conversation()
      .toServer(0.001, PREFACE, settings(), headersFrame(1, REQUEST))
      .toServer(0.002, frame(0xfa, 0, 0, hex('010203')), rstStream(99, 8))
      .toServer(0.003, cut)
      .file();
    const { toServer } = account(file);
    expect(toServer.types.UNKNOWN).toEqual({ frames: 1, bytes: 12, chunks: 1 });
    expect(toServer.types.DATA).toEqual({ frames: 1, bytes: 50, chunks: 1 });
    expect(toServer.bytes).toBe(24 + 9 + 9 + REQUEST.length + 12 + 13 + 50);
  });

  it('does not count octets that were never seen', () => {
    const file = conversation()
      .toServer(0.001, PREFACE, settings())
      .gap('toServer', 1000)
      .toServer(0.002, concat(ping(BDP)))
      .file();
    const { toServer } = account(file);
    expect(toServer.types.GAP?.bytes).toBe(1000);
    expect(toServer.bytes).toBeLessThanOrEqual(24 + 9 + 17);
  });
});

function opening(): Conversation {
  return conversation().toServer(0.001, PREFACE, settings()).toClient(0.002, settings(), settingsAck());
}
