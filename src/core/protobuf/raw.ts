import { characterBoundary, isPrintable, isUtf8, utf8 } from '../bytes/text';
import { type Budget, budgetOf, DEFAULT_RAW_LIMITS, type RawLimits } from './raw-limits';
import type { OctetRange, RawDecoding, RawError, RawField, Reading } from './raw-types';
import { doubleReadings, fixed32Readings, packedReading, readVarint, varintReadings } from './scalars';

export { DEFAULT_RAW_LIMITS, type RawLimits } from './raw-limits';
export type { RawDecoding, RawError, RawField, Reading } from './raw-types';

/**
 * A protobuf message read without its schema: every field with the octets that it takes and all readings that its wire
 * type allows. Fields before damage are kept; `error` says where reading stopped. Never throws.
 *
 * @param start,end of the message in `bytes`; all ranges and offsets in the result are positions in `bytes`
 */
export function decodeRaw(
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
  limits: RawLimits = DEFAULT_RAW_LIMITS,
): RawDecoding {
  const last = Math.min(end, bytes.length);
  const reader = new RawReader(bytes, last, budgetOf(limits));
  const { fields, error } = reader.message(Math.max(0, start), last, limits.depth, undefined);
  return error === undefined ? { fields } : { fields, error };
}

interface Run {
  fields: RawField[];
  /** Where the fields end. */
  at: number;
  /** The tag that closed the group being read. */
  close?: OctetRange;
  error?: RawError;
}

type MessageReading = Reading & { kind: 'message' };

type ReadField = { field: RawField } | { close: OctetRange; number: number } | { error: RawError };

class RawReader {
  constructor(
    private readonly bytes: Uint8Array,
    private readonly limit: number,
    private readonly budget: Budget,
  ) {}

  /** Fields from `start` to `end`, or to the end tag of group `group`. `depth`: levels that may still be entered. */
  message(start: number, end: number, depth: number, group: number | undefined): Run {
    const fields: RawField[] = [];
    let at = start;
    while (at < end) {
      const next = this.field(at, end, depth);
      if ('error' in next) return { fields, at, error: next.error };
      if ('close' in next) {
        if (next.number !== group) {
          const message = `an end of group ${next.number}, and that group is not open`;
          return { fields, at, error: { offset: at, message } };
        }
        return { fields, at: next.close.end, close: next.close };
      }
      fields.push(next.field);
      at = next.field.end;
    }
    if (group === undefined) return { fields, at };
    return { fields, at, error: { offset: at, message: `group ${group} is not closed` } };
  }

  private field(start: number, end: number, depth: number): ReadField {
    const tag = readVarint(this.bytes, start, end);
    if (typeof tag === 'string') return fault(start, `tag: ${tag}`);
    if (tag.value > 0xffff_ffffn) return fault(start, 'tag: above 32 bits');
    const number = Number(tag.value >> 3n);
    if (number === 0) return fault(start, 'field number 0');
    if (this.budget.fields === 0) return fault(start, 'too many fields: the rest is not decoded');
    this.budget.fields -= 1;

    const wireType = Number(tag.value & 7n);
    const tagRange = { start, end: tag.end };
    const common = { number, start, tag: tagRange };
    switch (wireType) {
      case 0: {
        const varint = readVarint(this.bytes, tag.end, end);
        if (typeof varint === 'string') return fault(tag.end, varint);
        const value = { start: tag.end, end: varint.end };
        return { field: { ...common, wireType, end: varint.end, value, readings: varintReadings(varint.value) } };
      }
      case 1:
      case 5: {
        const size = wireType === 1 ? 8 : 4;
        if (tag.end + size > end) return fault(tag.end, `${size} octets, and ${end - tag.end} are left`);
        const value = { start: tag.end, end: tag.end + size };
        const readings = wireType === 1 ? doubleReadings(this.bytes, tag.end) : fixed32Readings(this.bytes, tag.end);
        return { field: { ...common, wireType, end: value.end, value, readings } };
      }
      case 2: {
        const length = readVarint(this.bytes, tag.end, end);
        if (typeof length === 'string') return fault(tag.end, `length: ${length}`);
        const left = end - length.end;
        if (length.value > BigInt(left)) return fault(tag.end, `length ${length.value}, and ${left} octets are left`);
        const value = { start: length.end, end: length.end + Number(length.value) };
        const lengthRange = { start: tag.end, end: length.end };
        const readings = this.delimitedReadings(value.start, value.end, depth);
        return { field: { ...common, wireType, end: value.end, length: lengthRange, value, readings } };
      }
      case 3: {
        if (depth === 0) return fault(start, 'groups nested too deep');
        const inner = this.message(tag.end, end, depth - 1, number);
        if (inner.error !== undefined) return { error: inner.error };
        const close = inner.close!;
        const value = { start: tag.end, end: close.start };
        const readings: Reading[] = [{ kind: 'group', fields: inner.fields }];
        return { field: { ...common, wireType, end: close.end, value, close, readings } };
      }
      case 4:
        return { close: tagRange, number };
      default:
        return fault(start, `wire type ${wireType} does not exist`);
    }
  }

  /** The likeliest reading first. `bytes` is always there. */
  private delimitedReadings(start: number, end: number, depth: number): Reading[] {
    const text = this.text(start, end);
    const message = this.nested(start, end, depth);
    const octets: Reading = { kind: 'bytes' };
    const messages = message === undefined ? [] : [message];
    if (text !== undefined && isPrintable(text.value)) {
      return outweighs(message, text.value) ? [...messages, text, octets] : [text, ...messages, octets];
    }
    // Readable text is always a row of varints, too: of characters. Only other octets are offered as numbers.
    const packed = packedReading(this.bytes, start, end);
    return [...messages, ...(packed ? [packed] : []), ...(text ? [text] : []), octets];
  }

  private nested(start: number, end: number, depth: number): MessageReading | undefined {
    if (depth === 0) return undefined;
    const fieldsBefore = this.budget.fields;
    const charactersBefore = this.budget.characters;
    const { fields, error } = this.message(start, end, depth - 1, undefined);
    if (error === undefined) return { kind: 'message', fields };
    this.budget.fields = fieldsBefore;
    this.budget.characters = charactersBefore;
    return undefined;
  }

  private text(start: number, end: number): (Reading & { kind: 'string' }) | undefined {
    if (end > this.limit || !isUtf8(this.bytes, start, end)) return undefined;
    const shown = characterBoundary(this.bytes, start, end, Math.min(this.budget.string, this.budget.characters));
    this.budget.characters -= shown - start;
    const value = utf8(this.bytes, start, shown) ?? '';
    return shown < end ? { kind: 'string', value, cut: true } : { kind: 'string', value };
  }
}

/**
 * Whether octets that could be text are likelier a message. Short words are often whole messages by chance ("mouse" is
 * field 13 and four octets), but a length that fits to the octet, or line feeds (the tag of field 1), are not.
 */
function outweighs(message: MessageReading | undefined, text: string): boolean {
  if (message === undefined || message.fields.length === 0) return false;
  return /[\t\n\r]/.test(text) || message.fields.some((field) => field.wireType === 2);
}

function fault(offset: number, message: string): { error: RawError } {
  return { error: { offset, message } };
}
