import fc from 'fast-check';
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
  latin1,
  literal,
  neverIndexed,
  PREFACE,
  ping,
  priority,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  sizeUpdate,
  windowUpdate,
} from '../../support/encode';
import type { Event } from './feed';

/** Octets, short ones most often. */
export const someOctets = (maxLength = 60) => fc.uint8Array({ maxLength });

const streamId = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(1, 1, 3, 5, 2) }, { weight: 1, arbitrary: fc.nat() });
const padding = fc.option(fc.nat(20), { nil: undefined, freq: 3 });
const flag = fc.boolean();
const uint31 = fc.oneof(fc.nat(70_000), fc.nat(0x7fffffff));

const token = fc.constantFrom('x-a', 'content-type', 'grpc-encoding', 'grpc-status', ':status', 'te');
const value = fc.oneof(
  fc.constantFrom('200', '103', 'application/grpc', 'gzip', 'identity', '0', '5', 'POST', ''),
  fc.string({ maxLength: 40, unit: 'binary-ascii' }),
);
const coded = fc.record({ huffman: flag });

/** One HPACK representation: most are sound, some name entries that are not there. */
const representation = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 61 }).map(indexed) },
  { weight: 3, arbitrary: fc.integer({ min: 62, max: 70 }).map(indexed) },
  { weight: 6, arbitrary: fc.tuple(token, value, coded).map(([n, v, how]) => incremental(n, v, how)) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(70), value, coded).map(([n, v, how]) => incremental(n, v, how)) },
  { weight: 3, arbitrary: fc.tuple(token, value, coded).map(([n, v, how]) => literal(n, v, how)) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(66), value).map(([n, v]) => neverIndexed(n, v)) },
  { weight: 1, arbitrary: fc.constantFrom(0, 100, 4096, 5000).map(sizeUpdate) },
  { weight: 1, arbitrary: someOctets(8) },
);

/** A header block; many begin as requests and responses do, so that calls come of them. */
const block = fc
  .tuple(
    fc.constantFrom(
      [],
      [indexed(3), indexed(6), literal(4, '/a.B/C'), literal('content-type', 'application/grpc')],
      [indexed(8), literal(31, 'application/grpc')],
      [literal('grpc-status', '0')],
    ),
    fc.array(representation, { maxLength: 5 }),
  )
  .map(([start, more]) => concat(...start, ...more));

/** DATA content: length-prefixed messages, some cut, some of no sense. */
const content = fc
  .array(fc.tuple(someOctets(40), fc.constantFrom(0, 0, 0, 1, 2)), { maxLength: 3 })
  .chain((messages) => {
    const whole = concat(...messages.map(([octets, compressed]) => grpcMessage(octets, compressed)));
    return fc.tuple(fc.nat(whole.length), flag).map(([cut, isCut]) => (isCut ? whole.slice(0, cut) : whole));
  });

const dataFrame = fc
  .tuple(streamId, content, flag, padding)
  .map(([id, octets, endStream, pad]) => data(id, octets, { endStream, ...(pad !== undefined && { padding: pad }) }));

const headers = fc
  .tuple(streamId, block, flag, padding, flag, fc.nat(3))
  .map(([id, octets, endStream, pad, hasPriority, cuts]) => {
    const first = Math.ceil(octets.length / (cuts + 1));
    const options = {
      endStream,
      endHeaders: cuts === 0,
      ...(pad !== undefined && { padding: pad }),
      ...(hasPriority && { priority: { dependency: 0, weight: 16 } }),
    };
    const parts = [headersFrame(id, octets.slice(0, first), options)];
    for (let i = 1; i <= cuts; i++) {
      parts.push(continuation(id, octets.slice(first * i, first * (i + 1)), { endHeaders: i === cuts }));
    }
    return concat(...parts);
  });

const settingPair = fc.tuple(
  fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 999),
  fc.oneof(fc.constantFrom(0, 1, 4096, 16384), uint31),
);

/** Any frame: mostly sound ones in some order, now and then one of no sense. */
export const anyFrame: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: dataFrame },
  { weight: 6, arbitrary: headers },
  { weight: 2, arbitrary: fc.array(settingPair, { maxLength: 4 }).map((pairs) => settings(pairs)) },
  { weight: 2, arbitrary: fc.constant(settingsAck()) },
  { weight: 2, arbitrary: fc.tuple(streamId, uint31).map(([id, by]) => windowUpdate(id, by)) },
  { weight: 1, arbitrary: fc.nat(0x7fffffff).map((by) => windowUpdate(0, by)) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(3), flag).map(([n, ack]) => ping(new Uint8Array(8).fill(n), { ack })) },
  { weight: 1, arbitrary: fc.tuple(streamId, fc.nat(14)).map(([id, code]) => rstStream(id, code)) },
  { weight: 1, arbitrary: streamId.map((id) => priority(id, { dependency: 0, weight: 16 })) },
  { weight: 1, arbitrary: fc.tuple(uint31, someOctets(9)).map(([last, debug]) => goaway(last, 0, debug)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(streamId, block, padding)
      .map(([id, octets, pad]) => pushPromise(id, 2, octets, pad === undefined ? {} : { padding: pad })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(255), fc.nat(255), streamId, someOctets(30))
      .map(([type, bits, id, octets]) => frame(type, bits, id, octets)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(10), fc.nat(255), fc.nat(3), someOctets(12))
      .map(([type, bits, id, octets]) => frame(type, bits, id, octets)),
  },
);

/** The sides of a connection take turns at random; side 0 is the client. */
function turns(first: Event[], client: fc.Arbitrary<Uint8Array>, server: fc.Arbitrary<Uint8Array>, maxLength = 12) {
  const turn = fc.oneof(
    client.map((octets): Event => ({ side: 0, octets })),
    server.map((octets): Event => ({ side: 1, octets })),
  );
  return fc.array(turn, { maxLength }).map((events) => [...first, ...events]);
}

const writes = fc.array(anyFrame, { minLength: 1, maxLength: 4 }).map((frames) => concat(...frames));

export const http2Conversation: fc.Arbitrary<Event[]> = turns(
  [
    { side: 0, octets: concat(PREFACE, settings()) },
    { side: 1, octets: concat(settings(), settingsAck()) },
  ],
  writes,
  writes,
);

const request = fc
  .tuple(
    fc.constantFrom('GET / ', 'POST /a ', 'PUT /a ', 'PATCH /x ', 'HEAD / ', 'CONNECT a:1 ', 'PROPFIND / '),
    fc.array(
      fc.constantFrom('Host: a', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__', 'Upgrade: websocket', 'no colon'),
      { maxLength: 4 },
    ),
    fc.constantFrom(
      '\r\n',
      '\r\nContent-Length: 5\r\n\r\nabcde',
      '\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ),
  )
  .map(([line, fields, body]) => latin1(`${line}HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}${body}`));

const response = fc
  .tuple(
    fc.constantFrom('200 OK', '101', '101 Switching', '100 Continue', '204 No', '404', '20x'),
    fc.constantFrom(
      '\r\n',
      'Content-Length: 3\r\n\r\nabc',
      'Content-Length: 9\r\n\r\nabc',
      'Transfer-Encoding: chunked\r\n\r\n3;e=1\r\nabc\r\n0\r\nT: x\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
    ),
  )
  .map(([status, rest]) => latin1(`HTTP/1.1 ${status}\r\n${rest}`));

/** HTTP/1.1, often with an upgrade, a tunnel or a preface in it, and what follows those. */
export const http1Conversation: fc.Arbitrary<Event[]> = turns(
  [],
  fc.oneof(
    { weight: 4, arbitrary: request },
    { weight: 2, arbitrary: fc.constant(concat(PREFACE, settings())) },
    { weight: 1, arbitrary: writes },
  ),
  fc.oneof({ weight: 4, arbitrary: response }, { weight: 2, arbitrary: writes }),
);

const tlsRecord = fc
  .tuple(fc.constantFrom(20, 21, 22, 23), fc.nat(4), fc.uint8Array({ minLength: 1, maxLength: 80 }))
  .map(([type, minor, octets]) => concat(Uint8Array.of(type, 3, minor, 0, octets.length), octets));

export const tlsConversation: fc.Arbitrary<Event[]> = turns([], tlsRecord, tlsRecord);

export const randomConversation: fc.Arbitrary<Event[]> = turns([], someOctets(80), someOctets(80));

/** Damage: an octet changed, some taken out, some put in. Which events it strikes is chosen by `from`. */
export function damaged(conversation: fc.Arbitrary<Event[]>, from = 0): fc.Arbitrary<Event[]> {
  const edit = fc.record({ event: fc.nat(11), at: fc.nat(200), remove: fc.nat(3), insert: someOctets(4) });
  return fc.tuple(conversation, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([events, edits]) => {
    const changed = [...events];
    for (const { event, at, remove, insert } of edits) {
      const index = from + event;
      const old = changed[index];
      if (old === undefined || !('octets' in old) || old.octets.length === 0) continue;
      changed[index] = { side: old.side, octets: edited(old.octets, at % old.octets.length, remove, insert) };
    }
    return changed;
  });
}

/** Without `remove` octets at `at`, with `insert` in their place. */
export function edited(octets: Uint8Array, at: number, remove: number, insert: Uint8Array): Uint8Array {
  return concat(octets.slice(0, at), insert, octets.slice(at + remove));
}

/** Holes between the events, and a reset before the last ones. */
export function holed(conversation: fc.Arbitrary<Event[]>): fc.Arbitrary<Event[]> {
  const hole = fc.record({
    before: fc.nat(14),
    side: fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>,
    gap: fc.integer({ min: 1, max: 50 }),
  });
  return fc
    .tuple(conversation, fc.array(hole, { minLength: 1, maxLength: 4 }), flag)
    .map(([events, holes, isReset]) => {
      const changed = [...events];
      for (const { before, side, gap } of holes) changed.splice(before % (changed.length + 1), 0, { side, gap });
      if (isReset) changed.splice(Math.floor(changed.length / 2), 0, { side: 0, reset: true });
      return changed;
    });
}

/** How octets are cut: an octet each, or sizes in turn. */
export const cuts: fc.Arbitrary<number[]> = fc.oneof(
  fc.constant<number[]>([1]),
  fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }),
);
