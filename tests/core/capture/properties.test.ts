import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { conversation } from '../../support/conversation';
import {
  cuts,
  damaged,
  edited,
  holed,
  http1Conversation,
  http2Conversation,
  randomConversation,
  someOctets,
  tlsConversation,
} from './arbitrary';
import { type Event, feed } from './feed';
import { octetsHeld } from './held';
import { partitionFaults } from './partition';
import { plainRows, snapshot } from './snapshot';

/** Cases of each property; `npm run fuzz` asks for many more. */
const CASES = Number(process.env.CASES ?? 150);
/** A guard against a loop without end, far above what a loaded machine needs. */
const TIMEOUT = 120_000 + CASES * 1000;

function check<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: CASES });
}

function expectSame(a: object, b: object): void {
  // Text is quicker to compare than objects are; objects show the difference.
  if (JSON.stringify(a) !== JSON.stringify(b)) expect(b).toEqual(a);
}

const CONVERSATIONS: [name: string, fc.Arbitrary<Event[]>][] = [
  ['HTTP/2', http2Conversation],
  ['HTTP/2 damaged behind its first settings', damaged(http2Conversation, 2)],
  ['damaged HTTP/2', damaged(http2Conversation)],
  ['HTTP/1.1', http1Conversation],
  ['damaged HTTP/1.1', damaged(http1Conversation)],
  ['TLS', tlsConversation],
  ['damaged TLS', damaged(tlsConversation)],
  ['random octets', randomConversation],
];

/**
 * Octets of no known protocol on a connection that speaks HTTP/2: where frames begin again can only be guessed, at the
 * beginning of a chunk. There, and nowhere else, chunks matter.
 */
function isGuessed(capture: Capture): boolean {
  const rows = plainRows(capture);
  return rows.some(({ kind }) => kind === 'OPAQUE') && rows.some(({ type }) => type !== undefined);
}

/** Where a preface and SETTINGS come first, nothing has to be guessed. */
function isHttp2(name: string): boolean {
  return name.startsWith('HTTP/2');
}

describe('decoding finds the same, however the octets are cut', () => {
  it.each(CONVERSATIONS)(
    'into chunks: %s',
    (name, events) => {
      check(fc.tuple(events, cuts), ([conversation, sizes]) => {
        const whole = feed(conversation, { client: 0 });
        const cut = feed(conversation, { client: 0, sizes });
        fc.pre(isHttp2(name) || (!isGuessed(whole) && !isGuessed(cut)));
        expectSame(snapshot(whole), snapshot(cut));
      });
    },
    TIMEOUT,
  );

  it.each(CONVERSATIONS)(
    'into segments of the same chunks: %s',
    (name, events) => {
      check(fc.tuple(events, cuts), ([conversation, sizes]) => {
        const whole = feed(conversation, { client: 0, segments: true });
        const cut = feed(conversation, { client: 0, segments: true, sizes });
        fc.pre(isHttp2(name) || (!isGuessed(whole) && !isGuessed(cut)));
        expectSame(plainRows(whole), plainRows(cut));
      });
    },
    TIMEOUT,
  );
});

describe('each octet belongs to one row', () => {
  const all = CONVERSATIONS.flatMap(([name, events]): [string, fc.Arbitrary<Event[]>][] => [
    [name, events],
    [`${name} with holes`, holed(events)],
  ]);
  it.each(all)(
    'of %s',
    (_name, events) => {
      check(
        fc.tuple(events, cuts, fc.constantFrom(0 as const, 1 as const, undefined), fc.boolean()),
        ([conversation, sizes, client, segments]) => {
          for (const options of [{ client }, { client, sizes, segments }]) {
            expect(partitionFaults(feed(conversation, options), conversation)).toEqual([]);
          }
        },
      );
    },
    TIMEOUT,
  );
});

describe('a file of any octets', () => {
  /** Pages of columns that an empty capture has, and what a few octets can bring with them. */
  const BASE = 12 << 20;

  const file = fc
    .tuple(http2Conversation, fc.constantFrom(undefined, 'pcap' as const, 'pcapng' as const), cuts)
    .map(([events, format, sizes]) => {
      const split = Math.max(...sizes);
      const to = conversation({ split, ...(format !== undefined && { penstock: false, format }) });
      events.forEach((event, i) => {
        if (!('octets' in event) || event.octets.length === 0) return;
        if (event.side === 0) to.toServer(i / 100, event.octets);
        else to.toClient(i / 100, event.octets);
      });
      return to.file();
    });
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(8), insert: someOctets(8) });

  it(
    'is read without an exception, in bounded memory',
    () => {
      check(
        fc.tuple(file, fc.array(edit, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 5000 })),
        ([octets, edits, size]) => {
          let damagedFile = octets;
          for (const { at, remove, insert } of edits) {
            damagedFile = edited(damagedFile, at % (damagedFile.length + 1), remove, insert);
          }
          const capture = new Capture();
          for (let at = 0; at < damagedFile.length; at += size) capture.push(damagedFile.slice(at, at + size));
          capture.end();
          expect(octetsHeld(capture)).toBeLessThan(BASE + 64 * damagedFile.length);
        },
      );
    },
    TIMEOUT,
  );
});
