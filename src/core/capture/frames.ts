import type { Fault } from '../../shared/records';
import { F64Column, U8Column, U32Column } from '../columns';

/** Bits of `FrameTable.bits`. */
export const RowBit = {
  /** Which TCP side sent it. */
  SIDE: 0x01,
  /** The last octet was seen. */
  COMPLETE: 0x02,
  /** The reserved bit before the stream identifier was set. */
  RESERVED: 0x04,
  /** `type` is a position in NON_FRAME_KINDS. */
  NON_FRAME: 0x08,
  FAULT: 0x10,
  /** Octets inside the frame were never seen. */
  HOLE: 0x20,
} as const;

/** "No row", in columns that name one. */
export const NO_ROW = 0xffffffff;

/** Faults kept at most, so that a hostile capture cannot fill the memory with them; the count goes on. */
const MAX_FAULTS = 1_000_000;
/** Of one row: a frame of 16 MiB can have millions, and nobody reads on after a few. */
const MAX_ROW_FAULTS = 32;

/** One row per frame, and per what stands between frames, in the order of decoding. */
export class FrameTable {
  readonly firstChunk = new U32Column();
  readonly lastChunk = new U32Column();
  /** Of the first octet in its side's stream. */
  readonly offset = new F64Column();
  /** Frames: of the payload. Other rows: of the whole. */
  readonly length = new U32Column();
  readonly stream = new U32Column();
  readonly type = new U8Column();
  readonly flags = new U8Column();
  readonly bits = new U8Column();
  readonly conn = new U32Column();
  /**
   * By type. HEADERS, PUSH_PROMISE, CONTINUATION that complete a block: header list + 1. DATA: first message + 1.
   * WINDOW_UPDATE: increment. RST_STREAM: error code. PING, SETTINGS: row of the ACK + 1; with ACK: of what it answers + 1.
   */
  readonly aux = new U32Column();
  /** The row before it of the same stream (not for stream 0), or NO_ROW. */
  readonly previousInStream = new U32Column();

  readonly faults = new Map<number, Fault[]>();
  faultCount = 0;
  /** Rows that carry a header block, on the row that completes it, where it needed more than one. */
  readonly blocks = new Map<number, number[]>();
  /** SETTINGS_INITIAL_WINDOW_SIZE of the SETTINGS rows that have it; the last value counts (RFC 9113 §6.5.3). */
  readonly initialWindows = new Map<number, number>();
  /** Octets seen, of rows that are not complete. */
  readonly captured = new Map<number, number>();

  get count(): number {
    return this.type.length;
  }

  push(
    firstChunk: number,
    lastChunk: number,
    offset: number,
    length: number,
    stream: number,
    type: number,
    flags: number,
    bits: number,
    conn: number,
    previousInStream: number,
  ): number {
    this.firstChunk.push(firstChunk);
    this.lastChunk.push(lastChunk);
    this.offset.push(offset);
    this.length.push(length);
    this.stream.push(stream);
    this.type.push(type);
    this.flags.push(flags);
    this.bits.push(bits);
    this.conn.push(conn);
    this.previousInStream.push(previousInStream);
    return this.aux.push(0);
  }

  fault(row: number, fault: Fault): void {
    this.faultCount++;
    this.bits.set(row, this.bits.get(row) | RowBit.FAULT);
    if (this.faultCount > MAX_FAULTS) return;
    const list = this.faults.get(row);
    if (list === undefined) this.faults.set(row, [fault]);
    else if (list.length < MAX_ROW_FAULTS) list.push(fault);
  }

  isNonFrame(row: number): boolean {
    return (this.bits.get(row) & RowBit.NON_FRAME) !== 0;
  }

  /** Octets from the row's first to its last, header included. */
  extent(row: number): number {
    return this.isNonFrame(row) ? this.length.get(row) : this.length.get(row) + 9;
  }
}
