/** Schema-less protobuf: plain data, without bigint, so that it goes through JSON and between threads as it is. */

export interface OctetRange {
  start: number;
  end: number;
}

/**
 * One way to read a field's value. 64-bit integers are decimal text, as in proto3 JSON; so are `NaN`, `Infinity` and
 * `-Infinity`, which JSON has no numbers for.
 */
export type Reading =
  | { kind: 'uint64' | 'int64' | 'sint64'; value: string }
  | { kind: 'bool'; value: boolean }
  | { kind: 'uint32' | 'int32'; value: number }
  | { kind: 'float' | 'double'; value: number | string }
  /** The octets are a whole message, to the last one. */
  | { kind: 'message'; fields: RawField[] }
  | { kind: 'group'; fields: RawField[] }
  /** Valid UTF-8; `cut` when only its beginning was decoded. */
  | { kind: 'string'; value: string; cut?: true }
  /** The octets of the field's `value` range as they are. */
  | { kind: 'bytes' }
  /** Repeated varints, each as uint64. */
  | { kind: 'packed'; values: string[] };

export interface RawField extends OctetRange {
  /** 1 to 2^29 - 1. */
  number: number;
  /** 0 varint, 1 fixed64, 2 length-delimited, 3 group, 5 fixed32. */
  wireType: 0 | 1 | 2 | 3 | 5;
  tag: OctetRange;
  /** Of a length-delimited field. */
  length?: OctetRange;
  value: OctetRange;
  /** A group's end tag. */
  close?: OctetRange;
  /** The likeliest first; never empty. */
  readings: Reading[];
}

export interface RawError {
  offset: number;
  message: string;
}

export interface RawDecoding {
  fields: RawField[];
  error?: RawError;
}
