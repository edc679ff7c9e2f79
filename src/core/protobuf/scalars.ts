import type { Reading } from './raw-types';

/** Octets of the longest varint: 64 bits in groups of seven. */
const MAX_VARINT_OCTETS = 10;

/**
 * A base-128 varint of at most 64 bits, before `end`.
 * @returns the value and where it ends, or in words why there is none
 */
export function readVarint(bytes: Uint8Array, start: number, end: number): { value: bigint; end: number } | string {
  // Up to 2^49 in a number; beyond that in a bigint, which is far slower.
  let low = 0;
  let high = 0n;
  for (let i = 0; i < MAX_VARINT_OCTETS; i++) {
    const at = start + i;
    if (at >= end) return 'the octets end inside a varint';
    const octet = bytes[at]!;
    if (i === MAX_VARINT_OCTETS - 1 && octet > 1) return 'a varint above 64 bits';
    if (i < 7) low += (octet & 0x7f) * 2 ** (7 * i);
    else high |= BigInt(octet & 0x7f) << BigInt(7 * i);
    if (octet < 0x80) return { value: BigInt(low) | high, end: at + 1 };
  }
  return 'a varint of more than ten octets';
}

/** Wire type 0: uint64, int64 (two's complement), sint64 (zigzag), and bool for 0 and 1. */
export function varintReadings(value: bigint): Reading[] {
  const readings: Reading[] = [
    { kind: 'uint64', value: value.toString() },
    { kind: 'int64', value: BigInt.asIntN(64, value).toString() },
    { kind: 'sint64', value: ((value >> 1n) ^ -(value & 1n)).toString() },
  ];
  if (value <= 1n) readings.push({ kind: 'bool', value: value === 1n });
  return readings;
}

/** Wire type 5, little-endian. The four octets must be there. */
export function fixed32Readings(bytes: Uint8Array, start: number): Reading[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, 4);
  return [
    { kind: 'uint32', value: view.getUint32(0, true) },
    { kind: 'int32', value: view.getInt32(0, true) },
    { kind: 'float', value: jsonNumber(view.getFloat32(0, true)) },
  ];
}

/** Wire type 1, little-endian. The eight octets must be there. */
export function doubleReadings(bytes: Uint8Array, start: number): Reading[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, 8);
  return [
    { kind: 'uint64', value: view.getBigUint64(0, true).toString() },
    { kind: 'int64', value: view.getBigInt64(0, true).toString() },
    { kind: 'double', value: jsonNumber(view.getFloat64(0, true)) },
  ];
}

/** Values of a packed field that are listed; with more the reading is not offered. */
const PACKED_LIMIT = 1024;

/** Packed varints, when the octets are whole varints in their shortest form. Undefined for no octets. */
export function packedReading(bytes: Uint8Array, start: number, end: number): Reading | undefined {
  if (start === end) return undefined;
  const values: string[] = [];
  let at = start;
  while (at < end) {
    const varint = readVarint(bytes, at, end);
    if (typeof varint === 'string' || values.length === PACKED_LIMIT) return undefined;
    // A last octet of zero adds nothing: an encoder would have left it out.
    if (varint.end - at > 1 && bytes[varint.end - 1] === 0) return undefined;
    values.push(varint.value.toString());
    at = varint.end;
  }
  return { kind: 'packed', values };
}

function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
