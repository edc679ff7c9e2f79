import { NON_FRAME_KINDS, type NonFrameKind } from '../../shared/names';
import type { Side } from '../tcp/types';
import type { Connection } from './connection';
import { type FrameTable, NO_ROW, RowBit } from './frames';

/** Added to a position in NON_FRAME_KINDS where rows are counted by type. */
export const NON_FRAME_TYPE = 256;

/** Writes the rows that are no frame. */
export class RowWriter {
  constructor(
    readonly connection: Connection,
    readonly frames: FrameTable,
  ) {}

  /**
   * A row for the octets `[offset, offset + length)` of a side; `complete` is false where its end never came, `unseen`
   * the octets among them that are in no packet.
   */
  nonFrame(kind: NonFrameKind, side: Side, offset: number, length: number, complete = true, unseen = 0): number {
    const { connection, frames } = this;
    const lastChunk = connection.chunkAt(side, offset + length - 1);
    const firstChunk = connection.firstChunkBefore(side, offset, lastChunk);
    const type = NON_FRAME_KINDS.indexOf(kind);
    const whole = complete && unseen === 0;
    const bits = side | RowBit.NON_FRAME | (whole ? RowBit.COMPLETE : 0) | (unseen === 0 ? 0 : RowBit.HOLE);
    connection.count(side, NON_FRAME_TYPE + type);
    const row = frames.push(firstChunk, lastChunk, offset, length, 0, type, 0, bits, connection.id, NO_ROW);
    if (!whole) frames.captured.set(row, length - unseen);
    return row;
  }

  /** Octets that are in no packet, seen to be missing when the octets after them came. */
  gap(side: Side, offset: number, length: number): void {
    const { connection, frames } = this;
    const chunk = connection.chunkAt(side, offset + length);
    const type = NON_FRAME_KINDS.indexOf('GAP');
    connection.count(side, NON_FRAME_TYPE + type);
    const bits = side | RowBit.NON_FRAME | RowBit.COMPLETE;
    // A row's length has 32 bits; a longer hole is told in several rows.
    for (let from = 0; from < length; from += 0xffffffff) {
      const part = Math.min(length - from, 0xffffffff);
      frames.push(chunk, chunk, offset + from, part, 0, type, 0, bits, connection.id, NO_ROW);
    }
  }
}
