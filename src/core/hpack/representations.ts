/** Where the representations of a header block stand (RFC 7541 §6). Positions only: no table, no decoding. */

/** Octets of the block, `end` exclusive. */
export interface OctetRange {
  start: number;
  end: number;
}

/** A string literal (RFC 7541 §5.2). `start` and `end` are those of its contents. */
export interface StringLiteral extends OctetRange {
  huffman: boolean;
  /** Octets of the contents as encoded: `end - start`. */
  length: number;
  /** The H bit and the length before the contents. */
  lengthRange: OctetRange;
}

export type LiteralKind = 'literal-incremental' | 'literal-without-indexing' | 'literal-never-indexed';

export interface IndexedField extends OctetRange {
  kind: 'indexed';
  /** Never 0: that is damage. Whether the table has it is not known here. */
  index: number;
  indexRange: OctetRange;
}

export interface LiteralField extends OctetRange {
  kind: LiteralKind;
  /** Of the name; 0 when the name is a literal. */
  index: number;
  indexRange: OctetRange;
  name?: StringLiteral;
  value: StringLiteral;
}

export interface SizeUpdate extends OctetRange {
  kind: 'size-update';
  /** The new maximum size of the dynamic table, octets by RFC 7541 §4.1. */
  sizeUpdate: number;
  indexRange: OctetRange;
  /** A field came before it in this block: it must stand at the beginning (RFC 7541 §4.2). */
  misplaced: boolean;
}

/** Where the walk stopped; covers the rest of the block from the representation that is damaged. */
export interface DamagedRest extends OctetRange {
  kind: 'error';
  code: 'COMPRESSION_ERROR';
  message: string;
  clause: string;
}

export type Representation = IndexedField | LiteralField | SizeUpdate | DamagedRest;

/** RFC 7541 §5.1 lets a decoder set limits: five octets after the prefix hold every value below 2^32. */
const MAX_CONTINUATION_OCTETS = 5;
const MAX_INTEGER = 2 ** 32 - 1;

/**
 * The representations of a whole header block, in order and without gaps. At damage an `error` entry takes the rest of
 * the block: after a broken representation nothing tells where the next one begins.
 */
export function* representationsOf(block: Uint8Array): Generator<Representation> {
  let at = 0;
  let fieldSeen = false;
  while (at < block.length) {
    const next = readRepresentation(block, at, fieldSeen);
    if ('fault' in next) {
      const { fault, clause } = next;
      yield { kind: 'error', start: at, end: block.length, code: 'COMPRESSION_ERROR', message: fault, clause };
      return;
    }
    yield next;
    if (next.kind !== 'size-update') fieldSeen = true;
    at = next.end;
  }
}

/** As `representationsOf`. @param limit entries at most; a block is told as far as they go */
export function walkRepresentations(block: Uint8Array, limit = Number.POSITIVE_INFINITY): Representation[] {
  const found: Representation[] = [];
  for (const representation of representationsOf(block)) {
    if (found.length >= limit) break;
    found.push(representation);
  }
  return found;
}

interface Damage {
  fault: string;
  clause: string;
}

function readRepresentation(
  block: Uint8Array,
  start: number,
  fieldSeen: boolean,
): IndexedField | LiteralField | SizeUpdate | Damage {
  const first = block[start]!;
  if ((first & 0x80) !== 0) return readIndexed(block, start);
  if ((first & 0xc0) === 0x40) return readLiteral(block, start, 'literal-incremental', 6);
  if ((first & 0xe0) === 0x20) {
    const size = readInteger(block, start, 5);
    if ('fault' in size) return size;
    const indexRange = { start, end: size.end };
    return { kind: 'size-update', start, end: size.end, sizeUpdate: size.value, indexRange, misplaced: fieldSeen };
  }
  const never = (first & 0x10) !== 0;
  return readLiteral(block, start, never ? 'literal-never-indexed' : 'literal-without-indexing', 4);
}

function readIndexed(block: Uint8Array, start: number): IndexedField | Damage {
  const index = readInteger(block, start, 7);
  if ('fault' in index) return index;
  if (index.value === 0) return { fault: 'an indexed field has index 0', clause: 'RFC 7541 §6.1' };
  return { kind: 'indexed', start, end: index.end, index: index.value, indexRange: { start, end: index.end } };
}

function readLiteral(block: Uint8Array, start: number, kind: LiteralKind, prefixBits: number): LiteralField | Damage {
  const index = readInteger(block, start, prefixBits);
  if ('fault' in index) return index;
  let at = index.end;
  let name: StringLiteral | undefined;
  if (index.value === 0) {
    const literal = readString(block, at);
    if ('fault' in literal) return literal;
    name = literal;
    at = literal.end;
  }
  const value = readString(block, at);
  if ('fault' in value) return value;
  const indexRange = { start, end: index.end };
  const field: LiteralField = { kind, start, end: value.end, index: index.value, indexRange, value };
  if (name !== undefined) field.name = name;
  return field;
}

function readString(block: Uint8Array, at: number): StringLiteral | Damage {
  if (at >= block.length) return { fault: 'the block ends before a string', clause: 'RFC 7541 §5.2' };
  const huffman = (block[at]! & 0x80) !== 0;
  const length = readInteger(block, at, 7);
  if ('fault' in length) return length;
  const start = length.end;
  const left = block.length - start;
  if (length.value > left) {
    const fault = `a string of ${length.value} octets, and the block has ${left} more`;
    return { fault, clause: 'RFC 7541 §5.2' };
  }
  const lengthRange = { start: at, end: start };
  return { start, end: start + length.value, huffman, length: length.value, lengthRange };
}

function readInteger(block: Uint8Array, at: number, prefixBits: number): { value: number; end: number } | Damage {
  const limit = 2 ** prefixBits - 1;
  let value = block[at]! & limit;
  if (value < limit) return { value, end: at + 1 };
  for (let i = 0; i < MAX_CONTINUATION_OCTETS; i++) {
    const octet = block[at + 1 + i];
    if (octet === undefined) return { fault: 'the block ends inside an integer', clause: 'RFC 7541 §5.1' };
    value += (octet & 0x7f) * 2 ** (7 * i);
    if (value > MAX_INTEGER) return { fault: 'an integer above 2^32 - 1', clause: 'RFC 7541 §5.1' };
    if ((octet & 0x80) === 0) return { value, end: at + 2 + i };
  }
  const fault = `an integer of more than ${MAX_CONTINUATION_OCTETS} octets after its prefix`;
  return { fault, clause: 'RFC 7541 §5.1' };
}
