import { Flag, FrameType } from '../../shared/names';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { RowBit } from '../capture/frames';
import type { Side } from '../tcp/types';
import { DirectionWindows, INITIAL_WINDOW } from './direction-windows';
import { InitialSize } from './initial-size';
import { RowQueues } from './row-queues';
import { SeenStreams } from './seen-streams';
import { WindowCause, WindowSamples } from './window-samples';

/** RFC 9113 §6.5.2, §6.9.1. */
const MAX_WINDOW = 0x7fffffff;

/**
 * Samples that SETTINGS may give, besides so many for each row: a SETTINGS frame changes all open streams, so that
 * some thousand of both, 100 kB of capture, would give millions. Beyond it windows change without a sample.
 */
const SETTINGS_SAMPLES = 1024;
const SETTINGS_SAMPLES_PER_ROW = 16;

/**
 * Whose books are kept. The sender counts DATA when it sends it and credit when it gets it; the receiver counts DATA
 * when it gets it and credit when it grants it, but a decrease by SETTINGS only when its acknowledgement has come
 * (RFC 9113 §6.5.3). What a file does not tell about deliveries counts at its arrival at the capture point.
 */
export type WindowView = 'sender' | 'receiver';

/**
 * Follows one connection's flow-control windows (RFC 9113 §5.2, §6.9). It is given the connection's rows in order
 * (`add`) and counts what has become known (`advance`).
 */
export class WindowTracker {
  readonly samples = new WindowSamples();
  /** Joined in the middle: windows start at 0 and only their changes are true. */
  relative = false;
  /** Changes of windows by SETTINGS that have no sample: there were too many. */
  unsampled = 0;

  private queues: RowQueues;
  private rows = 0;
  private settingsSamples = 0;
  private begun = false;

  // By the side whose DATA spends them.
  private windows!: readonly [DirectionWindows, DirectionWindows];
  private initial!: readonly [InitialSize, InitialSize];
  private readonly streams = new SeenStreams();

  constructor(
    private readonly capture: Capture,
    private readonly connection: Connection,
    readonly view: WindowView,
  ) {
    this.queues = new RowQueues(capture);
  }

  /** Segments had come out of order: samples are not in the order of time. `reordered` is, once the file is whole. */
  get disordered(): boolean {
    return this.queues.disordered;
  }

  reordered(): WindowTracker {
    const again = new WindowTracker(this.capture, this.connection, this.view);
    again.begin();
    again.rows = this.rows;
    again.queues = this.queues.sorted();
    return again;
  }

  /** The next row of this connection. */
  add(row: number): void {
    const { frames } = this.capture;
    const bits = frames.bits.get(row);
    // A frame whose end never came is no frame to its receiver; one with a hole was whole to it.
    if ((bits & RowBit.NON_FRAME) !== 0 || (bits & (RowBit.COMPLETE | RowBit.HOLE)) === 0) return;
    if (!this.begun) this.begin();
    this.rows++;
    this.enqueue(row, frames.type.get(row), (bits & RowBit.SIDE) as Side);
  }

  /** With the first frame it is known how the connection began. */
  private begin(): void {
    this.begun = true;
    const { connection, capture } = this;
    const { clientSide, upgradeWindow } = connection;
    this.relative = connection.joined === 'middle';
    this.windows = [new DirectionWindows(this.relative), new DirectionWindows(this.relative)];
    const initial = () => new InitialSize(this.relative ? undefined : INITIAL_WINDOW);
    this.initial = [initial(), initial()];
    if (connection.protocol !== 'h2c-upgrade') return;
    // RFC 7540 §3.2: HTTP2-Settings stands for the client's first SETTINGS, acknowledged by the answer 101; the
    // HTTP/1.1 request is stream 1, on which the client sends no more.
    const server = (clientSide ^ 1) as Side;
    if (upgradeWindow !== undefined && upgradeWindow <= MAX_WINDOW) {
      this.windows[server].shift(this.initial[server].set(upgradeWindow));
    }
    const call = connection.calls.length === 0 ? -1 : connection.calls.get(0);
    if (call !== -1 && capture.calls.stream.get(call) === 1) this.queues.arrival(capture.calls.startRow.get(call));
  }

  private enqueue(row: number, type: number, side: Side): void {
    const { queues } = this;
    const sender = this.view === 'sender';
    switch (type) {
      case FrameType.DATA:
        if (sender) queues.arrival(row);
        else queues.delivery(row, side);
        break;
      case FrameType.WINDOW_UPDATE:
        if (sender) queues.delivery(row, side);
        else queues.arrival(row);
        break;
      case FrameType.SETTINGS:
        if (this.isAck(row)) {
          if (!sender) queues.delivery(row, side);
        } else if (sender) queues.delivery(row, side);
        else queues.arrival(row);
        break;
      case FrameType.HEADERS:
        // It opens a stream when it is sent; the receiver knows of its END_STREAM when it comes.
        queues.arrival(row);
        if (!sender && this.endsStream(row)) queues.delivery(row, side);
        break;
      case FrameType.RST_STREAM:
        // Its sender's books change when it is sent, its receiver's when it comes.
        queues.arrival(row);
        queues.delivery(row, side);
        break;
      default:
        break;
    }
  }

  /** Counts all that is known by now. */
  advance(): void {
    const { queues } = this;
    while (queues.take()) this.count(queues.row, queues.time, queues.atDelivery);
  }

  private count(row: number, time: number, atDelivery: boolean): void {
    const { frames } = this.capture;
    const bits = frames.bits.get(row);
    const side = (bits & RowBit.SIDE) as Side;
    if ((bits & RowBit.NON_FRAME) !== 0) {
      this.open(1, row, time);
      this.windows[side].close(1);
      return;
    }
    const stream = frames.stream.get(row);
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
        this.headers(row, time, side, stream, atDelivery);
        break;
      case FrameType.RST_STREAM: {
        // Its sender has nothing more to send and takes nothing more.
        const own = atDelivery === (this.view === 'receiver');
        this.windows[own ? side : ((side ^ 1) as Side)].close(stream);
        break;
      }
      default:
        break;
    }
  }

  private headers(row: number, time: number, side: Side, stream: number, atDelivery: boolean): void {
    if (!atDelivery && stream !== 0) {
      const fromClient = side === this.connection.clientSide;
      // Joined in the middle, a response tells of a stream that was open before.
      if (this.relative && fromClient !== ((stream & 1) === 1)) this.find(stream);
      else this.open(stream, row, time);
      // A pushed stream's request was the promise: the client sends nothing on it (RFC 9113 §8.4).
      if (!fromClient && (stream & 1) === 0) this.windows[(side ^ 1) as Side].close(stream);
    }
    if (atDelivery === (this.view === 'receiver') && this.endsStream(row)) this.windows[side].close(stream);
  }

  /** Both directions of a stream start with what their receivers grant; the client's stands first. */
  private open(stream: number, row: number, time: number): void {
    if (!this.streams.isNew(stream)) return;
    const client = this.connection.clientSide;
    for (const side of [client, (client ^ 1) as Side]) {
      this.samples.push(time, side, stream, this.windows[side].open(stream), 0, WindowCause.OPEN, row);
    }
  }

  /** A stream that was opened before the capture joined in, seen for the first time. */
  private find(stream: number): void {
    if (!this.relative || stream === 0 || !this.streams.isNew(stream)) return;
    this.windows[0].open(stream);
    this.windows[1].open(stream);
  }

  /** The whole payload counts, padding included (RFC 9113 §6.9.1); for the connection even after a reset (§5.1). */
  private data(row: number, time: number, side: Side, stream: number): void {
    const windows = this.windows[side];
    const length = this.capture.frames.length.get(row);
    this.find(stream);
    if (length > 0) {
      windows.connection -= length;
      this.samples.push(time, side, 0, windows.connection, -length, WindowCause.DATA, row);
      const window = windows.add(stream, -length);
      if (window !== undefined) this.samples.push(time, side, stream, window, -length, WindowCause.DATA, row);
    }
    if (this.endsStream(row)) windows.close(stream);
  }

  /** @param side whose DATA gets the credit; a stream that is closed to it has no use for it (RFC 9113 §5.1) */
  private windowUpdate(row: number, time: number, side: Side, stream: number, increment: number): void {
    if (increment === 0) return;
    const windows = this.windows[side];
    if (stream === 0) {
      windows.connection += increment;
      this.samples.push(time, side, 0, windows.connection, increment, WindowCause.WINDOW_UPDATE, row);
      return;
    }
    this.find(stream);
    const window = windows.add(stream, increment);
    if (window !== undefined) {
      this.samples.push(time, side, stream, window, increment, WindowCause.WINDOW_UPDATE, row);
    }
  }

  /** RFC 9113 §6.9.2: a new initial size shifts the windows of all open streams, never the connection's. */
  private settings(row: number, time: number, sender: Side): void {
    const { frames } = this.capture;
    const ack = this.isAck(row);
    // The side that sent the SETTINGS grants; the other, which acknowledges them, spends.
    const spender = (ack ? sender : sender ^ 1) as Side;
    const initial = this.initial[spender];
    if (ack) {
      const answered = frames.aux.get(row) - 1;
      if (answered >= 0) this.shift(row, time, spender, initial.acknowledged(answered));
      return;
    }
    const value = frames.initialWindows.get(row);
    if (value === undefined || value > MAX_WINDOW) return; // §6.5.2: a connection error, nothing to go by
    this.shift(row, time, spender, this.view === 'sender' ? initial.set(value) : initial.sent(row, value));
  }

  private shift(row: number, time: number, side: Side, change: number): void {
    if (change === 0) return;
    const windows = this.windows[side];
    windows.shift(change);
    if (this.settingsSamples + windows.openCount > SETTINGS_SAMPLES + this.rows * SETTINGS_SAMPLES_PER_ROW) {
      this.unsampled += windows.openCount;
      return;
    }
    this.settingsSamples += windows.openCount;
    for (const stream of windows.openStreams()) {
      this.samples.push(time, side, stream, windows.window(stream)!, change, WindowCause.SETTINGS, row);
    }
  }

  private isAck(row: number): boolean {
    return (this.capture.frames.flags.get(row) & Flag.ACK) !== 0;
  }

  private endsStream(row: number): boolean {
    return (this.capture.frames.flags.get(row) & Flag.END_STREAM) !== 0;
  }
}
