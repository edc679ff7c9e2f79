import { describe, expect, it, vi } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { Flag, FrameType } from '../../../src/shared/names';
import { captureFile, conversation } from '../../support/conversation';
import {
  concat,
  continuation,
  data,
  frame,
  goaway,
  grpcMessage,
  headersFrame,
  incremental,
  indexed,
  integer,
  latin1,
  literal,
  PREFACE,
  ping,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  sizeUpdate,
  stringLiteral,
  uint16,
  uint32,
  windowUpdate,
} from '../../support/encode';
import { type Event, feed } from './feed';
import { octetsHeld } from './held';

// Nothing here measures time; a machine under load must not fail it.
vi.setConfig({ testTimeout: 180_000 });

/** Octets of hostile input, about. */
const INPUT = 1 << 18;
/** What decoding may keep for each octet of input, and besides. */
const FACTOR = 64;
const BASE = 4 << 20;

const START: Event[] = [
  { side: 0, octets: concat(PREFACE, settings(), settingsAck()) },
  { side: 1, octets: concat(settings(), settingsAck()) },
];

/** `make(0)`, `make(1)` … until there are `length` octets of them. */
function many(make: (i: number) => Uint8Array, length = INPUT): Uint8Array {
  const whole = new Uint8Array(length + 65_536);
  let end = 0;
  for (let i = 0; end < length; i++) {
    const part = make(i);
    whole.set(part, end);
    end += part.length;
  }
  return whole.slice(0, end);
}

const odd = (i: number): number => 2 * i + 1;
const request = concat(indexed(3), indexed(6), indexed(4));
const opened = headersFrame(1, concat(request, literal('content-type', 'application/grpc')));

/** A block in HEADERS and CONTINUATION of at most 16,384 octets. */
function longBlock(octets: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += 16384) {
    const endHeaders = at + 16384 >= octets.length;
    const fragment = octets.slice(at, at + 16384);
    parts.push(at === 0 ? headersFrame(1, fragment, { endHeaders }) : continuation(1, fragment, { endHeaders }));
  }
  return concat(...parts);
}

const HOSTILE: [name: string, octets: () => Uint8Array][] = [
  ['empty frames of an unknown type', () => many(() => frame(0xfa, 0, 0))],
  ['frames with a fault each', () => many(() => frame(FrameType.PING, 0, 0))],
  ['pings that nobody answers', () => many((i) => ping(concat(uint32(i), uint32(i))))],
  ['settings that nobody acknowledges', () => many((i) => settings([[4, i]]))],
  [
    'one SETTINGS full of faults',
    () =>
      frame(
        FrameType.SETTINGS,
        0,
        0,
        many(() => concat(uint16(2), uint32(9))),
      ),
  ],
  ['streams opened and left open', () => many((i) => headersFrame(odd(i), request))],
  ['streams opened and reset at once', () => many((i) => concat(headersFrame(odd(i), request), rstStream(odd(i), 8)))],
  [
    'promised streams',
    () =>
      concat(
        opened,
        many((i) => pushPromise(1, 2 * i + 2, request)),
      ),
  ],
  ['window updates of idle streams', () => many((i) => windowUpdate(odd(i), 1))],
  ['DATA on idle streams', () => many((i) => data(odd(i), Uint8Array.of(0)))],
  [
    'goodbyes while streams are open, each lower than the one before',
    () =>
      concat(
        many((i) => headersFrame(odd(i), request), INPUT / 2),
        many((i) => goaway(100_000 - i), INPUT / 2),
      ),
  ],
  [
    'CONTINUATION without octets and without end',
    () =>
      concat(
        headersFrame(1, request, { endHeaders: false }),
        many(() => continuation(1, new Uint8Array(0), { endHeaders: false })),
      ),
  ],
  [
    'CONTINUATION of an octet each, without end',
    () =>
      concat(
        headersFrame(1, request, { endHeaders: false }),
        many(() => continuation(1, indexed(2), { endHeaders: false })),
      ),
  ],
  ['header lists of static fields', () => longBlock(many(() => indexed(2)))],
  [
    'a long name in the dynamic table, used with a new value each time',
    () =>
      longBlock(
        concat(
          incremental('n'.repeat(4000), ''),
          many((i) => concat(integer(62, 4), stringLiteral(uint16(i)))),
        ),
      ),
  ],
  [
    'a table grown to a mebibyte by a size update, and a name as long',
    () =>
      longBlock(
        concat(
          sizeUpdate(1 << 20),
          incremental('n'.repeat(500_000), ''),
          many((i) => concat(integer(62, 4), stringLiteral(uint16(i))), INPUT / 2),
        ),
      ),
  ],
  [
    'a long field, indexed again and again',
    () =>
      longBlock(
        concat(
          incremental('n', 'v'.repeat(4000)),
          many(() => indexed(62)),
        ),
      ),
  ],
  ['indexes that no table has', () => longBlock(many((i) => indexed(62 + i)))],
  ['names that no table has', () => longBlock(many((i) => concat(integer(100 + i, 4), stringLiteral(uint16(i)))))],
  [
    'each block with another fault',
    () => many((i) => headersFrame(odd(i), concat(integer(70 + (i % 5000), 7, 0x80), integer(5000, 5, 0x20)))),
  ],
  [
    'messages without content',
    () =>
      concat(
        opened,
        many(() =>
          data(
            1,
            many(() => grpcMessage(new Uint8Array(0)), 16_000),
          ),
        ),
      ),
  ],
  [
    'messages with a fault each',
    () =>
      concat(
        opened,
        many(() =>
          data(
            1,
            many(() => grpcMessage(new Uint8Array(0), 2), 16_000),
          ),
        ),
      ),
  ],
  [
    'one frame of messages with a fault each',
    () =>
      concat(
        opened,
        data(
          1,
          many(() => grpcMessage(new Uint8Array(0), 7)),
        ),
      ),
  ],
];

const OTHER: [name: string, octets: () => Uint8Array][] = [
  ['HTTP/1.1 requests', () => many(() => latin1('GET / HTTP/1.1\r\n\r\n'))],
  [
    'HTTP/1.1 requests with methods of their own',
    () =>
      concat(
        latin1('GET / HTTP/1.1\r\n\r\n'),
        many((i) => latin1(`${'M'.repeat(40)}${i} / HTTP/1.1\r\n\r\n`)),
      ),
  ],
  [
    'an HTTP/1.1 head without end',
    () =>
      concat(
        latin1('GET / HTTP/1.1\r\n'),
        many((i) => latin1(`a: ${i}\r\n`)),
      ),
  ],
  [
    'a chunk size without end',
    () =>
      concat(
        latin1('POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n'),
        many(() => latin1('0')),
      ),
  ],
  ['TLS records of an octet', () => many(() => Uint8Array.of(23, 3, 3, 0, 1, 0))],
];

/** Hands a whole file on in pieces, as a session does. */
function read(file: Uint8Array): Capture {
  const capture = new Capture();
  for (let at = 0; at < file.length; at += 1 << 16) capture.push(file.slice(at, at + (1 << 16)));
  capture.end();
  return capture;
}

describe('what is kept of hostile input is in proportion to it', () => {
  it.each(HOSTILE)('%s', (_name, octets) => {
    const sent = octets();
    for (const side of [0, 1] as const) {
      const capture = feed([...START, { side, octets: sent }], { client: 0, sizes: [16_384] });
      expect(capture.frames.count).toBeGreaterThan(4);
      expect(octetsHeld(capture)).toBeLessThan(BASE + FACTOR * sent.length);
    }
  });

  it.each(OTHER)('%s', (_name, octets) => {
    const sent = octets();
    const capture = feed([{ side: 0, octets: sent }], { client: 0, sizes: [16_384] });
    expect(octetsHeld(capture)).toBeLessThan(BASE + FACTOR * sent.length);
  });

  it('connections of a preface or a few octets each', () => {
    const connections = Array.from({ length: 3000 }, (_, i) => {
      const client = `10.0.${i >> 8}.${i & 255}:4000`;
      const octets = [PREFACE, concat(PREFACE, settings(), opened), latin1('GET / HTTP/1.1\r\n\r\n'), Uint8Array.of(7)];
      return conversation({ client, penstock: false, handshake: false }).toServer(0.001, octets[i % 4]!);
    });
    const file = captureFile(connections, { penstock: false });
    const capture = read(file);
    expect(capture.connections).toHaveLength(3000);
    expect(octetsHeld(capture)).toBeLessThan(BASE + FACTOR * file.length);
  });

  it('octets that wait for a hole to be filled', () => {
    const to = conversation({ penstock: false }).toServer(0.001, PREFACE);
    for (let i = 0; i < 10_000; i++) to.segmentAt(0.002, 'toServer', 100 + 2 * i, Uint8Array.of(i & 255));
    const file = to.file();
    const capture = new Capture();
    capture.push(file);
    expect(octetsHeld(capture)).toBeLessThan(BASE + FACTOR * file.length);
  });
});

describe('a frame that claims 16 MiB', () => {
  const claim = (type: number) => frame(type, Flag.END_HEADERS, 1, Uint8Array.of(0), { length: 0xffffff });

  it.each(Object.entries(FrameType))('%s: costs nothing before its octets come', (_name, type) => {
    const held = (octets: Uint8Array[]) =>
      octetsHeld(feed([...START, ...octets.map((each): Event => ({ side: 0, octets: each }))], { client: 0 }));
    expect(held([claim(type)])).toBeLessThan(held([]) + 32 * 1024);
  });

  it('costs as much as comes of it', () => {
    const sent = concat(claim(FrameType.HEADERS), new Uint8Array(1 << 20));
    const capture = new Capture();
    capture.push(conversation().toServer(0.001, PREFACE, settings(), sent).file());
    expect(octetsHeld(capture)).toBeLessThan(BASE + 4 * sent.length);
  });
});
