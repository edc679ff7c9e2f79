import { describe, expect, it } from 'vitest';
import { walkRepresentations } from '../../../src/core/hpack/representations';
import { concat, hex, incremental, indexed, literal, sizeUpdate } from '../../support/encode';
import { Context, type Pair } from './context';

const GET: Pair = [':method', 'GET'];
const FIRST_DYNAMIC = 62;

describe('a fault keeps the fields before it and names its clause and place', () => {
  it.each([
    ['index 0', hex('80'), 'RFC 7541 §6.1'],
    ['an index that is cut', hex('ff'), 'RFC 7541 §5.1'],
    ['a literal whose name is missing', hex('40'), 'RFC 7541 §5.2'],
    ['a literal whose value is missing', hex('44'), 'RFC 7541 §5.2'],
    ['a value longer than the block', hex('44 05 61 62'), 'RFC 7541 §5.2'],
    ['a value of which the length is cut', hex('44 7f'), 'RFC 7541 §5.2'],
  ])('%s', (_what, damage, clause) => {
    const context = new Context();
    expect(context.decode(concat(indexed(2), damage))).toEqual([GET]);
    expect(context.error).toMatchObject({ clause, at: 1 });
  });

  it('that of a later block: the earlier one was whole', () => {
    const context = new Context();
    context.decode(indexed(2));
    context.decode(hex('80'));
    expect(context.decode(indexed(2))).toEqual([GET]);
    expect(context.error).toBeUndefined();
  });

  it('at the same octet as the walk over the representations', () => {
    for (const damage of ['80', 'ff', '40', '44', '44 05 61 62', '04 82 00 00']) {
      const block = concat(indexed(2), literal(4, '/x'), hex(damage));
      const context = new Context();
      context.decode(block);
      const error = walkRepresentations(block).find(({ kind }) => kind === 'error');
      // Whether a string is coded well is not looked at by the walk.
      if (error !== undefined) expect(context.error?.at).toBe(error.start);
      else expect(context.error?.at).toBe(5);
    }
  });
});

describe('an index beyond the table', () => {
  it('is a fault, shown by number, and the rest is decoded', () => {
    const context = new Context();
    expect(context.decode(concat(indexed(FIRST_DYNAMIC), indexed(2)))).toEqual([['unknown (dynamic 62)', null], GET]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §2.3.3', at: 0 });
  });

  it('as a name too; its value was seen', () => {
    const context = new Context();
    expect(context.decode(incremental(63, 'value'))).toEqual([['unknown (dynamic 63)', 'value']]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §2.3.3' });
    expect(context.decode(indexed(FIRST_DYNAMIC))).toEqual([['unknown (dynamic 63)', 'value']]);
    expect(context.error).toBeUndefined();
  });

  it('counts the entries that there are', () => {
    const context = new Context();
    context.decode(incremental('a', '1'));
    expect(context.decode(indexed(FIRST_DYNAMIC))).toEqual([['a', '1']]);
    expect(context.error).toBeUndefined();
    context.decode(indexed(FIRST_DYNAMIC + 1));
    expect(context.error?.message).toContain('index 63');
  });

  it('is none in the middle of a connection, but where no table reaches', () => {
    const context = new Context({ partial: true });
    expect(context.decode(indexed(FIRST_DYNAMIC + 4096 / 32 - 1))).toEqual([['unknown (dynamic 189)', null]]);
    expect(context.error).toBeUndefined();
    context.decode(indexed(FIRST_DYNAMIC + 4096 / 32));
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §2.3.3' });
  });
});

describe('after a block whose rest is lost', () => {
  const damaged = concat(incremental('b', '2'), hex('80'), incremental('c', '3'));

  it('nothing stands for an entry of before: what the lost rest did to the table is not known', () => {
    const context = new Context();
    context.decode(incremental('a', '1'));
    expect(context.decode(damaged)).toEqual([['b', '2']]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §6.1' });
    // The encoder means c: 3. Neither b nor a may be shown for it.
    expect(context.decode(indexed(FIRST_DYNAMIC))).toEqual([['unknown (dynamic 62)', null]]);
    expect(context.error).toBeUndefined();
  });

  it('new entries are known again', () => {
    const context = new Context();
    context.decode(damaged);
    context.decode(incremental('d', '4'));
    expect(context.decode(concat(indexed(FIRST_DYNAMIC), indexed(FIRST_DYNAMIC + 1)))).toEqual([
      ['d', '4'],
      ['unknown (dynamic 63)', null],
    ]);
  });
});

describe('size updates', () => {
  const MISPLACED = 'RFC 7541 §4.2';

  it('0 and then 4096 empty the table before an indexed field is decoded', () => {
    const context = new Context();
    context.decode(incremental('a', '1'));
    expect(context.table.fields).toEqual([['a', '1']]);
    expect(context.decode(concat(sizeUpdate(0), sizeUpdate(4096), indexed(2)))).toEqual([GET]);
    expect(context.error).toBeUndefined();
    expect(context.table).toEqual({ fields: [], size: 0 });
    expect(context.decoder.table().maxSize).toBe(4096);
  });

  it('0 and then 4096, then the entry of before: its index is beyond the table', () => {
    const context = new Context();
    context.decode(incremental('a', '1'));
    expect(context.decode(concat(sizeUpdate(0), sizeUpdate(4096), indexed(FIRST_DYNAMIC)))).toEqual([
      ['unknown (dynamic 62)', null],
    ]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §2.3.3', at: 4 }); // 1 octet, 3 octets
  });

  it('after a field are a fault, and followed', () => {
    const context = new Context();
    expect(context.decode(concat(indexed(2), sizeUpdate(30), indexed(4)))).toEqual([GET, [':path', '/']]);
    expect(context.error).toMatchObject({ clause: MISPLACED, at: 1 });
    expect(context.decoder.table().maxSize).toBe(30);
  });

  it('at the end of a block too', () => {
    const context = new Context();
    context.decode(concat(indexed(2), sizeUpdate(4096)));
    expect(context.error).toMatchObject({ clause: MISPLACED, at: 1 });
  });

  it('above the limit are a fault, and followed', () => {
    const context = new Context();
    expect(context.decode(concat(sizeUpdate(4097), indexed(2)))).toEqual([GET]);
    expect(context.error).toMatchObject({ clause: 'RFC 7541 §6.3', at: 0 });
    expect(context.decoder.table().maxSize).toBe(4097);
  });

  it('up to a raised limit are allowed, and the table grows with them', () => {
    const context = new Context();
    context.decoder.raiseLimit(4 << 20);
    context.decode(sizeUpdate(4 << 20));
    expect(context.error).toBeUndefined();
    for (let i = 0; i < 100; i++) context.decode(incremental(`name-${i}`, 'x'.repeat(20_000)));
    expect(context.decode(indexed(FIRST_DYNAMIC + 99))).toEqual([['name-0', 'x'.repeat(20_000)]]);
    expect(context.error).toBeUndefined();
  });

  it('evict the oldest entries', () => {
    const context = new Context();
    context.decode(concat(incremental('a', '1'), incremental('b', '2'), incremental('c', '3')));
    context.decode(sizeUpdate(2 * 34)); // of 34 octets each, two fit
    expect(context.table).toEqual({
      fields: [
        ['c', '3'],
        ['b', '2'],
      ],
      size: 68,
    });
  });
});

describe('a limit that was lowered', () => {
  const NO_UPDATE = { clause: 'RFC 7541 §4.2', at: 0 };

  it('must be answered at the beginning of the next block', () => {
    const context = new Context();
    context.decoder.setLimit(100);
    expect(context.decode(indexed(2))).toEqual([GET]);
    expect(context.error).toMatchObject(NO_UPDATE);
    context.decode(indexed(2)); // it is said once
    expect(context.error).toBeUndefined();
  });

  it('is answered by an update to it or below', () => {
    for (const size of [100, 0]) {
      const context = new Context();
      context.decoder.setLimit(100);
      context.decode(concat(sizeUpdate(size), indexed(2)));
      expect(context.error).toBeUndefined();
    }
  });

  it('and raised again must be answered with the smallest of the limits', () => {
    const context = new Context();
    context.decoder.setLimit(0);
    context.decoder.setLimit(4096);
    context.decode(concat(sizeUpdate(4096), indexed(2)));
    expect(context.error).toMatchObject(NO_UPDATE);

    const other = new Context();
    other.decoder.setLimit(0);
    other.decoder.setLimit(4096);
    other.decode(concat(sizeUpdate(0), sizeUpdate(4096), indexed(2)));
    expect(other.error).toBeUndefined();
  });

  it('needs no answer when the table is not larger', () => {
    const context = new Context();
    context.decode(sizeUpdate(50));
    context.decoder.setLimit(100);
    context.decode(indexed(2));
    expect(context.error).toBeUndefined();
  });

  it('no block at all: nothing is wrong yet', () => {
    const context = new Context();
    context.decoder.setLimit(0);
    expect(context.decode(new Uint8Array(0))).toEqual([]);
    expect(context.error).toBeUndefined();
  });
});

describe('an entry larger than the table', () => {
  it('empties it, and is no fault (RFC 7541 §4.4)', () => {
    const context = new Context();
    context.decode(incremental('a', '1'));
    expect(context.decode(incremental('b', 'x'.repeat(5000)))).toEqual([['b', 'x'.repeat(5000)]]);
    expect(context.error).toBeUndefined();
    expect(context.table).toEqual({ fields: [], size: 0 });
  });

  it('may take its name from an entry that it evicts', () => {
    const context = new Context();
    context.decode(concat(sizeUpdate(40), incremental('name', '1')));
    expect(context.decode(incremental(FIRST_DYNAMIC, '22'))).toEqual([['name', '22']]);
    expect(context.table).toEqual({ fields: [['name', '22']], size: 38 });
  });
});
