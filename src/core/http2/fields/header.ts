import type { Field } from '../../../shared/fields';
import { FrameType, flagNames, frameTypeName } from '../../../shared/names';
import { type FieldReader, makeField } from './reader';
import type { FrameHeader } from './types';
import { RESERVED_BIT } from './words';

export const HEADER_LENGTH = 9;

/**
 * The frame header's fields under one group `header`. Undefined when fewer than nine octets were captured.
 * `captured` counts the frame's octets that are there, the header's included.
 */
export function describeHeader(reader: FieldReader, captured: number): FrameHeader | undefined {
  let header: FrameHeader | undefined;
  reader.group('header', 'Frame header', HEADER_LENGTH, (inner) => {
    const length = inner.uint('length', 'Length', 3, (value) => ({
      note: lengthNote(value, captured),
      clause: 'RFC 9113 §4.1',
    }));
    const type = inner.uint('type', 'Type', 1, (value) => ({ note: frameTypeName(value), clause: typeClause(value) }));
    const at = inner.fields.length;
    const flags = inner.uint('flags', 'Flags', 1, (value) => ({
      note: flagNames(type ?? -1, value).join(', ') || 'none',
      clause: 'RFC 9113 §4.1',
    }));
    const flagsField = inner.fields[at];
    if (flags !== undefined && flagsField !== undefined) flagsField.children = flagBits(flagsField, type ?? -1, flags);
    const stream = inner.word(
      'stream',
      'Stream',
      [RESERVED_BIT, { id: 'id', label: 'Stream identifier', bits: 31 }],
      (value) => ({ note: streamNote(value), clause: 'RFC 9113 §5.1.1' }),
    );
    if (length === undefined || type === undefined || flags === undefined || stream === undefined) {
      return { value: 'incomplete', note: 'the capture ends inside the frame header', clause: 'RFC 9113 §4.1' };
    }
    header = { length, type, flags, stream };
    return { value: frameTypeName(type), clause: 'RFC 9113 §4.1' };
  });
  return header;
}

function lengthNote(length: number, captured: number): string {
  const payload = Math.max(0, captured - HEADER_LENGTH);
  if (payload < length) return `octets of payload, of which ${payload} were captured`;
  return 'octets of payload; the frame header is not counted';
}

function streamNote(stream: number): string {
  if (stream === 0) return 'the connection as a whole';
  return stream % 2 === 1 ? 'opened by the client' : 'opened by the server';
}

/** One child a defined flag, and one for each run of bits that the type gives no meaning. */
function flagBits(parent: Field, type: number, flags: number): Field[] {
  const children: Field[] = [];
  let unusedFrom = 0;
  const unused = (to: number): void => {
    if (to < unusedFrom) return;
    const count = to - unusedFrom + 1;
    const value = (flags >> (7 - to)) & (2 ** count - 1);
    const range = { start: parent.start, end: parent.end, bit: { from: unusedFrom, to } };
    const note = value === 0 ? 'unused' : 'unused, to be ignored, but set';
    children.push(makeField(`${parent.id}.unused${unusedFrom}`, 'Unused', range, value, { note }));
  };
  for (let bit = 0; bit < 8; bit++) {
    const mask = 0x80 >> bit;
    const [name] = flagNames(type, mask);
    if (name === undefined) continue;
    unused(bit - 1);
    const range = { start: parent.start, end: parent.end, bit: { from: bit, to: bit } };
    const set = (flags & mask) !== 0;
    children.push(makeField(`${parent.id}.${name}`, name, range, set ? 1 : 0, { note: set ? 'set' : 'not set' }));
    unusedFrom = bit + 1;
  }
  unused(7);
  return children;
}

const TYPE_CLAUSES: Readonly<Record<number, string>> = {
  [FrameType.DATA]: 'RFC 9113 §6.1',
  [FrameType.HEADERS]: 'RFC 9113 §6.2',
  [FrameType.PRIORITY]: 'RFC 9113 §6.3',
  [FrameType.RST_STREAM]: 'RFC 9113 §6.4',
  [FrameType.SETTINGS]: 'RFC 9113 §6.5',
  [FrameType.PUSH_PROMISE]: 'RFC 9113 §6.6',
  [FrameType.PING]: 'RFC 9113 §6.7',
  [FrameType.GOAWAY]: 'RFC 9113 §6.8',
  [FrameType.WINDOW_UPDATE]: 'RFC 9113 §6.9',
  [FrameType.CONTINUATION]: 'RFC 9113 §6.10',
  10: 'RFC 7838 §4',
  12: 'RFC 8336 §2.1',
  16: 'RFC 9218 §7.1',
};

/** Where the type is defined; unknown ones must be ignored (RFC 9113 §5.5). */
function typeClause(type: number): string {
  return TYPE_CLAUSES[type] ?? 'RFC 9113 §5.5';
}
