import type { FieldReader } from './reader';

/** The nine octets before every frame's payload (RFC 9113 §4.1), read. */
export interface FrameHeader {
  length: number;
  type: number;
  flags: number;
  stream: number;
}

/** Writes down the fields of one frame type's payload. Takes any octets: what is wrong becomes a note. */
export type PayloadDescriber = (payload: FieldReader, header: FrameHeader) => void;
