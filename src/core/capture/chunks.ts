import { F64Column, U8Column, U32Column } from '../columns';
import type { Side } from '../tcp/types';

/**
 * What arrived together: in Penstock's own files one socket read at the tap, in others one TCP segment. Ids are rows
 * from 1 (row 0 stands for "no chunk"). Payload stays in the file; segments say where.
 */
export class ChunkTable {
  /** Arrival, nanoseconds since the capture's first packet. */
  readonly time = new F64Column();
  /** When the tap had handed the chunk on; NaN while it has not, or where the file cannot tell. */
  readonly delivered = new F64Column();
  readonly conn = new U32Column();
  readonly side = new U8Column();
  /** Of the first octet in its side's stream. */
  readonly offset = new F64Column();
  readonly length = new U32Column();
  /** The chunk's segments run to the next chunk's first. */
  readonly firstSegment = new U32Column();

  /** Where each segment's octets stand in the capture file. */
  readonly segmentFileOffset = new F64Column();
  readonly segmentLength = new U32Column();

  constructor() {
    this.push(0, 0, 0, 0);
  }

  get count(): number {
    return this.time.length - 1;
  }

  push(conn: number, side: Side, offset: number, time: number): number {
    this.time.push(time);
    this.delivered.push(Number.NaN);
    this.conn.push(conn);
    this.side.push(side);
    this.offset.push(offset);
    this.firstSegment.push(this.segmentLength.length);
    return this.length.push(0);
  }

  /** Adds octets to the newest chunk. */
  extend(fileOffset: number, length: number): void {
    const chunk = this.length.length - 1;
    this.segmentFileOffset.push(fileOffset);
    this.segmentLength.push(length);
    this.length.set(chunk, this.length.get(chunk) + length);
  }

  segmentsEnd(chunk: number): number {
    return chunk + 1 < this.firstSegment.length ? this.firstSegment.get(chunk + 1) : this.segmentLength.length;
  }

  /** File position of the chunk's last octet's segment: the order of arrival. */
  arrivalOrder(chunk: number): number {
    const last = this.segmentsEnd(chunk) - 1;
    return last < 0 ? 0 : this.segmentFileOffset.get(last);
  }
}
