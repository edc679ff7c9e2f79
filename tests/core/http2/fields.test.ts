import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFrame } from '../../../src/core/http2/fields';
import type { Field } from '../../../src/shared/fields';
import {
  concat,
  frame,
  goaway,
  headersFrame,
  hex,
  latin1,
  ping,
  settings,
  uint32,
  windowUpdate,
} from '../../support/encode';

/** Every field of the tree by its id; a repeated id would be a mistake. */
function byId(fields: readonly Field[]): Map<string, Field> {
  const found = new Map<string, Field>();
  const visit = (field: Field): void => {
    expect(found.has(field.id), `id ${field.id} twice`).toBe(false);
    found.set(field.id, field);
    field.children?.forEach(visit);
  };
  fields.forEach(visit);
  return found;
}

/** Fields that stand for octets of their own: without children, or with bits as children. */
function octetLeaves(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => {
    if (field.children === undefined) return [field];
    return field.children.every((child) => child.bit !== undefined) ? [field] : octetLeaves(field.children);
  });
}

function expectCovered(fields: readonly Field[], length: number): void {
  let at = 0;
  for (const leaf of octetLeaves(fields)) {
    expect(leaf.start, leaf.id).toBe(at);
    expect(leaf.end, leaf.id).toBeGreaterThan(leaf.start);
    at = leaf.end;
  }
  expect(at).toBe(length);
}

/** Bits of a field's children follow each other and fill its octets. */
function expectBitsFill(fields: Iterable<Field>): void {
  for (const field of fields) {
    const bits = field.children?.filter((child) => child.bit !== undefined) ?? [];
    if (bits.length === 0) continue;
    let next = 0;
    for (const child of bits) {
      expect([child.start, child.end]).toEqual([field.start, field.end]);
      expect(child.bit!.from).toBe(next);
      next = child.bit!.to + 1;
    }
    expect(next).toBe((field.end - field.start) * 8);
  }
}

describe('the fields of a frame', () => {
  const anyType = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16), fc.nat({ max: 255 }));

  it('cover every octet exactly once, whatever the octets, the length field and the cut', () => {
    fc.assert(
      fc.property(
        anyType,
        fc.nat({ max: 255 }),
        fc.nat({ max: 2 ** 31 - 1 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.option(fc.nat({ max: 60 }), { nil: undefined }),
        fc.nat({ max: 60 }),
        (type, flags, stream, payload, length, cut) => {
          const whole = frame(type, flags, stream, payload, length === undefined ? {} : { length });
          const octets = whole.slice(0, cut);
          const fields = describeFrame(octets);
          expectCovered(fields, octets.length);
          expectBitsFill(byId(fields).values());
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('are found in octets that are no frame', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (octets) => expectCovered(describeFrame(octets), octets.length)),
    );
  });

  it('stop at the octets that are the frame’s, in a longer view', () => {
    const view = concat(ping(hex('02 04 10 10 09 0e 07 07')), hex('ff ff ff'));
    expectCovered(describeFrame(view, { captured: 12 }), 12);
    expect(byId(describeFrame(view)).get('beyond')).toMatchObject({ start: 17, end: 20 });
  });
});

describe('the frame header', () => {
  const fields = byId(
    describeFrame(
      hex(`00 00 04     ; length 4
           08           ; WINDOW_UPDATE
           00           ; no flags
           80 00 00 03  ; reserved bit set, stream 3
           00 00 00 0b  ; increment 11`),
    ),
  );

  it('has length, type, flags and stream at their octets', () => {
    expect(fields.get('header')).toMatchObject({ start: 0, end: 9, value: 'WINDOW_UPDATE' });
    expect(fields.get('header.length')).toMatchObject({ start: 0, end: 3, value: 4 });
    expect(fields.get('header.type')).toMatchObject({ start: 3, end: 4, value: 8, note: 'WINDOW_UPDATE' });
    expect(fields.get('header.flags')).toMatchObject({ start: 4, end: 5, value: 0, note: 'none' });
    expect(fields.get('header.stream')).toMatchObject({ start: 5, end: 9, value: 3, note: 'opened by the client' });
  });

  it('shows the reserved bit and the stream identifier as bits of the same octets', () => {
    expect(fields.get('header.stream.reserved')).toMatchObject({ bit: { from: 0, to: 0 }, value: 1 });
    expect(fields.get('header.stream.id')).toMatchObject({ bit: { from: 1, to: 31 }, value: 3 });
  });

  it('shows each flag that the type defines as a bit, and the rest as unused', () => {
    const headers = byId(describeFrame(frame(1, 0x25, 1, hex('80 00 00 00 0f 82'))));
    expect(headers.get('header.flags.END_STREAM')).toMatchObject({ bit: { from: 7, to: 7 }, value: 1 });
    expect(headers.get('header.flags.END_HEADERS')).toMatchObject({ bit: { from: 5, to: 5 }, value: 1 });
    expect(headers.get('header.flags.PADDED')).toMatchObject({ bit: { from: 4, to: 4 }, value: 0 });
    expect(headers.get('header.flags.PRIORITY')).toMatchObject({ bit: { from: 2, to: 2 }, value: 1 });
    expect(headers.get('header.flags.unused0')).toMatchObject({ bit: { from: 0, to: 1 }, value: 0 });
  });

  it('cut in the middle says so', () => {
    const cut = byId(describeFrame(hex('00 00 04 08 00 00 00')));
    expect(cut.get('header')).toMatchObject({ end: 7, value: 'incomplete' });
    expect(cut.get('header.stream')).toMatchObject({ start: 5, end: 7, note: 'only 2 of 4 octets were captured' });
  });
});

describe('payloads', () => {
  it('DATA: pad length, data and padding', () => {
    const fields = byId(
      describeFrame(
        hex(`00 00 06 | 00 | 09 | 00 00 00 01 ; DATA, END_STREAM and PADDED
             03                              ; pad length 3
             68 69                           ; data
             00 00 00                        ; padding`),
      ),
    );
    expect(fields.get('padLength')).toMatchObject({ start: 9, end: 10, value: 3 });
    expect(fields.get('data')).toMatchObject({ start: 10, end: 12, value: '68 69' });
    expect(fields.get('padding')).toMatchObject({ start: 12, end: 15 });
  });

  it('DATA: a pad length that does not fit is named, and the rest is shown as data', () => {
    const fields = byId(describeFrame(hex('00 00 04 00 08 00 00 00 01 | 04 | aa aa aa')));
    expect(fields.get('padLength')?.note).toMatch(/^PROTOCOL_ERROR/);
    expect(fields.get('data')).toMatchObject({ start: 10, end: 13 });
    expect(fields.has('padding')).toBe(false);
  });

  it('DATA: a frame of padding alone fits', () => {
    const fields = byId(describeFrame(hex('00 00 03 00 08 00 00 00 01 | 02 | 00 00')));
    expect(fields.get('padLength')?.note).toBe('octets of padding at the end of the frame');
    expect(fields.get('padding')).toMatchObject({ start: 10, end: 12 });
    expect(fields.has('data')).toBe(false);
  });

  it('DATA: padding is placed by the frame’s length also when the frame is cut before it', () => {
    const fields = byId(describeFrame(hex('00 00 06 00 08 00 00 00 01 | 03 | 68')));
    expect(fields.get('data')).toMatchObject({
      start: 10,
      end: 11,
      note: expect.stringContaining('only 1 of 2 octets'),
    });
    expect(fields.has('padding')).toBe(false);
  });

  it('padding that is not zero is remarked on', () => {
    const fields = byId(describeFrame(hex('00 00 03 00 08 00 00 00 01 | 01 | 68 | 07')));
    expect(fields.get('padding')?.note).toMatch(/^must be zeros/);
  });

  it('HEADERS: padding, priority, fragment', () => {
    const octets = headersFrame(1, hex('82 86'), {
      padding: 2,
      priority: { exclusive: true, dependency: 5, weight: 16 },
    });
    const fields = byId(describeFrame(octets));
    expect(fields.get('priority')).toMatchObject({ start: 10, end: 15, value: 'stream 5, weight 16' });
    expect(fields.get('priority.dependency.exclusive')).toMatchObject({ value: 1, bit: { from: 0, to: 0 } });
    expect(fields.get('priority.dependency.stream')).toMatchObject({ value: 5 });
    expect(fields.get('priority.weight')).toMatchObject({ start: 14, end: 15, value: 15, note: 'weight 16 of 256' });
    expect(fields.get('fragment')).toMatchObject({ start: 15, end: 17, note: 'HPACK; the field block ends here' });
    expect(fields.get('padding')).toMatchObject({ start: 17, end: 19 });
  });

  it('SETTINGS: each pair with its name and unit, duplicates and unknown ones too', () => {
    const octets = settings([
      [4, 65535],
      [4, 2 ** 31],
      [0xfe03, 1],
      [0x1234, 7],
    ]);
    const fields = byId(describeFrame(octets));
    expect(fields.get('setting.0')).toMatchObject({ start: 9, end: 15, value: 'INITIAL_WINDOW_SIZE = 65535' });
    expect(fields.get('setting.0.id')).toMatchObject({ start: 9, end: 11, value: 4 });
    expect(fields.get('setting.0.value')).toMatchObject({ start: 11, end: 15, value: 65535 });
    expect(fields.get('setting.0.value')?.note).toMatch(/octets of window/);
    expect(fields.get('setting.1.value')?.note).toMatch(/^FLOW_CONTROL_ERROR/);
    expect(fields.get('setting.2')?.value).toBe('GRPC_ALLOW_TRUE_BINARY_METADATA = 1');
    expect(fields.get('setting.3.value')?.note).toBe('not registered; to be ignored');
  });

  it('SETTINGS: a length that is no multiple of six leaves an incomplete setting', () => {
    const fields = byId(describeFrame(frame(4, 0, 0, hex('00 03 00 00 00 64 | 00 04 00'))));
    expect(fields.get('setting.1')).toMatchObject({ start: 15, end: 18, value: 'incomplete' });
    expect(fields.get('setting.1.value')?.note).toBe('only 1 of 4 octets fit');
  });

  it('SETTINGS: beyond 4,096 settings the rest is one field', () => {
    const fields = describeFrame(frame(4, 0, 0, new Uint8Array(6 * 5000)));
    expect(fields.at(-1)).toMatchObject({ id: 'rest', start: 9 + 6 * 4096, end: 9 + 6 * 5000 });
  });

  it('PING: the payload is named, and an acknowledgement is its echo', () => {
    const bdp = hex('02 04 10 10 09 0e 07 07');
    expect(byId(describeFrame(ping(bdp))).get('opaque')).toMatchObject({
      start: 9,
      end: 17,
      value: '02 04 10 10 09 0e 07 07',
      note: 'BDP ping (grpc-go)',
    });
    expect(byId(describeFrame(ping(bdp, { ack: true }))).get('opaque')?.note).toBe('echo of BDP ping (grpc-go)');
  });

  it('PING: a wrong length keeps what there is and names the rule', () => {
    const long = byId(describeFrame(ping(new Uint8Array(10))));
    expect(long.get('excess')).toMatchObject({ start: 17, end: 19, note: expect.stringMatching(/^FRAME_SIZE_ERROR/) });
    const short = byId(describeFrame(ping(new Uint8Array(6))));
    expect(short.get('opaque')?.note).toMatch(/only 6 of 8 octets fit$/);
  });

  it('GOAWAY: last stream, error code in words, debug data as text', () => {
    const fields = byId(describeFrame(goaway(2 ** 31 - 1, 11, latin1('too_many_pings'))));
    expect(fields.get('lastStream')?.note).toMatch(/graceful shutdown/);
    expect(fields.get('errorCode')).toMatchObject({ value: 11, note: expect.stringMatching(/^ENHANCE_YOUR_CALM: /) });
    expect(fields.get('debug')).toMatchObject({ start: 17, end: 31, value: 'too_many_pings' });
  });

  it('RST_STREAM: an error code that is not defined', () => {
    const fields = byId(describeFrame(frame(3, 0, 1, uint32(0xff))));
    expect(fields.get('errorCode')?.note).toBe('UNKNOWN (0xff): not defined; to be treated as INTERNAL_ERROR');
  });

  it('WINDOW_UPDATE: whose window, and that 0 is wrong', () => {
    expect(byId(describeFrame(windowUpdate(0, 11))).get('increment')).toMatchObject({ start: 9, end: 13, value: 11 });
    expect(byId(describeFrame(windowUpdate(0, 11))).get('increment')?.note).toMatch(/the connection's window/);
    expect(byId(describeFrame(windowUpdate(3, 0))).get('increment')?.note).toMatch(/^PROTOCOL_ERROR/);
  });

  it('ALTSVC: origin length, origin, field value', () => {
    const fields = byId(
      describeFrame(frame(10, 0, 0, concat(hex('00 0e'), latin1('https://a.test'), latin1('h2=":8000"')))),
    );
    expect(fields.get('originLength')).toMatchObject({ value: 14 });
    expect(fields.get('origin')).toMatchObject({ start: 11, end: 25, value: 'https://a.test' });
    expect(fields.get('value')).toMatchObject({ start: 25, end: 35, value: 'h2=":8000"' });
  });

  it('ORIGIN: one group an entry; an entry that is too long ends with the frame', () => {
    const fields = byId(describeFrame(frame(12, 0, 0, concat(hex('00 03'), latin1('a:b'), hex('00 09'), latin1('c')))));
    expect(fields.get('origin.0')).toMatchObject({ start: 9, end: 14, value: 'a:b' });
    expect(fields.get('origin.1.length')?.note).toBe('more than the 1 octets that follow');
    expect(fields.get('origin.1.value')).toMatchObject({ start: 16, end: 17 });
  });

  it('PRIORITY_UPDATE: the stream and the field value', () => {
    const fields = byId(describeFrame(frame(16, 0, 0, concat(uint32(5), latin1('u=1, i')))));
    expect(fields.get('prioritized')).toMatchObject({ start: 9, end: 13, value: 5 });
    expect(fields.get('value')).toMatchObject({ start: 13, end: 19, value: 'u=1, i' });
  });

  it('PUSH_PROMISE: the promised stream must be even', () => {
    const fields = byId(describeFrame(frame(5, 4, 1, concat(uint32(3), hex('82')))));
    expect(fields.get('promised')).toMatchObject({ value: 3, note: expect.stringMatching(/^PROTOCOL_ERROR/) });
    expect(fields.get('fragment')).toMatchObject({ start: 13, end: 14 });
  });

  it('an unknown type is octets', () => {
    const fields = byId(describeFrame(frame(0xfa, 0, 1, hex('01 02'))));
    expect(fields.get('header')?.value).toBe('UNKNOWN');
    expect(fields.get('payload')).toMatchObject({ start: 9, end: 11, value: '01 02' });
  });
});
