import { describe, expect, test } from 'vitest';
import { octetPreview, octetsInWords, readings } from '../../../src/renderer/detail/readings';
import { field, windowUpdate } from './fields';

const increment = windowUpdate()[1]!;

function octets(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('what octets are by themselves', () => {
  test('an increment is a number of 31 bits: the reserved bit does not count', () => {
    expect(readings(Uint8Array.of(0, 0, 0, 11), 4, increment)).toEqual(['u31 = 11']);
    expect(readings(Uint8Array.of(0x80, 0, 0x84, 0x18), 4, increment)).toEqual(['u31 = 33,816']);
  });

  test('as many octets as numbers have are one, big-endian', () => {
    expect(readings(Uint8Array.of(0, 0x40, 0), 3, undefined)).toEqual(['u24 = 16,384']);
    expect(readings(new Uint8Array(8).fill(255), 8, undefined)).toEqual(['u64 = 18,446,744,073,709,551,615']);
    expect(readings(new Uint8Array(7), 7, undefined)).toEqual([]);
    expect(readings(new Uint8Array(9), 9, undefined)).toEqual([]);
  });

  test('text is text where all of it can be printed', () => {
    expect(readings(octets('trailers grün'), 14, undefined)).toEqual(['"trailers grün"']);
    expect(readings(octets('line\nbreak here'), 15, undefined)).toEqual([]);
    expect(readings(octets('evil\u202etext'), 11, undefined)).toEqual([]);
    expect(readings(Uint8Array.of(0xff, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61), 9, undefined)).toEqual([]);
  });

  test('text of which only the beginning is known says so, even when a character is cut', () => {
    const whole = octets('0123456789 grün und mehr');
    expect(readings(whole.subarray(0, 14), whole.length, undefined)).toEqual(['"0123456789 gr…"']);
  });

  test('nothing is nothing', () => {
    expect(readings(new Uint8Array(0), 0, undefined)).toEqual([]);
  });
});

describe('the readout', () => {
  test('shows the first sixteen octets', () => {
    expect(octetPreview(Uint8Array.of(0, 0, 0, 11), 4)).toBe('00 00 00 0b');
    expect(octetPreview(new Uint8Array(64), 64)).toBe(`${'00 '.repeat(16)}…`);
  });

  test('says where they stand in the frame', () => {
    expect(octetsInWords(increment, 9)).toBe('octets 9 to 12');
    expect(octetsInWords(increment.children![1]!, 9)).toBe('bits 1 to 31 of octets 9 to 12');
    expect(octetsInWords(increment.children![0]!, 9)).toBe('bit 0 of octets 9 to 12');
    expect(octetsInWords(field('header.type', 3, 4), 9)).toBe('octet 3');
    expect(octetsInWords(increment, 10)).toBe('no octets in this frame');
  });
});
