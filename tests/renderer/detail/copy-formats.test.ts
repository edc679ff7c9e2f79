import { describe, expect, test } from 'vitest';
import { asText, formatOctets } from '../../../src/renderer/detail/copy-formats';

const INCREMENT = Uint8Array.of(0x00, 0x00, 0x00, 0x0b);
const WORDS = ['frame', '4120', 'Window size increment'];

describe('octets are copied', () => {
  test('as hex on one line', () => {
    expect(formatOctets(INCREMENT, 'hex', WORDS)).toBe('00 00 00 0b');
    expect(formatOctets(new Uint8Array(0), 'hex', WORDS)).toBe('');
  });

  test('as a C array with its length', () => {
    expect(formatOctets(INCREMENT, 'c', WORDS)).toBe(
      'const uint8_t frame_4120_window_size_increment[] = {\n    0x00, 0x00, 0x00, 0x0b,\n};\n' +
        'const size_t frame_4120_window_size_increment_length = 4;\n',
    );
  });

  test('as a Go slice', () => {
    expect(formatOctets(INCREMENT, 'go', WORDS)).toBe(
      'var frame4120WindowSizeIncrement = []byte{\n\t0x00, 0x00, 0x00, 0x0b,\n}\n',
    );
  });

  test('as a TypeScript array that has those octets', () => {
    const source = formatOctets(
      Uint8Array.from({ length: 30 }, (_, i) => i),
      'typescript',
      WORDS,
    );
    expect(source).toMatch(/^const frame4120WindowSizeIncrement = Uint8Array\.of\(\n {2}0x00, /);
    expect(source.match(/0x[0-9a-f]{2}/g)?.map(Number)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    expect(Math.max(...source.split('\n').map((line) => line.length))).toBeLessThan(80);
  });

  test('as a Go slice of none, and a C array that says it has none', () => {
    expect(formatOctets(new Uint8Array(0), 'go', WORDS)).toBe('var frame4120WindowSizeIncrement = []byte{}\n');
    expect(formatOctets(new Uint8Array(0), 'c', WORDS)).toContain('_length = 0;');
  });

  test('under a name that is a name, whatever a field is called', () => {
    const name = (label: string) => formatOctets(INCREMENT, 'c', [label]).split(/[ []/)[2];
    expect(name(':path')).toBe('path');
    expect(name('7zip')).toBe('octets_7zip');
    expect(name('"; system("rm -rf /")')).toBe('system_rm_rf');
    expect(name('…')).toBe('octets');
  });

  test('as text: UTF-8 where it is that, else each octet as a character', () => {
    expect(asText(Uint8Array.of(0x67, 0x72, 0xc3, 0xbc, 0x6e))).toBe('grün');
    expect(asText(Uint8Array.of(0x67, 0xfc))).toBe('gü');
    expect(asText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  });
});
