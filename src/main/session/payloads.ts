import type { Capture } from '../../core/capture/capture';
import type { Connection } from '../../core/capture/connection';
import { RowBit } from '../../core/capture/frames';
import type { Side } from '../../core/tcp/types';
import { Flag, FrameType } from '../../shared/names';
import type { ByteSource } from './byte-source';

const FRAME_HEADER_LENGTH = 9;

/** A stretch of one side's octets. */
export interface Place {
  conn: number;
  side: Side;
  offset: number;
  length: number;
}

/** Reads octets of streams back from the capture file. */
export class Payloads {
  constructor(
    private readonly capture: Capture,
    private readonly source: ByteSource,
  ) {}

  /** Octets `[offset, offset + length)` of a side; those that were never seen are left out. */
  octets(connection: Connection, side: Side, offset: number, length: number): Uint8Array {
    // A length may be a claim, or that of a hole: only what is there gets memory.
    let seen = 0;
    const pieces: { fileOffset: number; length: number }[] = [];
    this.walk(connection, side, offset, length, (fileOffset, count) => {
      pieces.push({ fileOffset, length: count });
      seen += count;
    });
    const [first] = pieces;
    if (first !== undefined && pieces.length === 1) return this.source.read(first.fileOffset, first.length);
    const result = new Uint8Array(seen);
    let filled = 0;
    for (const piece of pieces) {
      const octets = this.source.read(piece.fileOffset, piece.length);
      result.set(octets, filled);
      filled += octets.length;
    }
    return filled === seen ? result : result.slice(0, filled);
  }

  /** Where in the file the octets `[offset, offset + length)` of a side stand, piece by piece. */
  private walk(
    connection: Connection,
    side: Side,
    offset: number,
    length: number,
    each: (fileOffset: number, length: number) => void,
  ): void {
    const { chunks } = this.capture;
    const list = connection.sides[side].chunks;
    const end = offset + length;
    for (let position = this.firstChunk(connection, side, offset); position < list.length; position++) {
      const chunk = list.get(position);
      let at = chunks.offset.get(chunk);
      if (at >= end) break;
      const segmentsEnd = chunks.segmentsEnd(chunk);
      for (let segment = chunks.firstSegment.get(chunk); segment < segmentsEnd && at < end; segment++) {
        const segmentLength = chunks.segmentLength.get(segment);
        const from = Math.max(0, offset - at);
        const to = Math.min(segmentLength, end - at);
        if (to > from) each(chunks.segmentFileOffset.get(segment) + from, to - from);
        at += segmentLength;
      }
    }
  }

  /** Position of the last chunk that begins at or before `offset`. */
  private firstChunk(connection: Connection, side: Side, offset: number): number {
    const list = connection.sides[side].chunks;
    const { chunks } = this.capture;
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (chunks.offset.get(list.get(middle)) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** A row's octets, a frame's header included; without what was never seen. */
  row(row: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    const { side, offset, length } = this.placeOf(row);
    return this.octets(this.connectionOf(row), side, offset, Math.min(length, limit));
  }

  /** Where a row stands in its side's octets, as far as it goes on there. */
  placeOf(row: number): Place {
    const { frames } = this.capture;
    const bits = frames.bits.get(row);
    // A frame with a hole ends where it says; one that is cut, where the octets end.
    const cut = (bits & (RowBit.COMPLETE | RowBit.HOLE)) === 0;
    const length = cut ? (frames.captured.get(row) ?? 0) : frames.extent(row);
    return { conn: frames.conn.get(row), side: (bits & RowBit.SIDE) as Side, offset: frames.offset.get(row), length };
  }

  /** Undefined when there is no such chunk. */
  placeOfChunk(chunk: number): Place | undefined {
    const { chunks } = this.capture;
    if (!Number.isInteger(chunk) || chunk < 1 || chunk > chunks.count) return undefined;
    return {
      conn: chunks.conn.get(chunk),
      side: chunks.side.get(chunk) as Side,
      offset: chunks.offset.get(chunk),
      length: chunks.length.get(chunk),
    };
  }

  /** A frame's payload, `limit` octets of it at most. */
  payload(row: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    return this.row(row, FRAME_HEADER_LENGTH + limit).subarray(FRAME_HEADER_LENGTH);
  }

  /** All octets of a chunk. */
  chunk(chunk: number): Uint8Array {
    const { conn, side, offset, length } = this.placeOfChunk(chunk)!;
    return this.octets(this.capture.connections[conn - 1]!, side, offset, length);
  }

  /** Where a DATA row's content stands in its side's octets (RFC 9113 §6.1): without pad length and padding. */
  content(row: number): { offset: number; length: number; padding: number } {
    const { frames } = this.capture;
    const length = frames.length.get(row);
    const start = frames.offset.get(row) + FRAME_HEADER_LENGTH;
    if ((frames.flags.get(row) & Flag.PADDED) === 0 || length === 0) return { offset: start, length, padding: 0 };
    const padLength = this.payload(row, 1)[0] ?? 0;
    if (padLength >= length) return { offset: start + 1, length: 0, padding: length - 1 };
    return { offset: start + 1, length: length - 1 - padLength, padding: padLength };
  }

  connectionOf(row: number): Connection {
    return this.capture.connections[this.capture.frames.conn.get(row) - 1]!;
  }

  /** DATA rows of one side of a stream from `first` to `last`, oldest first. */
  dataRows(first: number, last: number): number[] {
    const { frames } = this.capture;
    const side = frames.bits.get(last) & RowBit.SIDE;
    const rows: number[] = [];
    for (let row = last; row >= first && row < frames.count; row = frames.previousInStream.get(row)) {
      const same = (frames.bits.get(row) & RowBit.SIDE) === side;
      if (same && frames.type.get(row) === FrameType.DATA && !frames.isNonFrame(row)) rows.push(row);
    }
    return rows.reverse();
  }
}
