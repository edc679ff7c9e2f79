import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import type { Fault } from '../../../src/shared/records';
import { type Conversation, conversation } from '../../support/conversation';
import {
  data,
  grpcRequest,
  headersFrame,
  PREFACE,
  rstStream,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';
import { concat } from '../../support/octets';

const MAX = 2 ** 31 - 1;
const INITIAL_WINDOW_SIZE = 4;
const REQUEST = headersFrame(1, grpcRequest('/a.B/C'));
const octets = (count: number) => new Uint8Array(count);
/** What `opened` sends the client. */
const OPENED = concat(settings(), settingsAck()).length;

/** Frame types and faults of what the conversation leaves, in order. */
function faults(talk: Conversation): { row: number; fault: Fault }[] {
  const capture = new Capture();
  capture.push(talk.file());
  capture.end();
  return [...capture.frames.faults].flatMap(([row, list]) => list.map((fault) => ({ row, fault })));
}

const messages = (talk: Conversation) => faults(talk).map(({ fault }) => `${fault.scope}: ${fault.message}`);

/** Both sides have said and acknowledged what they start with; the client has opened stream 1. */
function opened(server: [number, number][] = [], options = {}): Conversation {
  return conversation(options)
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(server), settingsAck())
    .toServer(0.003, settingsAck(), REQUEST);
}

/** `count` octets in frames of 16,384 at most, each in a chunk of its own, from `time` on. */
function send(talk: Conversation, time: number, count: number, stream = 1): Conversation {
  for (let sent = 0; sent < count; sent += 16_384) {
    talk.toServer(time + sent / 1e8, data(stream, octets(Math.min(16_384, count - sent))));
  }
  return talk;
}

describe('DATA beyond the credit', () => {
  it('is none as long as the window is used to its last octet', () => {
    expect(messages(send(opened(), 0.01, 65_535))).toEqual([]);
  });

  it('is a fault of the stream and of the connection, by the octet', () => {
    const talk = send(opened(), 0.01, 65_535).toServer(0.1, data(1, octets(1)));
    expect(faults(talk).map(({ fault }) => fault)).toEqual([
      {
        code: 'FLOW_CONTROL_ERROR',
        scope: 'connection',
        clause: 'RFC 9113 §6.9.1',
        message: "1 octets of DATA, the connection's window had 0",
      },
      {
        code: 'FLOW_CONTROL_ERROR',
        scope: 'stream',
        clause: 'RFC 9113 §6.9.1',
        message: "1 octets of DATA, the stream's window had 0",
      },
    ]);
  });

  it('counts padding and its length octet', () => {
    // 65,000 + 1 + 534 = 65,535; one octet of padding more is too many.
    const talk = (padding: number) => send(opened(), 0.01, 49_152).toServer(0.1, data(1, octets(15_848), { padding }));
    expect(messages(talk(534))).toEqual([]);
    expect(messages(talk(535))).toHaveLength(2);
  });

  it('is none while a lower SETTINGS_INITIAL_WINDOW_SIZE is not acknowledged, and is one from then on', () => {
    // 20,000 sent; the server lowers to 10,000: the window is -10,000 once the client has said that it knows.
    const before = send(opened(), 0.01, 20_000)
      .toClient(0.02, settings([[INITIAL_WINDOW_SIZE, 10_000]]))
      .toServer(0.03, data(1, octets(100)));
    expect(messages(before)).toEqual([]);
    before.toServer(0.04, settingsAck()).toServer(0.05, data(1, octets(100)));
    expect(messages(before)).toEqual(["stream: 100 octets of DATA, the stream's window had -10100"]);
  });

  it('counts a raised initial window at once, and credit for the stream or the connection alone', () => {
    const raised = opened().toClient(0.005, settings([[INITIAL_WINDOW_SIZE, 100_000]]));
    expect(messages(send(raised, 0.01, 65_536))).toEqual([
      "connection: 16384 octets of DATA, the connection's window had 16383",
    ]);
    const granted = opened().toClient(0.005, windowUpdate(0, 1));
    expect(messages(send(granted, 0.01, 65_536))).toEqual([
      "stream: 16384 octets of DATA, the stream's window had 16383",
    ]);
  });

  it('goes on counting for the connection after a reset', () => {
    const talk = opened([[INITIAL_WINDOW_SIZE, 16_384]]).toClient(0.005, rstStream(1, 8));
    expect(messages(send(talk, 0.01, 65_536))).toEqual([
      "stream: 16384 octets of DATA, the stream's window had 0",
      "stream: 16384 octets of DATA, the stream's window had -16384",
      "connection: 16384 octets of DATA, the connection's window had 16383",
      "stream: 16384 octets of DATA, the stream's window had -32768",
    ]);
  });

  it('is not told while octets of the receiver are missing that its peer has: credit may be among them', () => {
    // 65,535 sent; 100,000 are granted in a segment that the capture lacks, and 20,000 sent, by who acknowledges it.
    const credit = concat(windowUpdate(0, 100_000), windowUpdate(1, 100_000));
    const lost = send(opened([], { penstock: false }), 0.01, 65_535)
      .gap('toClient', credit.length)
      .ack(0.02, 'toClient');
    expect(messages(send(lost, 0.03, 20_000))).toEqual([]);
    // It comes late: 165,535 in all, of which 85,535 are spent.
    const late = send(opened([], { penstock: false }), 0.01, 65_535);
    late.gap('toClient', credit.length).ack(0.02, 'toClient');
    send(late, 0.03, 20_000).segmentAt(0.04, 'toClient', OPENED, credit);
    expect(messages(send(late, 0.05, 80_001))).toHaveLength(2);
  });

  it('is never told of a connection that was joined in the middle', () => {
    expect(messages(send(conversation({ handshake: false }), 0.01, 200_000))).toEqual([]);
  });
});

describe('credit beyond 2^31-1', () => {
  it('is a fault of the stream or of the connection by the octet', () => {
    // 65,535 + (2^31-1 - 65,535) is the most that there may be.
    const most = MAX - 65_535;
    expect(messages(opened().toClient(0.01, windowUpdate(0, most), windowUpdate(1, most)))).toEqual([]);
    const talk = opened().toClient(0.01, windowUpdate(0, most + 1), windowUpdate(1, most + 1));
    expect(messages(talk)).toEqual([
      "connection: the connection's window becomes 2147483648, above 2^31-1",
      "stream: the stream's window becomes 2147483648, above 2^31-1",
    ]);
  });

  it('is not told while DATA is missing that its receiver has: the credit may be for that', () => {
    const most = MAX - 65_535;
    const talk = opened([], { penstock: false })
      .toClient(0.01, windowUpdate(0, most), windowUpdate(1, most))
      .gap('toServer', 9 + 1000)
      .ack(0.02, 'toServer')
      .toClient(0.03, windowUpdate(0, 1000), windowUpdate(1, 1000))
      .toServer(0.04, data(1, octets(1)));
    expect(messages(talk)).toEqual([]);
  });

  it('is one of SETTINGS that raise a window that was granted more', () => {
    const talk = (size: number) =>
      opened()
        .toClient(0.01, windowUpdate(1, MAX - 65_535))
        .toClient(0.02, settings([[INITIAL_WINDOW_SIZE, size]]));
    expect(messages(talk(65_535))).toEqual([]);
    expect(messages(talk(65_536))).toEqual([
      'connection: INITIAL_WINDOW_SIZE takes the window of stream 1 to 2147483648, above 2^31-1',
    ]);
  });
});
