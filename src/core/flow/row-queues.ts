import type { Capture } from '../capture/capture';
import { NO_ROW } from '../capture/frames';
import { U32Column } from '../columns';
import type { Side } from '../tcp/types';

/** Rows of one kind, and how many of them were taken. */
class Queue {
  rows = new U32Column();
  next = 0;
}

/**
 * Rows that count at their arrival at the capture point, and rows that count at their delivery (the same row may be
 * both), taken in order of time, then of place in the file. What a file does not tell about deliveries counts at its
 * arrival.
 */
export class RowQueues {
  private readonly arriving = new Queue();
  /** By the side that sent them: a side's chunks are delivered in order. */
  private readonly delivering: readonly [Queue, Queue] = [new Queue(), new Queue()];

  // What was taken last.
  row = NO_ROW;
  time = 0;
  atDelivery = false;
  /** Rows became known after later ones were taken: segments had come out of order. */
  disordered = false;

  constructor(private readonly capture: Capture) {}

  arrival(row: number): void {
    this.arriving.rows.push(row);
  }

  delivery(row: number, side: Side): void {
    this.delivering[side].rows.push(row);
  }

  /**
   * Takes the next of what is known by now, whatever may still come: all that the file tells later has happened later.
   * @returns false when there is none
   */
  take(): boolean {
    const { capture, arriving, delivering } = this;
    let queue: Queue | undefined;
    let time = Number.POSITIVE_INFINITY;
    let row = NO_ROW;
    let underWay = NO_ROW;
    if (arriving.next < arriving.rows.length) {
      row = arriving.rows.get(arriving.next);
      time = this.arrivalOf(row);
      queue = arriving;
    }
    for (let side = 0; side < 2; side++) {
      const candidate = delivering[side]!;
      if (candidate.next >= candidate.rows.length) continue;
      const head = candidate.rows.get(candidate.next);
      const delivered = this.deliveryOf(head);
      if (Number.isNaN(delivered)) {
        underWay = Math.min(underWay, head);
      } else if (delivered < time || (delivered === time && this.before(head, row))) {
        row = head;
        time = delivered;
        queue = candidate;
      }
    }
    if (queue === undefined) return false;
    // The newest packet's time may be that of the next, too, and that one may deliver a row before this.
    if (underWay < row && time >= capture.lastTime && !capture.ended) return false;
    if (this.row !== NO_ROW && (time < this.time || (time === this.time && this.before(row, this.row)))) {
      this.disordered = true;
    }
    queue.next++;
    this.row = row;
    this.time = time;
    this.atDelivery = queue !== arriving;
    return true;
  }

  /** All rows again, from the first on, in the order that is known when the file is whole. */
  sorted(): RowQueues {
    const again = new RowQueues(this.capture);
    const sorted = ({ rows }: Queue, timeOf: (row: number) => number): U32Column => {
      const order = Array.from({ length: rows.length }, (_, i) => rows.get(i));
      // What was never delivered stays behind all that was.
      const key = (row: number) => (Number.isNaN(timeOf(row)) ? Number.MAX_VALUE : timeOf(row));
      order.sort((a, b) => key(a) - key(b) || this.capture.numberOf(a) - this.capture.numberOf(b));
      const column = new U32Column();
      for (const row of order) column.push(row);
      return column;
    };
    again.arriving.rows = sorted(this.arriving, (row) => this.arrivalOf(row));
    for (const side of [0, 1] as const) {
      again.delivering[side].rows = sorted(this.delivering[side], (row) => this.deliveryOf(row));
    }
    return again;
  }

  private before(row: number, other: number): boolean {
    return this.capture.numberOf(row) < this.capture.numberOf(other);
  }

  private arrivalOf(row: number): number {
    return this.capture.chunks.time.get(this.capture.frames.lastChunk.get(row));
  }

  private deliveryOf(row: number): number {
    const { chunks, frames, hasDeliveries } = this.capture;
    const chunk = frames.lastChunk.get(row);
    return hasDeliveries ? chunks.delivered.get(chunk) : chunks.time.get(chunk);
  }
}
