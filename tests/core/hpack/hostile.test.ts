import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeaderStore } from '../../../src/core/hpack/header-store';
import { hashOctets } from '../../../src/core/hpack/interning';
import { concat, hex, incremental, indexed, integer, latin1, literal, sizeUpdate } from '../../support/encode';
import { Context } from './context';

const MIB = 1 << 20;

/** Octets that the store took for this block. */
function cost(context: Context, block: Uint8Array): number {
  const before = context.store.octets;
  context.decoder.decode(block, 0, block.length);
  return context.store.octets - before;
}

function repeated(times: number, part: (i: number) => Uint8Array): Uint8Array {
  return concat(...Array.from({ length: times }, (_, i) => part(i)));
}

describe('a block costs memory in proportion to its octets, not to what it stands for', () => {
  it('one long entry, repeated by its index', () => {
    const context = new Context();
    context.decode(incremental('x', 'y'.repeat(4000)));
    const block = new Uint8Array(100_000).fill(0x80 | 62);
    expect(cost(context, block)).toBeLessThanOrEqual(4 * block.length + 4); // a number each
  });

  it('one long name with many values', () => {
    const context = new Context();
    context.decode(incremental('n'.repeat(4000), ''));
    const block = repeated(20_000, (i) => concat(hex('0f 2f 02'), Uint8Array.of(i >> 8, i & 0xff))); // index 62
    expect(cost(context, block)).toBeLessThanOrEqual(10 * block.length + MIB);
  });

  it('unknown indexes, of fields and of names', () => {
    const context = new Context({ partial: true });
    const indexes = repeated(20_000, (i) => indexed(100_000 + i));
    const names = repeated(20_000, (i) => concat(integer(100_000 + i, 4), hex('00')));
    expect(cost(context, indexes)).toBeLessThanOrEqual(2 * MIB);
    expect(cost(context, names)).toBeLessThanOrEqual(2 * MIB);
  });

  it('a table of any size that is claimed', () => {
    const context = new Context();
    context.decoder.setLimit(2 ** 32 - 1);
    expect(cost(context, concat(sizeUpdate(2 ** 32 - 1), indexed(2)))).toBeLessThan(100);
  });

  it('a field longer than a page of the store', () => {
    const context = new Context();
    const value = new Uint8Array(3 * MIB).fill(0x76); // v
    const [field] = context.decode(literal('long', value));
    expect(field?.[1]).toHaveLength(3 * MIB);
    expect(field?.[1]?.replaceAll('v', '')).toBe('');
    expect(context.decode(literal('next', 'short'))).toEqual([['next', 'short']]);
  });
});

describe('the store', () => {
  it('keeps a field and a list once, over all connections', () => {
    const store = new HeaderStore();
    const block = concat(indexed(2), incremental('trace', 'abc'), literal(4, '/x'));
    const first = new Context({ store }).decoder.decode(block, 0, block.length);
    const { octets } = store;
    expect(new Context({ store }).decoder.decode(block, 0, block.length)).toBe(first);
    expect(store.octets).toBe(octets);
  });

  it('tells name and value apart: "ab" + "c" is not "a" + "bc"', () => {
    const context = new Context();
    expect(
      context.decode(concat(literal('ab', 'c'), literal('a', 'bc'), literal('abc', ''), literal('', 'abc'))),
    ).toEqual([
      ['ab', 'c'],
      ['a', 'bc'],
      ['abc', ''],
      ['', 'abc'],
    ]);
  });

  it('reads 200,000 different fields back', () => {
    const context = new Context();
    const { store } = context;
    const number = (i: number): number => {
      const value = latin1(`${i}`);
      return store.field(latin1('id'), 0, 2, value, 0, value.length);
    };
    const fields = Array.from({ length: 200_000 }, (_, i) => number(i));
    expect(new Set(fields).size).toBe(200_000);
    for (let i = 0; i < fields.length; i += 997) {
      expect(store.value(fields[i]!)).toBe(`${i}`);
      expect(number(i)).toBe(fields[i]);
    }
  });

  it('keeps fields apart whose hashes were made to collide', () => {
    // Birthday search on the low ten bits, the slots of an empty lookup: more of one slot than are looked at.
    const context = new Context();
    const colliding: string[] = [];
    for (let i = 0; colliding.length < 200; i++) {
      const value = latin1(`v${i}`);
      if ((hashOctets(0, value, 0, value.length) & 0x3ff) === 7) colliding.push(`v${i}`);
    }
    const block = concat(...colliding.map((text) => literal(text, '')));
    expect(context.decode(block)).toEqual(colliding.map((text) => [text, '']));
    expect(context.decode(block)).toEqual(colliding.map((text) => [text, '']));
  });
});

it('never throws, whatever the octets, and later blocks go on', () => {
  const store = new HeaderStore();
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), fc.boolean(), (blocks, partial) => {
      const context = new Context({ partial, store });
      for (const block of blocks) context.decode(block);
      const { fields, size } = context.table;
      expect(size).toBe(fields.reduce((sum, [name, value]) => sum + name.length + (value ?? '').length + 32, 0));
      expect(size).toBeLessThanOrEqual(context.decoder.table().maxSize);
      expect(context.decode(indexed(2))).toEqual([[':method', 'GET']]);
    }),
    { numRuns: 1000 },
  );
});
