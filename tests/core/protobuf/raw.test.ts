import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RAW_LIMITS, decodeRaw, type RawField, type Reading } from '../../../src/core/protobuf/raw';
import { concat, hex, latin1 } from '../../support/octets';

function only(octets: Uint8Array): RawField {
  const { fields, error } = decodeRaw(octets);
  expect(error).toBeUndefined();
  expect(fields).toHaveLength(1);
  return fields[0]!;
}

function reading<K extends Reading['kind']>(field: RawField, kind: K): Extract<Reading, { kind: K }> | undefined {
  return field.readings.find((each) => each.kind === kind) as Extract<Reading, { kind: K }> | undefined;
}

const kinds = (field: RawField): string[] => field.readings.map(({ kind }) => kind);

describe('protobuf without a schema', () => {
  it('0a 02 08 01 offers a message and bytes, and where each part stands', () => {
    const field = only(
      hex(`0a     ; field 1, length-delimited
           02     ; two octets
           08 01  ; a message with field 1 = 1, or two octets of text, bytes or numbers`),
    );
    expect(field).toMatchObject({
      number: 1,
      wireType: 2,
      start: 0,
      end: 4,
      tag: { start: 0, end: 1 },
      length: { start: 1, end: 2 },
      value: { start: 2, end: 4 },
    });
    expect(kinds(field)).toEqual(['message', 'packed', 'string', 'bytes']);
    expect(reading(field, 'message')?.fields).toMatchObject([{ number: 1, wireType: 0, start: 2, end: 4 }]);
    expect(reading(field, 'packed')?.values).toEqual(['8', '1']);
  });

  it('a varint has all its integer readings', () => {
    expect(only(hex('08 01')).readings).toEqual([
      { kind: 'uint64', value: '1' },
      { kind: 'int64', value: '1' },
      { kind: 'sint64', value: '-1' },
      { kind: 'bool', value: true },
    ]);
    expect(only(hex('08 ff ff ff ff ff ff ff ff ff 01')).readings).toEqual([
      { kind: 'uint64', value: '18446744073709551615' },
      { kind: 'int64', value: '-1' },
      { kind: 'sint64', value: '-9223372036854775808' },
    ]);
  });

  it('fixed32 and fixed64 are integers or floating point', () => {
    expect(only(hex('0d 00 00 80 3f')).readings).toEqual([
      { kind: 'uint32', value: 1065353216 },
      { kind: 'int32', value: 1065353216 },
      { kind: 'float', value: 1 },
    ]);
    expect(only(hex('09 00 00 00 00 00 00 f8 ff')).readings).toEqual([
      { kind: 'uint64', value: '18444492273895866368' },
      { kind: 'int64', value: '-2251799813685248' },
      { kind: 'double', value: 'NaN' },
    ]);
  });

  it('readable text comes first, even where a word is a message by chance', () => {
    expect(kinds(only(concat(hex('0a 05'), latin1('mouse'))))).toEqual(['string', 'message', 'bytes']);
    expect(kinds(only(concat(hex('0a 05'), latin1('hello'))))).toEqual(['string', 'bytes']);
  });

  it('a message that holds text comes before the same octets as text', () => {
    const uuid = latin1('123e4567-e89b-12d3-a456-426614174000');
    const field = only(concat(hex('0a 26 | 0a 24'), uuid)); // "\n$123e…" would be readable, too
    expect(kinds(field)).toEqual(['message', 'string', 'bytes']);
  });

  it('octets that are no UTF-8 are not offered as text', () => {
    expect(kinds(only(hex('0a 02 28 c3')))).toEqual(['bytes']);
  });

  it('an empty field is an empty string, an empty message, or no bytes', () => {
    expect(kinds(only(hex('0a 00')))).toEqual(['string', 'message', 'bytes']);
  });

  it('groups hold fields up to their own end tag', () => {
    const field = only(
      hex(`0b     ; start of group 1
           10 05  ; field 2 = 5
           1b 1c  ; group 3, empty
           0c     ; end of group 1`),
    );
    expect(field).toMatchObject({ wireType: 3, end: 6, value: { start: 1, end: 5 }, close: { start: 5, end: 6 } });
    expect(reading(field, 'group')?.fields.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('reads a range of a larger buffer and keeps its positions', () => {
    expect(decodeRaw(hex('ff ff | 08 01 | ff'), 2, 4).fields[0]).toMatchObject({ start: 2, end: 4 });
  });
});

describe('damage', () => {
  it.each([
    ['a varint that is cut', '08 80', 1],
    ['a varint above 64 bits', '08 ff ff ff ff ff ff ff ff ff 02', 1],
    ['a length beyond the end', '0a 05 61', 1],
    ['a fixed32 that is cut', '0d 00 00', 1],
    ['field number 0', '00 01', 0],
    ['wire type 6', '0e', 0],
    ['wire type 7', '0f', 0],
    ['an end of a group that is not open', '0c', 0],
    ['a group that is not closed', '0b 08 01', 3],
    ['the end of another group', '0b 14', 1],
  ])('%s is told at its offset, and the fields before it are kept', (_what, octets, offset) => {
    const { fields, error } = decodeRaw(concat(hex('10 07'), hex(octets)));
    expect(fields).toMatchObject([{ number: 2 }]);
    expect(error?.offset).toBe(offset + 2);
    expect(error?.message).not.toBe('');
  });
});

describe('bounds', () => {
  it('messages deeper than the bound stay bytes', () => {
    let nested = hex('08 01');
    for (let i = 0; i < 50; i++) nested = concat(Uint8Array.of(0x12, nested.length), nested);
    let depth = 0;
    for (let fields: RawField[] | undefined = decodeRaw(nested).fields; fields; depth++) {
      const message: Extract<Reading, { kind: 'message' }> | undefined = reading(fields[0]!, 'message');
      fields = message?.fields;
    }
    expect(depth).toBe(DEFAULT_RAW_LIMITS.depth + 1);
  });

  it('groups deeper than the bound are an error', () => {
    expect(decodeRaw(new Uint8Array(100_000).fill(0x0b)).error?.message).toBe('groups nested too deep');
  });

  it('the number of fields is bounded', () => {
    const { fields, error } = decodeRaw(new Uint8Array(200_000).fill(0x08));
    expect(fields).toHaveLength(DEFAULT_RAW_LIMITS.fields);
    expect(error).toMatchObject({ offset: 2 * DEFAULT_RAW_LIMITS.fields });
  });

  it('long text is cut between characters', () => {
    const field = decodeRaw(concat(hex('0a 06'), hex('e2 82 ac e2 82 ac')), 0, 8, { ...DEFAULT_RAW_LIMITS, string: 4 });
    expect(reading(field.fields[0]!, 'string')).toEqual({ kind: 'string', value: '€', cut: true });
  });
});

it('any octets give fields that follow each other up to the error, and never throw', () => {
  const check = (fields: RawField[], start: number, end: number): void => {
    let at = start;
    for (const field of fields) {
      expect(field.start).toBe(at);
      expect(field.readings.length).toBeGreaterThan(0);
      for (const each of field.readings) {
        if (each.kind === 'message' || each.kind === 'group') check(each.fields, field.value.start, field.value.end);
      }
      at = field.end;
    }
    expect(at).toBe(end);
  };
  const tags = fc.constantFrom(0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x12, 0x01, 0x02, 0x03);
  const octets = fc.array(fc.oneof(tags, fc.nat({ max: 255 })), { maxLength: 60 });
  fc.assert(
    fc.property(octets, (list) => {
      const { fields, error } = decodeRaw(Uint8Array.from(list));
      check(fields, 0, error === undefined ? list.length : (fields.at(-1)?.end ?? 0));
      expect(() => JSON.stringify(fields)).not.toThrow();
    }),
    { numRuns: 3000 },
  );
});
