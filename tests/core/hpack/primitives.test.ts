import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHuffman, maxDecodedLength } from '../../../src/core/hpack/huffman';
import { walkRepresentations } from '../../../src/core/hpack/representations';
import { corpusPath } from '../../support/corpus';
import { concat, hex, huffman, integer, latin1, literal, sizeUpdate, stringLiteral, toHex } from '../../support/encode';
import { Context } from './context';

/** The decoded octets as Latin-1, or undefined for a coding error. */
function decoded(coded: Uint8Array): string | undefined {
  const out = new Uint8Array(maxDecodedLength(coded.length));
  const end = decodeHuffman(coded, 0, coded.length, out, 0);
  return end < 0 ? undefined : String.fromCharCode(...out.subarray(0, end));
}

/** Coded octets and what they stand for: the strings of RFC 7541 C.4 and C.6. */
const VALID: [coded: string, text: string][] = [
  ['f1e3 c2e5 f23a 6ba0 ab90 f4ff', 'www.example.com'],
  ['a8eb 1064 9cbf', 'no-cache'],
  ['25a8 49e9 5ba9 7d7f', 'custom-key'],
  ['25a8 49e9 5bb8 e8b4 bf', 'custom-value'],
  ['6402', '302'],
  ['aec3 771a 4b', 'private'],
  ['d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ['9d29 ad17 1863 c78f 0b97 c8e9 ae82 ae43 d3', 'https://www.example.com'],
  ['9bd9 ab', 'gzip'],
  ['', ''],
];

/** RFC 7541 §5.2: each is a decoding error. */
const INVALID: [coded: string, what: string][] = [
  ['ff', 'eight bits of padding alone'],
  ['1f ff', 'eight bits of padding after "a" and its three'],
  ['1f ff ff', 'two octets of padding too many'],
  ['1f ff ff ff', 'three octets of padding too many'],
  ['ff 9f ff ff ff', '29 bits of padding'],
  ['52 bc 30 ff ff ff ff', 'an end inside a symbol, and too much padding'],
  ['ff ff ff ff fc', 'EOS, then "?"'],
  ['ff ff ff fc', 'EOS with zeros behind it'],
  ['00', 'padding of zeros ("0", then 000)'],
  ['30 30 91 ff ff ff ff c8', 'EOS in the middle'],
];

describe('Huffman code (RFC 7541 §5.2)', () => {
  it.each(VALID)('%s is %j', (coded, text) => {
    expect(decoded(hex(coded))).toBe(text);
    expect(toHex(huffman(text))).toBe(toHex(hex(coded)));
  });

  it.each(INVALID)('%s is an error: %s', (coded) => {
    expect(decoded(hex(coded))).toBeUndefined();
  });

  it('takes any octets there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (octets) => {
        const out = new Uint8Array(maxDecodedLength(huffman(octets).length));
        const coded = huffman(octets);
        const end = decodeHuffman(coded, 0, coded.length, out, 0);
        expect(out.subarray(0, end)).toEqual(octets);
      }),
    );
  });

  it('an octet that is cut from a coded string leaves its beginning or an error, never other text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }), (text) => {
        const coded = huffman(text);
        const rest = decoded(coded.subarray(0, coded.length - 1));
        expect(rest === undefined || text.startsWith(rest)).toBe(true);
      }),
    );
  });

  it.each(INVALID)('%s in a field ends the block there: %s', (coded) => {
    const context = new Context();
    const value = hex(coded);
    const block = concat(hex('82'), hex('04'), integer(value.length, 7, 0x80), value, hex('84'));
    expect(context.decode(block)).toEqual([[':method', 'GET']]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §5.2', at: 1 });
  });
});

/** RFC 7541 C.1, and the edges around it: value on a prefix of `bits`, its octets. */
const INTEGERS: [value: number, bits: number, octets: string][] = [
  [10, 5, '0a'],
  [1337, 5, '1f 9a 0a'],
  [42, 8, '2a'],
  [30, 5, '1e'],
  [31, 5, '1f 00'],
  [126, 7, '7e'],
  [127, 7, '7f 00'],
  [254, 7, '7f 7f'],
  [255, 7, '7f 80 01'],
  [16383, 7, '7f 80 7f'],
  [2 ** 32 - 1, 5, '1f e0 ff ff ff 0f'],
];

describe('integers (RFC 7541 §5.1)', () => {
  it.each(INTEGERS)('%i on %i bits is %s', (value, bits, octets) => {
    expect(toHex(integer(value, bits))).toBe(toHex(hex(octets)));
  });

  it.each(INTEGERS.filter(([, bits]) => bits === 5))('the table size %i is read', (value) => {
    const context = new Context();
    context.decoder.setLimit(2 ** 32 - 1);
    context.decode(sizeUpdate(value));
    expect(context.error).toBeUndefined();
    expect(context.decoder.table().maxSize).toBe(value);
  });

  it('leading zeros are allowed: 7f 80 80 00 is 127', () => {
    const value = 'x'.repeat(127);
    const context = new Context();
    expect(context.decode(concat(hex('04'), hex('7f 80 80 00'), latin1(value)))).toEqual([[':path', value]]);
    expect(context.error).toBeUndefined();
  });

  it.each([
    ['above 2^32 - 1', '3f e1 ff ff ff 0f'],
    ['of six octets after the prefix', '3f 80 80 80 80 80 00'],
    ['of very many', `3f ${'80 '.repeat(100)}`],
  ])('one %s is an error', (_what, octets) => {
    const context = new Context();
    context.decoder.setLimit(2 ** 32 - 1);
    expect(context.decode(hex(octets))).toEqual([]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §5.1', at: 0 });
  });

  it('of a string may say more octets than there are, and costs nothing', () => {
    const context = new Context();
    context.decode(concat(hex('04'), integer(2 ** 32 - 1, 7)));
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §5.2' });
  });
});

interface Others {
  huffman_valid: [string, string][];
  huffman_invalid: [string, string][];
  prefix_integers: { prefix_bits: number; bytes: string; value: number | null; error: string | null }[];
}

const path = corpusPath('hpack', 'rfc7541', 'huffman_and_integers.json');

describe.skipIf(path === undefined)("others' vectors", () => {
  const others =
    path === undefined
      ? { huffman_valid: [], huffman_invalid: [], prefix_integers: [] }
      : (JSON.parse(readFileSync(path, 'utf8')) as Others);

  it.each(others.huffman_valid)('Huffman %s', (coded, text) => {
    expect(decoded(hex(coded))).toBe(text);
  });

  it.each(others.huffman_invalid)('Huffman %s is invalid', (coded) => {
    expect(decoded(hex(coded))).toBeUndefined();
  });

  // Of the prefixes, HPACK's own are 4 to 7 bits; those of 5 are read as table sizes here.
  it.each(others.prefix_integers.filter(({ prefix_bits }) => prefix_bits === 5))('integer $bytes', (vector) => {
    const octets = hex(vector.bytes);
    octets[0] = 0x20 | (octets[0]! & 0x1f);
    const [first] = walkRepresentations(octets);
    const context = new Context();
    context.decode(octets);
    if (vector.value === null) {
      expect(first).toMatchObject({ kind: 'error' });
      expect(context.error).toMatchObject({ clause: 'RFC 7541 §5.1' });
    } else {
      expect(first).toMatchObject({ kind: 'size-update', sizeUpdate: vector.value });
      expect(context.decoder.table().maxSize).toBe(vector.value);
    }
  });
});

describe('a block that is cut', () => {
  const fields = concat(
    literal(4, '/a'), // :path
    literal('x-name', 'value', { huffman: true }),
    concat(hex('40'), stringLiteral('y'.repeat(200)), stringLiteral('z'.repeat(200), { huffman: true })),
  );
  const whole = new Context().decode(fields);

  it('keeps the fields before the cut, at every length', () => {
    for (let length = 0; length < fields.length; length++) {
      const context = new Context();
      const kept = context.decode(fields.subarray(0, length));
      expect(kept).toEqual(whole.slice(0, kept.length));
      const atEnd = length === 0 || walkRepresentations(fields.subarray(0, length)).at(-1)!.kind !== 'error';
      expect(context.error === undefined, `${length} octets`).toBe(atEnd);
    }
  });
});
