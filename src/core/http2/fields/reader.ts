import type { Field } from '../../../shared/fields';
import { countOctets, hexPreview } from '../../bytes/hex';

/** What a field says beside its octets; `value` replaces the one read from them. */
export interface Said {
  value?: string | number;
  note?: string | undefined;
  clause?: string | undefined;
}

/** A part of a 32-bit field, the most significant bits first. `bits` of all parts add up to 32. */
export interface BitPart {
  id: string;
  label: string;
  bits: number;
  say?: (value: number) => Said;
}

/**
 * Reads one structure of a frame from front to back and writes down the fields. It never reads past the structure's
 * end or past what was captured: a field that doesn't fit is written as far as its octets go, with a note.
 */
export class FieldReader {
  readonly fields: Field[] = [];

  /**
   * @param octets of the frame, from its first header octet
   * @param at where the structure begins
   * @param end where it ends, by the frame's own length; may lie beyond `captured`
   * @param captured octets of the frame that are there
   * @param path put before each field's id: `setting.0.`
   */
  constructor(
    readonly octets: Uint8Array,
    private at: number,
    private end: number,
    private readonly captured: number,
    private readonly path = '',
  ) {}

  /** Octets to the structure's end, captured or not. */
  get remaining(): number {
    return Math.max(0, this.end - this.at);
  }

  /** Octets that can still be read. */
  get available(): number {
    return Math.max(0, Math.min(this.end, this.captured) - this.at);
  }

  /** The octets to be read next, at most `length`, as a view. */
  peek(length: number): Uint8Array {
    return this.octets.subarray(this.at, this.at + Math.min(length, this.available));
  }

  /** A big-endian integer of 1 to 4 octets; undefined when some of them are missing. */
  uint(id: string, label: string, size: number, say?: (value: number) => Said): number | undefined {
    if (this.available < size) {
      this.partial(id, label, size);
      return undefined;
    }
    const value = bigEndian(this.octets, this.at, size);
    this.add(id, label, size, value, say?.(value) ?? {});
    return value;
  }

  /** Four octets of bit fields, which become the children; the value is that of the last part. */
  word(id: string, label: string, parts: readonly BitPart[], say?: (value: number) => Said): number | undefined {
    if (this.available < 4) {
      this.partial(id, label, 4);
      return undefined;
    }
    const whole = bigEndian(this.octets, this.at, 4);
    const children: Field[] = [];
    let from = 0;
    let value = whole;
    for (const part of parts) {
      const bit = { from, to: from + part.bits - 1 };
      value = Math.floor(whole / 2 ** (31 - bit.to)) % 2 ** part.bits;
      const range = { start: this.at, end: this.at + 4, bit };
      children.push(makeField(`${this.path}${id}.${part.id}`, part.label, range, value, part.say?.(value) ?? {}));
      from += part.bits;
    }
    this.add(id, label, 4, value, say?.(value) ?? {}, children);
    return value;
  }

  /** `length` opaque octets; nothing is written for none. `say` sees only what is there. */
  opaque(id: string, label: string, length: number, say?: (octets: Uint8Array) => Said): void {
    if (length === 0) return;
    if (this.available < length) {
      this.partial(id, label, length, say);
      return;
    }
    const view = this.peek(length);
    this.add(id, label, length, hexPreview(view, 0, view.length), say?.(view) ?? {});
  }

  /** All octets to the structure's end. */
  rest(id: string, label: string, say?: (octets: Uint8Array) => Said): void {
    this.opaque(id, label, this.remaining, say);
  }

  /** The rest, which should not be there. */
  excess(note: string, clause: string): void {
    this.rest('excess', 'Excess octets', () => ({ note, clause }));
  }

  /** A structure of `length` octets whose fields become children of one field. Written only when it has any. */
  group(id: string, label: string, length: number, fill: (inner: FieldReader) => Said): void {
    const start = this.at;
    const end = Math.min(start + length, this.end);
    const inner = new FieldReader(this.octets, start, end, this.captured, `${this.path}${id}.`);
    const said = fill(inner);
    if (inner.fields.length === 0) return;
    this.at = inner.at;
    const range = { start, end: inner.at };
    this.fields.push(makeField(`${this.path}${id}`, label, range, said.value ?? '', said, inner.fields));
  }

  /** Reads with the structure's end moved `fewer` octets to the front: what stands before padding. */
  shortened(fewer: number, fill: () => void): void {
    const end = this.end;
    this.end = Math.max(this.at, end - fewer);
    fill();
    this.end = end;
  }

  /** What there is of a field that doesn't fit. */
  private partial(id: string, label: string, size: number, say?: (octets: Uint8Array) => Said): void {
    const there = this.available;
    if (there === 0) return;
    const view = this.peek(there);
    const why = this.remaining < size ? 'fit' : 'were captured';
    const missing = `only ${there} of ${countOctets(size)} ${why}`;
    const said = say?.(view) ?? {};
    const note = said.note === undefined ? missing : `${said.note}; ${missing}`;
    this.add(id, label, there, hexPreview(view, 0, there), { ...said, note });
  }

  private add(id: string, label: string, size: number, value: string | number, said: Said, children?: Field[]): void {
    const range = { start: this.at, end: this.at + size };
    this.fields.push(makeField(this.path + id, label, range, value, said, children));
    this.at += size;
  }
}

type Range = Pick<Field, 'start' | 'end' | 'bit'>;

/** Builds a field without members that are undefined. */
export function makeField(
  id: string,
  label: string,
  range: Range,
  value: string | number,
  said: Said = {},
  children?: Field[],
): Field {
  const field: Field = { id, label, ...range, value: said.value ?? value };
  if (said.note !== undefined && said.note !== '') field.note = said.note;
  if (said.clause !== undefined) field.clause = said.clause;
  if (children !== undefined) field.children = children;
  return field;
}

function bigEndian(octets: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + octets[at + i]!;
  return value;
}
