import type { Capture } from '../../core/capture/capture';
import { NO_ROW, RowBit } from '../../core/capture/frames';
import { Flag, FrameType } from '../../shared/names';

/** What happened to a capture's rows since it was last looked at. Rows and calls count from 0. */
export interface Changes {
  /** Rows `[from, to)` are new. */
  from: number;
  to: number;
  /** Earlier rows that read differently: delivered, answered. */
  rows: number[];
  /** Calls of which earlier rows may be told apart by something new: request, response, trailers, end. */
  calls: Set<number>;
  /** New rows that are on a stream. */
  onStreams: number[];
  /** All rows from this one on read differently: which side is the client was learned late. Else NO_ROW. */
  restart: number;
}

/** Rows of one side that wait for their delivery, oldest first. */
class DeliveryQueue {
  private rows: number[] = [];
  private head = 0;

  get empty(): boolean {
    return this.head === this.rows.length;
  }

  get first(): number {
    return this.rows[this.head]!;
  }

  push(row: number): void {
    this.rows.push(row);
  }

  shift(): void {
    this.head++;
    if (this.head < 1024 || this.head * 2 < this.rows.length) return;
    this.rows = this.rows.slice(this.head);
    this.head = 0;
  }
}

/**
 * Finds which rows of a growing capture changed after they were written. The time of a look is in proportion to what
 * came since the last one, not to the capture.
 */
export class ChangeTracker {
  private seen = 0;
  /** By connection and side. */
  private readonly waiting = new Map<number, DeliveryQueue>();
  /** Connections without a known client: their first row. */
  private readonly clientless = new Map<number, number>();

  constructor(private readonly capture: Capture) {}

  advance(): Changes {
    const { frames } = this.capture;
    const from = this.seen;
    const changes: Changes = { from, to: frames.count, rows: [], calls: new Set(), onStreams: [], restart: NO_ROW };
    this.clients(changes);
    for (let row = from; row < frames.count; row++) this.look(row, changes);
    this.seen = frames.count;
    if (this.capture.hasDeliveries) this.deliveries(changes);
    return changes;
  }

  private clients(changes: Changes): void {
    for (const [conn, row] of this.clientless) {
      const { client } = this.capture.connections[conn - 1]!;
      if (client === undefined) continue;
      this.clientless.delete(conn);
      // Before, side 0 was shown as the client.
      if (client !== 0 && row < changes.restart) changes.restart = row;
    }
  }

  private look(row: number, changes: Changes): void {
    const { frames, connections, chunks, hasDeliveries } = this.capture;
    const conn = frames.conn.get(row);
    if (connections[conn - 1]!.client === undefined && !this.clientless.has(conn)) this.clientless.set(conn, row);
    if (hasDeliveries && Number.isNaN(chunks.delivered.get(frames.lastChunk.get(row)))) this.await(row, conn);
    if ((frames.bits.get(row) & RowBit.NON_FRAME) !== 0) return;

    const stream = frames.stream.get(row);
    if (stream !== 0) changes.onStreams.push(row);
    const flags = frames.flags.get(row);
    switch (frames.type.get(row)) {
      case FrameType.DATA:
        if ((flags & Flag.END_STREAM) !== 0 || frames.previousInStream.get(row) === NO_ROW) this.call(row, changes);
        break;
      case FrameType.HEADERS:
      case FrameType.CONTINUATION:
      case FrameType.RST_STREAM:
        this.call(row, changes);
        break;
      case FrameType.SETTINGS:
      case FrameType.PING: {
        const answered = frames.aux.get(row) - 1;
        if ((flags & Flag.ACK) !== 0 && answered >= 0) changes.rows.push(answered);
        break;
      }
    }
  }

  private call(row: number, { calls }: Changes): void {
    const { frames } = this.capture;
    const call = this.capture.callAt(frames.conn.get(row), frames.stream.get(row));
    if (call !== -1) calls.add(call);
  }

  private await(row: number, conn: number): void {
    const key = conn * 2 + (this.capture.frames.bits.get(row) & RowBit.SIDE);
    let queue = this.waiting.get(key);
    if (queue === undefined) {
      queue = new DeliveryQueue();
      this.waiting.set(key, queue);
    }
    queue.push(row);
  }

  private deliveries(changes: Changes): void {
    const { frames, chunks, calls } = this.capture;
    for (const [key, queue] of this.waiting) {
      while (!queue.empty && !Number.isNaN(chunks.delivered.get(frames.lastChunk.get(queue.first)))) {
        const row = queue.first;
        queue.shift();
        if (row < changes.from) changes.rows.push(row);
        const call =
          frames.stream.get(row) === 0 ? -1 : this.capture.callAt(frames.conn.get(row), frames.stream.get(row));
        if (call !== -1 && calls.endRow.get(call) === row) changes.calls.add(call);
      }
      if (queue.empty) this.waiting.delete(key);
    }
  }
}
