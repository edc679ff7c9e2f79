import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TickClock } from '../../../src/core/pcapng/clock';
import { hex } from '../../support/octets';
import { buildPcapng } from '../../support/packets';
import { readPieces } from './recording-sink';

const MASK = 0xffffffffn;

/** The definition, in whole numbers of any size. */
function nanoseconds(ticks: bigint, resolution: number): bigint {
  const perSecond = (resolution & 0x80 ? 2n : 10n) ** BigInt(resolution & 0x7f);
  return (ticks * 1_000_000_000n) / perSecond;
}

test('every resolution gives the exact difference in nanoseconds, however the times jump', () => {
  const resolution = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0x80, max: 0x80 + 64 }));
  const jump = fc.oneof(
    fc.bigInt(-1000n, 1000n),
    fc.bigInt(-(2n ** 31n), 2n ** 40n),
    fc.bigInt(-(2n ** 54n), 2n ** 54n),
  );
  const start = fc.bigInt(2n ** 56n, 2n ** 62n);
  fc.assert(
    fc.property(resolution, start, fc.array(jump, { maxLength: 20 }), (octet, first, jumps) => {
      const clock = new TickClock(octet);
      const origin = clock.absolute(Number(first >> 32n), Number(first & MASK));
      expect(origin).toBe(nanoseconds(first, octet));
      let ticks = first;
      for (const step of jumps) {
        ticks += step;
        const exact = nanoseconds(ticks, octet) - origin;
        // A double holds no more: 104 days.
        if (exact > 2n ** 53n || exact < -(2n ** 53n)) continue;
        expect(clock.since(origin, Number(ticks >> 32n), Number(ticks & MASK))).toBe(Number(exact));
      }
    }),
  );
});

test('two packets 40 ns apart in this century are 40 ns apart', () => {
  const time = 1_753_000_000_123_456_789n;
  const packets = [
    { octets: hex('00'), time },
    { octets: hex('00'), time: time + 40n },
  ];
  const { sink, reader } = readPieces([buildPcapng(packets, 1, [[9, Uint8Array.of(9)]])]);
  expect(sink.packets.map((packet) => packet.time)).toEqual([0, 40]);
  expect(reader.firstTime).toBe(time);
});

test('if_tsresol as a power of two and if_tsoffset in seconds', () => {
  const packets = [
    { octets: hex('00'), time: 3n << 10n },
    { octets: hex('00'), time: (3n << 10n) + 1n },
  ];
  const options: [number, Uint8Array][] = [
    [9, Uint8Array.of(0x8a)], // 2^-10 s
    [14, hex('9c ff ff ff ff ff ff ff')], // -100 s
  ];
  const { sink, reader } = readPieces([buildPcapng(packets, 1, options)]);
  expect(reader.firstTime).toBe(-97_000_000_000n);
  expect(sink.packets[1]!.time).toBe(976_562); // 1/1024 s, cut
});
