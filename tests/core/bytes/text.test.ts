import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOctets, hexPreview, hex as toHexText } from '../../../src/core/bytes/hex';
import { characterBoundary, isPrintable, isUtf8, latin1, utf8 } from '../../../src/core/bytes/text';
import { hex } from '../../support/octets';

describe('UTF-8', () => {
  it('reads what the platform reads, and refuses what the platform refuses', () => {
    const platform = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const strictly = (octets: Uint8Array): string | undefined => {
      try {
        return platform.decode(octets);
      } catch {
        return undefined;
      }
    };
    const likelyUtf8 = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc1, 0xc3, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0x9f, 0xa0),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 12 }),
          likelyUtf8.map((list) => Uint8Array.from(list)),
        ),
        (octets) => {
          expect(utf8(octets)).toBe(strictly(octets));
          expect(isUtf8(octets)).toBe(strictly(octets) !== undefined);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('reads any text back, also over the size of one piece', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 5000 }), (text, ahead) => {
        const whole = 'x'.repeat(ahead) + text;
        expect(utf8(new TextEncoder().encode(whole))).toBe(whole);
      }),
    );
  });

  it.each([
    ['an overlong slash', 'c0 af'],
    ['an overlong form of three octets', 'e0 80 af'],
    ['a surrogate, U+D800', 'ed a0 80'],
    ['a code point above U+10FFFF', 'f4 90 80 80'],
    ['a character cut short', '41 e2 82'],
    ['a continuation octet alone', '80'],
  ])('refuses %s', (_what, octets) => {
    expect(utf8(hex(octets))).toBeUndefined();
  });

  it('reads only its range', () => {
    expect(utf8(hex('ff 68 69 ff'), 1, 3)).toBe('hi');
  });

  it('cuts between characters', () => {
    const euro = hex('61 e2 82 ac 62'); // a, euro sign, b
    expect([1, 2, 3, 4, 5].map((limit) => characterBoundary(euro, 0, 5, limit))).toEqual([1, 1, 1, 4, 5]);
  });
});

describe('Latin-1', () => {
  it('gives one character an octet', () => {
    expect(latin1(hex('41 e9 00 ff'))).toBe('A\u00e9\u0000\u00ff');
    expect(latin1(new Uint8Array(10_000).fill(0x61))).toBe('a'.repeat(10_000));
  });
});

it('knows readable text from control characters', () => {
  expect(isPrintable('line\r\n\tgrüße')).toBe(true);
  expect(isPrintable('\u0008\u0001')).toBe(false);
  expect(isPrintable('\u0085')).toBe(false);
});

it('writes octets as hex, and marks what it leaves out', () => {
  expect(toHexText(hex('02 04 10'))).toBe('020410');
  expect(hexPreview(hex('02 04 10'), 0, 3, 3)).toBe('02 04 10');
  expect(hexPreview(hex('02 04 10'), 0, 3, 2)).toBe('02 04 …');
  expect([countOctets(1), countOctets(2)]).toEqual(['1 octet', '2 octets']);
});
