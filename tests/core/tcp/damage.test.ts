import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from '../../support/octets';
import { buildPcapng, ethernet, ipv4, tcpSegment } from '../../support/packets';
import { readPieces } from '../pcapng/recording-sink';
import { Conversation } from './conversation';

/** A short exchange in Ethernet frames. */
function frames(): Uint8Array[] {
  const there = { from: 40000, to: 50051 };
  const back = { from: 50051, to: 40000 };
  const ends = { source: '10.0.0.2', destination: '10.0.0.1' };
  return [
    ethernet(ipv4(tcpSegment({ ...there, seq: 100, flags: 'S' }))),
    ethernet(ipv4(tcpSegment({ ...back, seq: 500, ack: 101, flags: 'S' }), ends)),
    ethernet(ipv4(tcpSegment({ ...there, seq: 101, ack: 501, payload: 'question' }))),
    ethernet(ipv4(tcpSegment({ ...back, seq: 501, ack: 109, payload: 'ans' }), ends)),
    ethernet(ipv4(tcpSegment({ ...back, seq: 504, ack: 109, flags: 'F', payload: 'wer' }), ends)),
    ethernet(ipv4(tcpSegment({ ...there, seq: 109, ack: 508, flags: 'F' }))),
  ];
}

const damage = fc.array(fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }), {
  minLength: 1,
  maxLength: 6,
});

test('damaged packets in any order: nothing is thrown, and offsets still follow each other', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ which: fc.nat(5), damage, cut: fc.nat(20) }), { maxLength: 30 }), (packets) => {
      const conversation = new Conversation();
      for (const packet of packets) {
        const octets = frames()[packet.which]!;
        for (const { at, value } of packet.damage) octets[at % octets.length] = value;
        conversation.packet(octets, octets.length - packet.cut, 1);
      }
      const sink = conversation.end();
      const next = new Map<string, number>();
      for (const event of sink.events) {
        if (event.kind !== 'octets' && event.kind !== 'gap') continue;
        const key = `${event.id} ${event.side}`;
        const length = event.kind === 'octets' ? event.text.length : event.length;
        expect(event.offset).toBe(next.get(key) ?? 0);
        expect(length).toBeGreaterThan(0);
        next.set(key, event.offset + length);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a damaged file is read the same in any pieces, and nothing is thrown', () => {
  fc.assert(
    fc.property(damage, fc.integer({ min: 1, max: 50 }), (places, size) => {
      const file = buildPcapng(frames().map((octets) => ({ octets })));
      for (const { at, value } of places) file[at % file.length] = value;
      expect(readPieces(chunksOf(file, size)).sink.calls).toEqual(readPieces([file]).sink.calls);
    }),
    { numRuns: 500 },
  );
});
