import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/pcapng/address';
import { fold, onesSum } from '../../../src/core/pcapng/checksum';
import { ACK, headersLength, PSH, SYN, segmentPath, writeSegmentHeaders } from '../../../src/core/pcapng/segments';
import { concat, hex, toHex, uint16 } from '../../support/octets';

/** RFC 1071 as its text puts it: word by word, carries added at once. */
function plainSum(octets: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < octets.length; i += 2) {
    sum += (octets[i]! << 8) | (octets[i + 1] ?? 0);
    if (sum > 0xffff) sum -= 0xffff;
  }
  return sum;
}

describe('the Internet checksum', () => {
  test('is that of the example of RFC 1071 §3', () => {
    const octets = hex('00 01 f2 03 f4 f5 f6 f7');
    expect(onesSum(octets, 0, octets.length)).toBe(0xddf2);
  });

  test('does not depend on length or place', () => {
    const octets = Uint8Array.from({ length: 1100 }, (_, i) => (i * 89 + (i >> 3)) & 0xff);
    for (const start of [0, 1, 2, 3, 4, 5]) {
      for (const length of [0, 1, 2, 3, 63, 64, 65, 66, 67, 79, 80, 1001, 1024]) {
        expect(onesSum(octets, start, start + length)).toBe(plainSum(octets.subarray(start, start + length)));
      }
    }
  });

  test('of many 0xff octets is 0xffff, and of zeros 0', () => {
    const full = new Uint8Array(65_000).fill(0xff);
    expect(onesSum(full, 0, full.length)).toBe(0xffff);
    expect(onesSum(new Uint8Array(100), 0, 100)).toBe(0);
    expect(fold(0x1_ffff)).toBe(1);
  });
});

describe('addresses', () => {
  const cases: [text: string, octets: string | undefined][] = [
    ['127.0.0.1', '7f000001'],
    ['256.0.0.1', undefined],
    ['1.2.3', undefined],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['fe80::1%eth0', `fe80${'00'.repeat(13)}01`],
    ['2001:db8:0:1:2:3:4:5', '20010db8000000010002000300040005'],
    ['::ffff:192.0.2.1', 'c0000201'],
    ['64:ff9b::192.0.2.1', `0064ff9b${'00'.repeat(8)}c0000201`],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['::12345', undefined],
    ['localhost', undefined],
  ];
  for (const [text, octets] of cases) {
    test(`${text} is ${octets ?? 'no address'}`, () => {
      const parsed = parseAddress(text);
      expect(parsed && toHex(parsed)).toBe(octets);
    });
  }
});

describe('segments', () => {
  const payload = hex('01 02 03 04 05');

  /** The headers and the payload as one packet. */
  function packet(from: string, to: string, flags: number, sequence: number, data: Uint8Array): Uint8Array {
    const path = segmentPath({ address: from, port: 40_000 }, { address: to, port: 9901 });
    const octets = new Uint8Array(headersLength(path, flags) + data.length);
    const out = new DataView(octets.buffer);
    const end = writeSegmentHeaders(out, 0, path, flags, sequence, 7, data.length, onesSum(data, 0, data.length));
    octets.set(data, end);
    return octets;
  }

  test('in IPv4 are 20 + 20 octets and their data', () => {
    const octets = packet('192.0.2.1', '192.0.2.2', ACK | PSH, 0xfffffffe, payload);
    octets.fill(0, 10, 12);
    octets.fill(0, 36, 38);
    expect(toHex(octets)).toBe(
      toHex(
        hex(`45 00 | 00 2d | 00 00 40 00 | 40 06 | 00 00   ; version 4, 45 octets, don't fragment, TCP
             c0 00 02 01 | c0 00 02 02
             9c 40 | 26 ad | ff ff ff fe | 00 00 00 07     ; ports, sequence, acknowledgment
             50 18 | ff ff | 00 00 | 00 00                 ; 20 octets, PSH ACK, window
             01 02 03 04 05`),
      ),
    );
  });

  test('have right checksums: the sum over everything is 0xffff', () => {
    for (const flags of [SYN, ACK, ACK | PSH]) {
      const four = packet('192.0.2.1', '198.51.100.7', flags, 0x80000001, payload);
      expect(onesSum(four, 0, 20)).toBe(0xffff);
      const pseudo4 = concat(four.subarray(12, 20), uint16(6), uint16(four.length - 20), four.subarray(20));
      expect(plainSum(pseudo4)).toBe(0xffff);
      const six = packet('2001:db8::1', '::1', flags, 0x80000001, payload);
      const pseudo6 = concat(six.subarray(8, 40), uint16(6), uint16(six.length - 40), six.subarray(40));
      expect(plainSum(pseudo6)).toBe(0xffff);
    }
  });

  test('of SYN kind announce the largest window scale', () => {
    const octets = packet('192.0.2.1', '192.0.2.2', SYN, 1, new Uint8Array(0));
    expect(toHex(octets.subarray(40))).toBe('0103030e');
    expect(octets[32]! >> 4).toBe(6);
  });
});
