import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkRepresentations } from '../../../src/core/hpack/representations';
import { corpusPath } from '../../support/corpus';
import { concat, hex } from '../../support/octets';

describe('the representations of a header block', () => {
  it('an indexed field (RFC 7541 §6.1)', () => {
    expect(walkRepresentations(hex('82'))).toEqual([
      { kind: 'indexed', start: 0, end: 1, index: 2, indexRange: { start: 0, end: 1 } },
    ]);
  });

  it('a literal with incremental indexing and a new name (RFC 7541 C.2.1)', () => {
    const block = hex(`40                            ; literal with incremental indexing, new name
                       0a 63 75 73 74 6f 6d 2d 6b 65 79       ; custom-key
                       0d 63 75 73 74 6f 6d 2d 68 65 61 64 65 72 ; custom-header`);
    expect(walkRepresentations(block)).toEqual([
      {
        kind: 'literal-incremental',
        start: 0,
        end: 26,
        index: 0,
        indexRange: { start: 0, end: 1 },
        name: { start: 2, end: 12, huffman: false, length: 10, lengthRange: { start: 1, end: 2 } },
        value: { start: 13, end: 26, huffman: false, length: 13, lengthRange: { start: 12, end: 13 } },
      },
    ]);
  });

  it('the other literals, with indexed names and Huffman-coded values', () => {
    const block = hex(`04 0c 2f 73 61 6d 70 6c 65 2f 70 61 74 68  ; without indexing, :path, /sample/path (C.2.2)
                       1f 08 82 64 02                              ; never indexed, name 15 + 8 = 23, 2 octets Huffman
                       41 8c f1 e3 c2 e5 f2 3a 6b a0 ab 90 f4 ff   ; incremental, :authority, 12 octets Huffman (C.4.1)`);
    expect(walkRepresentations(block)).toMatchObject([
      { kind: 'literal-without-indexing', start: 0, end: 14, index: 4, value: { start: 2, end: 14, huffman: false } },
      { kind: 'literal-never-indexed', start: 14, end: 19, index: 23, indexRange: { start: 14, end: 16 } },
      { kind: 'literal-incremental', start: 19, end: 33, index: 1, value: { length: 12, huffman: true } },
    ]);
  });

  it('table size updates, and one that comes after a field', () => {
    const block = hex(`20            ; size 0
                       3f e1 1f      ; size 4096
                       82            ; indexed
                       3e            ; size 30, too late`);
    expect(walkRepresentations(block)).toMatchObject([
      { kind: 'size-update', sizeUpdate: 0, misplaced: false },
      { kind: 'size-update', sizeUpdate: 4096, misplaced: false, indexRange: { start: 1, end: 4 } },
      { kind: 'indexed' },
      { kind: 'size-update', sizeUpdate: 30, misplaced: true },
    ]);
  });

  it('integers as in RFC 7541 C.1: 1337 on a prefix of five bits', () => {
    expect(walkRepresentations(hex('3f 9a 0a'))).toMatchObject([{ kind: 'size-update', sizeUpdate: 1337 }]);
  });
});

describe('damage ends the walk and keeps what came before', () => {
  it.each([
    ['index 0', '80', 'RFC 7541 §6.1'],
    ['an integer that is cut', 'ff 80', 'RFC 7541 §5.1'],
    ['an integer above 2^32 - 1', 'ff 81 ff ff ff 0f', 'RFC 7541 §5.1'],
    ['an integer of six octets after its prefix', 'ff 80 80 80 80 80 00', 'RFC 7541 §5.1'],
    ['a string longer than the block', '04 05 61 62', 'RFC 7541 §5.2'],
    ['a value that is missing', '04', 'RFC 7541 §5.2'],
    ['a name that is missing', '40', 'RFC 7541 §5.2'],
  ])('%s', (_what, octets, clause) => {
    const damaged = hex(octets);
    expect(walkRepresentations(concat(hex('82'), damaged))).toMatchObject([
      { kind: 'indexed', start: 0, end: 1 },
      { kind: 'error', code: 'COMPRESSION_ERROR', clause, start: 1, end: 1 + damaged.length },
    ]);
  });

  it('takes 2^32 - 1 itself', () => {
    // 127 + 0 + 127 * 2^7 + 127 * 2^14 + 127 * 2^21 + 15 * 2^28
    expect(walkRepresentations(hex('ff 80 ff ff ff 0f'))).toMatchObject([{ kind: 'indexed', index: 2 ** 32 - 1 }]);
  });
});

it('covers any octets without gaps', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (block) => {
      let at = 0;
      for (const { start, end } of walkRepresentations(block)) {
        expect(start).toBe(at);
        expect(end).toBeGreaterThan(start);
        at = end;
      }
      expect(at).toBe(block.length);
    }),
    { numRuns: 2000 },
  );
});

interface Story {
  cases: { wire: string; headers: unknown[] }[];
}

const corpus = corpusPath('hpack', 'http2jp');

describe.skipIf(corpus === undefined)('the http2jp stories (skipped without the corpus)', () => {
  const encoders = corpus === undefined ? [] : readdirSync(corpus).filter((name) => !name.includes('.'));

  it.each(encoders)('%s: as many representations as header fields', (encoder) => {
    const wrong: string[] = [];
    let blocks = 0;
    for (const file of readdirSync(join(corpus!, encoder))) {
      const story = JSON.parse(readFileSync(join(corpus!, encoder, file), 'utf8')) as Story;
      for (const { wire, headers } of story.cases) {
        blocks += 1;
        const fields = walkRepresentations(Buffer.from(wire, 'hex')).filter(({ kind }) => kind !== 'size-update');
        const damaged = fields.some(({ kind }) => kind === 'error');
        if (damaged || fields.length !== headers.length) wrong.push(`${file}: ${wire}`);
      }
    }
    expect(blocks).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
