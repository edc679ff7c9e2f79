import type { Direction, FrameRecord } from './records';

/** What the detail pane and the hex view show of one frame, tied to octets both ways. */

/** Octets `[start, end)` of the frame with number `n`, its nine-octet header counted. */
export interface Span {
  n: number;
  start: number;
  end: number;
}

/**
 * One line of the field tree. A field may stand in several frames: a header field over CONTINUATION, a message over
 * DATA. Ids are stable paths, unique in a detail.
 */
export interface DetailField {
  id: string;
  label: string;
  value: string;
  spans: Span[];
  /** The bits `from` to `to`, both included, from the most significant bit of the first octet. */
  bit?: { from: number; to: number };
  note?: string;
  clause?: string;
  fault?: boolean;
  children?: DetailField[];
}

/** A frame's part of a chunk; `start` is below 0 where the frame began in an earlier chunk. */
export interface ChunkPart {
  n: number;
  type: string;
  typeId: number | null;
  start: number;
  end: number;
}

export interface ChunkDetail {
  id: number;
  conn: number;
  dir: Direction;
  t: number;
  delivered?: number | null;
  length: number;
  parts: ChunkPart[];
  /** More frames than are listed. */
  cut: boolean;
}

export interface FrameDetail {
  frame: FrameRecord;
  /** What the frame means, a sentence each. */
  words: string[];
  fields: DetailField[];
  chunk: ChunkDetail | null;
  /** Octets of the frame that were seen. */
  captured: number;
  previousInStream: number | null;
  nextInStream: number | null;
  /** Index of the call that the frame belongs to. */
  call: number | null;
}
