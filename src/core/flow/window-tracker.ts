import { Flag, FrameType } from '../../shared/names';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { NO_ROW, RowBit } from '../capture/frames';
import { U32Column } from '../columns';
import type { Side } from '../tcp/types';
import { WindowSamples } from './window-samples';

/** RFC 9113 §6.9.2. */
const INITIAL_WINDOW = 65535;
const DATA = 0;
const WINDOW_UPDATE = 1;
const SETTINGS = 2;
const OPEN = 3;

/**
 * Whose books are kept. The sender counts DATA when it sends it and credit when it gets it; the receiver counts DATA
 * when it gets it and credit when it grants it, but a decrease by SETTINGS only when its acknowledgement has come
 * (RFC 9113 §6.5.3). What a file does not tell about deliveries counts at its arrival at the capture point.
 */
export type WindowView = 'sender' | 'receiver';

/** One direction: DATA sent by `side`, spent from windows that the other side grants. */
class Direction {
  connection: number;
  /** What a new stream starts with, as this view knows it now. */
  initial: number;
  /** Streams on which DATA can still come. */
  readonly open = new Map<number, number>();

  constructor(relative: boolean) {
    this.connection = relative ? 0 : INITIAL_WINDOW;
    this.initial = relative ? 0 : INITIAL_WINDOW;
  }
}

/** Rows of one kind in time order, with how far they have been counted. */
class Queue {
  readonly rows = new U32Column();
  next = 0;
}

/**
 * Follows one connection's flow-control windows. It is given the connection's rows in order (`add`), and counts what
 * has become known (`advance`): every such event lies at or before the capture's newest packet, and none that comes
 * later can lie before it.
 */
export class WindowTracker {
  readonly samples = new WindowSamples();
  /** Joined in the middle: windows start at 0 and only their changes are true. */
  readonly relative: boolean;

  private readonly directions: [Direction, Direction];
  /** What counts at its arrival, of both sides; what counts at its delivery, by the side that sent it. */
  private readonly arriving = new Queue();
  private readonly delivering: [Queue, Queue] = [new Queue(), new Queue()];
  private readonly opened = new Set<number>();

  constructor(
    private readonly capture: Capture,
    private readonly connection: Connection,
    readonly view: WindowView,
  ) {
    this.relative = connection.joined === 'middle';
    this.directions = [new Direction(this.relative), new Direction(this.relative)];
    const { upgradeWindow, clientSide } = connection;
    if (upgradeWindow !== undefined) this.directions[clientSide ^ 1]!.initial = upgradeWindow;
  }

  /** The next row of this connection. */
  add(row: number): void {
    const { frames } = this.capture;
    const bits = frames.bits.get(row);
    if ((bits & RowBit.NON_FRAME) !== 0) {
      if (row === this.upgradeRow()) this.arriving.rows.push(row);
    } else if ((bits & (RowBit.COMPLETE | RowBit.HOLE)) !== 0) {
      this.enqueue(row, frames.type.get(row), bits & RowBit.SIDE);
    }
  }

  private enqueue(row: number, type: number, side: number): void {
    const atArrival = this.view === 'sender' ? type === FrameType.DATA : type !== FrameType.DATA;
    switch (type) {
      case FrameType.DATA:
      case FrameType.WINDOW_UPDATE:
        (atArrival ? this.arriving : this.delivering[side]!).rows.push(row);
        break;
      case FrameType.SETTINGS: {
        const ack = (this.capture.frames.flags.get(row) & Flag.ACK) !== 0;
        // The receiver's decrease waits for the delivery of the acknowledgement; its increase counts when granted.
        if (this.view === 'sender') {
          if (!ack) this.delivering[side]!.rows.push(row);
        } else {
          (ack ? this.delivering[side]! : this.arriving).rows.push(row);
        }
        break;
      }
      case FrameType.HEADERS:
        // It opens a stream when it is sent; the receiver knows of its END_STREAM when it comes.
        this.arriving.rows.push(row);
        if (this.view === 'receiver' && this.endsStream(row)) this.delivering[side]!.rows.push(row);
        break;
      case FrameType.RST_STREAM:
        // Its sender's books change when it is sent, its receiver's when it comes.
        this.arriving.rows.push(row);
        this.delivering[side]!.rows.push(row);
        break;
      default:
        break;
    }
  }

  private endsStream(row: number): boolean {
    return (this.capture.frames.flags.get(row) & Flag.END_STREAM) !== 0;
  }

  /** The HTTP/1.1 request that became stream 1, or NO_ROW. */
  private upgradeRow(): number {
    if (this.connection.protocol !== 'h2c-upgrade' || this.connection.calls.length === 0) return NO_ROW;
    const call = this.connection.calls.get(0);
    return this.capture.calls.stream.get(call) === 1 ? this.capture.calls.startRow.get(call) : NO_ROW;
  }

  /** Takes the earliest of the queues' heads, by time, then by position in the file. */
  advance(): void {
    for (;;) {
      let queue: Queue | undefined;
      let time = Number.POSITIVE_INFINITY;
      let row = NO_ROW;
      const { arriving, delivering } = this;
      if (arriving.next < arriving.rows.length) {
        row = arriving.rows.get(arriving.next);
        time = this.arrival(row);
        queue = arriving;
      }
      for (let side = 0; side < 2; side++) {
        const candidate = delivering[side]!;
        if (candidate.next >= candidate.rows.length) continue;
        const candidateRow = candidate.rows.get(candidate.next);
        const candidateTime = this.delivery(candidateRow);
        if (Number.isNaN(candidateTime)) continue; // on its way: it will count after all that is known now
        if (candidateTime < time || (candidateTime === time && candidateRow < row)) {
          row = candidateRow;
          time = candidateTime;
          queue = candidate;
        }
      }
      if (queue === undefined) return;
      queue.next++;
      this.count(row, time, queue !== arriving);
    }
  }

  private arrival(row: number): number {
    return this.capture.chunks.time.get(this.capture.frames.lastChunk.get(row));
  }

  private delivery(row: number): number {
    const { chunks, frames, hasDeliveries } = this.capture;
    const chunk = frames.lastChunk.get(row);
    return hasDeliveries ? chunks.delivered.get(chunk) : chunks.time.get(chunk);
  }

  private count(row: number, time: number, atDelivery: boolean): void {
    const { frames } = this.capture;
    const side = (frames.bits.get(row) & RowBit.SIDE) as Side;
    const stream = frames.stream.get(row);
    if ((frames.bits.get(row) & RowBit.NON_FRAME) !== 0) {
      this.open(1, row, time);
      return;
    }
    switch (frames.type.get(row)) {
      case FrameType.DATA:
        this.data(row, time, side, stream);
        break;
      case FrameType.WINDOW_UPDATE:
        this.windowUpdate(row, time, (side ^ 1) as Side, stream, frames.aux.get(row));
        break;
      case FrameType.SETTINGS:
        this.settings(row, time, side);
        break;
      case FrameType.HEADERS:
        if (!atDelivery) this.open(stream, row, time);
        if (atDelivery === (this.view === 'receiver') && this.endsStream(row)) {
          this.directions[side].open.delete(stream);
        }
        break;
      case FrameType.RST_STREAM:
        this.directions[atDelivery === (this.view === 'receiver') ? side : side ^ 1]!.open.delete(stream);
        break;
      default:
        break;
    }
  }

  /** Both directions of a stream start with what their receivers grant; a change of 0. */
  private open(stream: number, row: number, time: number): void {
    if (stream === 0 || this.opened.has(stream)) return;
    this.opened.add(stream);
    for (let side = 0; side < 2; side++) {
      const direction = this.directions[side]!;
      direction.open.set(stream, direction.initial);
      this.samples.push(time, side, stream, direction.initial, 0, OPEN, row);
    }
  }

  /** The whole payload counts, padding included (RFC 9113 §6.9.1); the connection's window even after a reset (§6.9). */
  private data(row: number, time: number, side: Side, stream: number): void {
    const { frames } = this.capture;
    const direction = this.directions[side];
    const length = frames.length.get(row);
    if (length > 0) {
      direction.connection -= length;
      this.samples.push(time, side, 0, direction.connection, -length, DATA, row);
      if (this.relative && stream !== 0 && !this.opened.has(stream)) {
        this.opened.add(stream);
        this.directions[0].open.set(stream, 0);
        this.directions[1].open.set(stream, 0);
      }
      const window = direction.open.get(stream);
      if (window !== undefined) {
        direction.open.set(stream, window - length);
        this.samples.push(time, side, stream, window - length, -length, DATA, row);
      }
    }
    if (this.endsStream(row)) direction.open.delete(stream);
  }

  /** @param side whose DATA gets the credit */
  private windowUpdate(row: number, time: number, side: Side, stream: number, increment: number): void {
    if (increment === 0) return;
    const direction = this.directions[side];
    if (stream === 0) {
      direction.connection += increment;
      this.samples.push(time, side, 0, direction.connection, increment, WINDOW_UPDATE, row);
      return;
    }
    const window = direction.open.get(stream);
    if (window === undefined) return; // closed: the credit is of no use (RFC 9113 §5.1)
    direction.open.set(stream, window + increment);
    this.samples.push(time, side, stream, window + increment, increment, WINDOW_UPDATE, row);
  }

  /** RFC 9113 §6.9.2: a new initial size shifts the windows of all open streams, never the connection's. */
  private settings(row: number, time: number, sender: Side): void {
    const { frames } = this.capture;
    const ack = (frames.flags.get(row) & Flag.ACK) !== 0;
    const settingsRow = ack ? frames.aux.get(row) - 1 : row;
    const value = settingsRow < 0 ? undefined : frames.initialWindows.get(settingsRow);
    if (value === undefined || value > 0x7fffffff) return;
    // The side that sent the SETTINGS grants; the other spends.
    const spender = (ack ? sender : sender ^ 1) as Side;
    const direction = this.directions[spender];
    const change = value - direction.initial;
    if (change === 0) return;
    if (this.view === 'receiver' && !ack && change < 0) return; // counts when its acknowledgement comes
    direction.initial = value;
    for (const stream of [...direction.open.keys()].sort((a, b) => a - b)) {
      const window = direction.open.get(stream)! + change;
      direction.open.set(stream, window);
      this.samples.push(time, spender, stream, window, change, SETTINGS, row);
    }
  }
}
