import fc from 'fast-check';
import hpack from 'hpack.js';
import { expect, it } from 'vitest';
import { HeaderStore } from '../../../src/core/hpack/header-store';
import { concat, incremental, indexed, literal, neverIndexed, sizeUpdate } from '../../support/encode';
import { Context, type Pair } from './context';

/** hpack.js's own decompressor; undefined for the block that it refuses. */
class Oracle {
  private readonly decompressor = hpack.decompressor.create({ table: { maxSize: 1 << 16 } });
  private failed = false;

  constructor(size = 4096) {
    this.decompressor.on('error', () => {
      this.failed = true;
    });
    this.decompressor.updateTableSize(size);
  }

  decode(block: Uint8Array): [string, string][] | undefined {
    this.decompressor.write(Buffer.from(block));
    this.decompressor.execute();
    const fields: [string, string][] = [];
    for (let field = this.decompressor.read(); field !== null; field = this.decompressor.read()) {
      fields.push([field.name, field.value]);
    }
    return this.failed ? undefined : fields;
  }
}

/** One for all runs: it only grows, and fields of earlier runs must not matter. */
const store = new HeaderStore();

/** hpack.js's compressor looks texts up in plain objects, and takes what each of these inherits for a table entry. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

const name = fc.oneof(
  fc.constantFrom(':path', ':status', 'content-type', 'grpc-status', 'x-trace', 'cookie'),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).filter((text) => !inherited.includes(text)),
);
const value = fc.oneof(
  fc.constantFrom('', '/', '200', 'application/grpc', '0'),
  fc.string({ maxLength: 60, unit: 'grapheme-ascii' }).filter((text) => !inherited.includes(text)),
);
const field = fc.record({ name, value, huffman: fc.boolean(), incremental: fc.boolean(), neverIndex: fc.boolean() });
const size = fc.constantFrom(0, 64, 100, 256, 4096);

it("reads what hpack.js's compressor writes, over changing table sizes", () => {
  const block = fc.record({ fields: fc.array(field, { maxLength: 8 }), size: fc.option(size, { freq: 5 }) });
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), (blocks) => {
      const compressor = hpack.compressor.create({ table: { maxSize: 4096 } });
      const context = new Context({ store });
      for (const { fields, size } of blocks) {
        if (size !== null) compressor.updateTableSize(size);
        compressor.write(fields);
        const parts: Uint8Array[] = [];
        for (let part = compressor.read(); part !== null; part = compressor.read()) parts.push(part);
        expect(context.decode(concat(...parts))).toEqual(fields.map(({ name, value }) => [name, value]));
        expect(context.error).toBeUndefined();
      }
    }),
    { numRuns: 100 },
  );
});

it('takes texts that every object inherits as the texts that they are', () => {
  const context = new Context({ store });
  for (const text of inherited) {
    const block = concat(incremental(text, text), literal(':path', text), neverIndexed(4, text), indexed(62));
    expect(context.decode(block)).toEqual([
      [text, text],
      [':path', text],
      [':path', text],
      [text, text],
    ]);
    expect(context.error).toBeUndefined();
  }
});

it("agrees with hpack.js's decompressor on any representations, up to the first that it refuses", () => {
  const index = fc.integer({ min: 1, max: 75 });
  const options = fc.record({ huffman: fc.boolean() });
  const nameOrIndex = fc.oneof(name, index);
  const representation = fc.oneof(
    index.map(indexed),
    fc.tuple(nameOrIndex, value, options).map((args) => incremental(...args)),
    fc.tuple(nameOrIndex, value, options).map((args) => literal(...args)),
    fc.tuple(nameOrIndex, value, options).map((args) => neverIndexed(...args)),
  );
  const block = fc
    .tuple(fc.array(size.map(sizeUpdate), { maxLength: 2 }), fc.array(representation, { maxLength: 10 }))
    .map(([updates, fields]) => concat(...updates, ...fields));
  let compared = 0;
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
      const oracle = new Oracle();
      const context = new Context({ store });
      for (const octets of blocks) {
        const theirs = oracle.decode(octets);
        const ours: Pair[] = context.decode(octets);
        if (theirs === undefined) {
          expect(context.error).toBeDefined();
          return;
        }
        expect(context.error).toBeUndefined();
        expect(ours).toEqual(theirs);
        compared++;
      }
    }),
    { numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(250);
});
