import type { Capture } from '../../core/capture/capture';
import type { Connection } from '../../core/capture/connection';
import { RowBit } from '../../core/capture/frames';
import type { Side } from '../../core/tcp/types';
import { Flag, FrameType } from '../../shared/names';
import type { ByteSource } from './byte-source';

const FRAME_HEADER_LENGTH = 9;

/** Reads octets of streams back from the capture file. */
export class Payloads {
  constructor(
    private readonly capture: Capture,
    private readonly source: ByteSource,
  ) {}

  /** Octets `[offset, offset + length)` of a side; those that were never seen are left out. */
  octets(connection: Connection, side: Side, offset: number, length: number): Uint8Array {
    const { chunks } = this.capture;
    const list = connection.sides[side].chunks;
    const result = new Uint8Array(length);
    let filled = 0;
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
        if (to > from) {
          const octets = this.source.read(chunks.segmentFileOffset.get(segment) + from, to - from);
          result.set(octets, filled);
          filled += octets.length;
        }
        at += segmentLength;
      }
    }
    return filled === length ? result : result.slice(0, filled);
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
    const { frames } = this.capture;
    const side = (frames.bits.get(row) & RowBit.SIDE) as Side;
    const length = Math.min(frames.captured.get(row) ?? frames.extent(row), limit);
    return this.octets(this.connectionOf(row), side, frames.offset.get(row), length);
  }

  /** A frame's payload, `limit` octets of it at most. */
  payload(row: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    return this.row(row, FRAME_HEADER_LENGTH + limit).subarray(FRAME_HEADER_LENGTH);
  }

  /** All octets of a chunk. */
  chunk(chunk: number): Uint8Array {
    const { chunks } = this.capture;
    const connection = this.capture.connections[chunks.conn.get(chunk) - 1]!;
    return this.octets(connection, chunks.side.get(chunk) as Side, chunks.offset.get(chunk), chunks.length.get(chunk));
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
