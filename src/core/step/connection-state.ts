import { Flag, FrameType, NON_FRAME_KINDS } from '../../shared/names';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { RowBit } from '../capture/frames';
import type { U32Column } from '../columns';
import { INITIAL_WINDOW } from '../flow/direction-windows';
import { Half } from '../http2/stream';
import type { Side } from '../tcp/types';
import { goawayIn, promisedIn, type StepOctets, wholeBlock } from './block-octets';
import { HeaderTable } from './header-table';
import type { StepNote } from './notes';
import { SETTINGS_OCTETS, StepSideSettings, settingValues } from './side-settings';
import { canSend, type StepStreamState, StreamTable, stateOf } from './stream-table';

/** PINGs without an answer that are remembered of one connection. */
const OPEN_PINGS = 256;
/** RFC 9113 §6.5.2, §6.9.1. */
const MAX_WINDOW = 0x7fffffff;
/** Notes of one step: a delivery may bring thousands of frames. */
const MAX_NOTES = 48;
const GAP = NON_FRAME_KINDS.indexOf('GAP');

/** What never changes while a connection is stepped through. */
export interface StepContext {
  readonly capture: Capture;
  readonly connection: Connection;
  readonly octets: StepOctets;
  /** The connection's rows by the side that sent them, in order. */
  readonly sent: readonly [U32Column, U32Column];
}

/**
 * One connection after some of its rows, in the order of decoding. Windows are in their sender's books: DATA counts
 * when it is sent, credit when it is delivered (at its arrival where the file tells no deliveries). All else counts
 * when it is sent. Its memory is bounded by what the peers keep open, and by the rows that were looked at.
 */
export class ConnectionState {
  readonly relative: boolean;
  lost = false;
  /** Nanoseconds: the newest arrival so far. */
  time = 0;
  streams = new StreamTable();
  // By the side whose DATA spends them.
  window: [number, number];
  largest: [number, number];
  /** What streams' credit is counted from. */
  initial: [number, number];
  /** SETTINGS_INITIAL_WINDOW_SIZE in the books of who spends; undefined where it was not seen. */
  initialSize: [number | undefined, number | undefined];
  settings: readonly [StepSideSettings, StepSideSettings];
  tables: readonly [HeaderTable, HeaderTable];
  /** Rows of PINGs that nothing has answered. */
  pings: number[] = [];
  /** Rows of each side that were applied, and those of them that were delivered. */
  sentCount: [number, number] = [0, 0];
  deliveredCount: [number, number] = [0, 0];
  flightOctets: [number, number] = [0, 0];
  flightData: [number, number] = [0, 0];
  /** The header block that goes on in CONTINUATION, by side. */
  private block: [OpenBlock | undefined, OpenBlock | undefined] = [undefined, undefined];
  /** Octets at this place were not seen; whether a frame goes on over them is told by the next row. */
  private gap: [number | undefined, number | undefined] = [undefined, undefined];
  private begun = false;
  /** Where what happens now is told, if anywhere. */
  private notes: StepNote[] | undefined;

  constructor(private readonly context: StepContext) {
    const { joined } = context.connection;
    this.relative = joined === 'middle';
    const start = this.relative ? 0 : INITIAL_WINDOW;
    this.window = [start, start];
    this.largest = [start, start];
    this.initial = [start, start];
    this.initialSize = this.relative ? [undefined, undefined] : [INITIAL_WINDOW, INITIAL_WINDOW];
    const { headers } = context.capture;
    this.settings = [new StepSideSettings(), new StepSideSettings()];
    this.tables = [new HeaderTable(headers, this.relative), new HeaderTable(headers, this.relative)];
  }

  clone(): ConnectionState {
    const copy = new ConnectionState(this.context);
    copy.lost = this.lost;
    copy.time = this.time;
    copy.streams = this.streams.clone();
    copy.window = [...this.window];
    copy.largest = [...this.largest];
    copy.initial = [...this.initial];
    copy.initialSize = [...this.initialSize];
    copy.settings = [this.settings[0].clone(), this.settings[1].clone()];
    copy.tables = [this.tables[0].clone(), this.tables[1].clone()];
    copy.pings = [...this.pings];
    copy.sentCount = [...this.sentCount];
    copy.deliveredCount = [...this.deliveredCount];
    copy.flightOctets = [...this.flightOctets];
    copy.flightData = [...this.flightData];
    copy.block = [...this.block];
    copy.gap = [...this.gap];
    copy.begun = this.begun;
    return copy;
  }

  /** What a copy of it takes, counted in things of some hundred octets at most. */
  get weight(): number {
    const { streams, tables, pings } = this;
    return streams.open.size + streams.closed.size + tables[0].count + tables[1].count + pings.length;
  }

  /** A stream's window; undefined where the side can send nothing more on it. */
  windowOf(stream: StepStreamState, side: Side): number | undefined {
    return canSend(stream, side) ? stream.credit[side] + this.initial[side] : undefined;
  }

  /**
   * The connection's next row.
   * @param notes what it does goes there
   * @param meanwhile what was delivered before it goes there
   */
  apply(row: number, notes?: StepNote[], meanwhile?: StepNote[]): void {
    const { capture } = this.context;
    const { frames, chunks, hasDeliveries } = capture;
    this.tables[0].settle();
    this.tables[1].settle();
    const side = (frames.bits.get(row) & RowBit.SIDE) as Side;
    const time = chunks.time.get(frames.lastChunk.get(row));
    if (time > this.time) this.time = time;
    this.notes = meanwhile;
    if (hasDeliveries) this.deliver(meanwhile);
    this.notes = notes;
    this.checkGap(row, side);
    this.sentCount[side]++;
    if (hasDeliveries) this.takeOff(row, side, 1);
    if (frames.isNonFrame(row)) {
      if (frames.type.get(row) === GAP) this.gap[side] = frames.offset.get(row);
    } else if (this.has(row, RowBit.COMPLETE | RowBit.HOLE)) {
      // A frame whose end never came is no frame to its receiver.
      this.frame(row, side);
    }
    // Without a delay it is there at once.
    if (hasDeliveries) this.deliver(undefined);
    else this.land(row, side);
    this.notes = undefined;
  }

  private note(note: StepNote): void {
    if (this.notes !== undefined && this.notes.length < MAX_NOTES) this.notes.push(note);
  }

  // Delivery

  /** All that was delivered by now, in order. @param told how much that was goes there */
  private deliver(told: StepNote[] | undefined): void {
    const { capture, sent } = this.context;
    const landed: [number, number] = [0, 0];
    const octets: [number, number] = [0, 0];
    for (;;) {
      let next = -1;
      let side: Side = 0;
      let earliest = Number.POSITIVE_INFINITY;
      for (const each of [0, 1] as const) {
        if (this.deliveredCount[each] >= this.sentCount[each]) continue;
        const row = sent[each].get(this.deliveredCount[each]);
        const delivered = this.deliveryOf(row);
        if (!(delivered <= this.time)) continue; // NaN: not delivered
        if (delivered < earliest || (delivered === earliest && row < next)) {
          next = row;
          side = each;
          earliest = delivered;
        }
      }
      if (next === -1) break;
      this.deliveredCount[side]++;
      this.takeOff(next, side, -1);
      landed[side]++;
      octets[side] += capture.frames.extent(next);
      this.land(next, side);
    }
    for (const side of [1, 0] as const) {
      if (landed[side] > 0) told?.unshift({ kind: 'delivered', side, frames: landed[side], octets: octets[side] });
    }
  }

  private deliveryOf(row: number): number {
    const { frames, chunks } = this.context.capture;
    const chunk = frames.lastChunk.get(row);
    return chunk === 0 ? 0 : chunks.delivered.get(chunk);
  }

  private takeOff(row: number, side: Side, sign: 1 | -1): void {
    const { frames } = this.context.capture;
    this.flightOctets[side] += sign * frames.extent(row);
    if (!frames.isNonFrame(row) && frames.type.get(row) === FrameType.DATA) {
      this.flightData[side] += sign * frames.length.get(row);
    }
  }

  /** The frame is with its receiver: credit can be spent, settings are known. */
  private land(row: number, side: Side): void {
    const { frames } = this.context.capture;
    if (frames.isNonFrame(row) || !this.has(row, RowBit.COMPLETE | RowBit.HOLE)) return;
    const receiver = (side ^ 1) as Side;
    switch (frames.type.get(row)) {
      case FrameType.WINDOW_UPDATE:
        this.credit(row, receiver, frames.stream.get(row), frames.aux.get(row));
        break;
      case FrameType.SETTINGS:
        if ((frames.flags.get(row) & Flag.ACK) === 0) this.settingsLanded(row, side);
        break;
      case FrameType.RST_STREAM:
        this.resetLanded(row, receiver);
        break;
      default:
        break;
    }
  }

  private credit(row: number, side: Side, id: number, octets: number): void {
    if (octets === 0) return;
    if (id === 0) {
      const before = this.window[side];
      this.window[side] += octets;
      if (this.window[side] > this.largest[side]) this.largest[side] = this.window[side];
      this.note({ kind: 'credited', side, stream: 0, octets, before, window: before + octets, row });
      return;
    }
    const stream = this.streams.get(id);
    const before = stream === undefined ? undefined : this.windowOf(stream, side);
    if (stream === undefined || before === undefined) {
      this.note({ kind: 'credit-unused', side, stream: id, octets, row });
      return;
    }
    stream.credit[side] += octets;
    this.note({ kind: 'credited', side, stream: id, octets, before, window: before + octets, row });
  }

  /** RFC 9113 §6.9.2: a new initial size shifts the windows of all open streams, never the connection's. */
  private settingsLanded(row: number, sender: Side): void {
    this.settings[sender].delivered(row);
    const value = this.context.capture.frames.initialWindows.get(row);
    if (value === undefined || value > MAX_WINDOW) return;
    const side = (sender ^ 1) as Side;
    this.shift(side, value, row);
  }

  /** Who got RST_STREAM sends nothing more (RFC 9113 §5.1). */
  private resetLanded(row: number, receiver: Side): void {
    const stream = this.streams.get(this.context.capture.frames.stream.get(row));
    if (stream === undefined || this.has(row, RowBit.HOLE)) return;
    if (stream.half[receiver] !== Half.RESET) stream.half[receiver] = Half.ENDED;
  }

  private shift(side: Side, value: number, row: number): void {
    // Joined in the middle, the first value tells no change: what was in force before it is not known.
    const change = value - (this.initialSize[side] ?? value);
    this.initialSize[side] = value;
    this.initial[side] += change;
    if (change === 0) return;
    this.note({ kind: 'shifts', side, initial: value, change, streams: this.streams.open.size, row });
  }

  // Frames, as they are sent

  private frame(row: number, side: Side): void {
    const { frames } = this.context.capture;
    if (!this.begun) this.begin(row);
    const id = frames.stream.get(row);
    const flags = frames.flags.get(row);
    const known = id === 0 ? undefined : this.streams.get(id);
    if (known !== undefined) known.lastRow = row;
    switch (frames.type.get(row)) {
      case FrameType.DATA:
        this.data(row, side, id, flags);
        break;
      case FrameType.HEADERS:
        this.headers(row, side, id, flags);
        break;
      case FrameType.PUSH_PROMISE:
        this.pushPromise(row, side, id, flags);
        break;
      case FrameType.CONTINUATION:
        this.continuation(row, side, id, flags);
        break;
      case FrameType.RST_STREAM:
        this.rstStream(row, side, id);
        break;
      case FrameType.SETTINGS:
        this.settingsFrame(row, side, flags);
        break;
      case FrameType.PING:
        this.ping(row, side, flags);
        break;
      case FrameType.GOAWAY:
        this.goaway(row, side);
        break;
      case FrameType.WINDOW_UPDATE:
        this.windowUpdate(row, side, id);
        break;
      default:
        break;
    }
  }

  /** RFC 7540 §3.2: an upgrade's request is stream 1, half-closed by the client, and its settings are in force. */
  private begin(row: number): void {
    this.begun = true;
    const { connection } = this.context;
    if (connection.protocol !== 'h2c-upgrade') return;
    const { clientSide, upgradeWindow } = connection;
    const server = (clientSide ^ 1) as Side;
    if (upgradeWindow !== undefined && upgradeWindow <= MAX_WINDOW) this.shift(server, upgradeWindow, row);
    const stream = this.streams.add(1, [Half.OPEN, Half.OPEN], [0, 0], row);
    stream.half[clientSide] = Half.ENDED;
  }

  private data(row: number, side: Side, id: number, flags: number): void {
    const { frames } = this.context.capture;
    const length = frames.length.get(row);
    const stream = this.usable(id, row);
    const before = stream === undefined ? undefined : this.windowOf(stream, side);
    this.window[side] -= length;
    if (stream !== undefined && before !== undefined) stream.credit[side] -= length;
    const window = before === undefined ? undefined : before - length;
    if (length > 0) {
      this.note({ kind: 'spends', side, stream: id, octets: length, connection: this.window[side], window });
    }
    if ((flags & Flag.END_STREAM) !== 0) this.end(stream, side);
  }

  private headers(row: number, side: Side, id: number, flags: number): void {
    if (id !== 0) this.openByHeaders(row, side, id);
    this.beginBlock(row, side, id, flags, (flags & Flag.END_STREAM) !== 0);
  }

  /** HEADERS on an idle stream open it; a promised one is half-closed by the client from there on (RFC 9113 §5.1). */
  private openByHeaders(row: number, side: Side, id: number): void {
    const known = this.streams.get(id);
    if (known?.half[side] === Half.RESERVED) {
      known.half[side] = Half.OPEN;
      this.note({ kind: 'opens', stream: id, side });
      this.streams.settle(known);
      return;
    }
    if (known !== undefined) return;
    const { clientSide } = this.context.connection;
    const opener = (id & 1) === 1 ? clientSide : clientSide ^ 1;
    // A response tells of a stream that was open before.
    if (!this.streams.isIdle(id) || ((this.relative || this.lost) && side !== opener)) {
      this.usable(id, row);
      return;
    }
    const stream = this.streams.add(id, [Half.OPEN, Half.OPEN], this.startingCredit(), row);
    // A pushed stream's request was the promise: the client sends nothing on it (RFC 9113 §8.4).
    if ((id & 1) === 0 && side !== clientSide) stream.half[clientSide] = Half.ENDED;
    this.note({ kind: 'opens', stream: id, side });
  }

  private pushPromise(row: number, side: Side, id: number, flags: number): void {
    const promised = promisedIn(this.context.octets.payload(row, 5), flags);
    if (promised !== undefined && promised !== 0 && this.streams.get(promised) === undefined) {
      const stream = this.streams.add(promised, [Half.ENDED, Half.ENDED], this.startingCredit(), row);
      stream.half[side] = Half.RESERVED;
      this.note({ kind: 'reserves', stream: promised, side });
    }
    this.beginBlock(row, side, id, flags, false);
  }

  private rstStream(row: number, side: Side, id: number): void {
    const stream = this.usable(id, row);
    if (stream === undefined || this.has(row, RowBit.HOLE)) return;
    stream.half[side] = Half.RESET;
    this.streams.settle(stream);
    const code = this.context.capture.frames.aux.get(row);
    this.note({ kind: 'resets', stream: id, side, code });
  }

  private end(stream: StepStreamState | undefined, side: Side): void {
    if (stream === undefined) return;
    if (stream.half[side] !== Half.OPEN && stream.half[side] !== Half.RESERVED) return;
    stream.half[side] = Half.ENDED;
    this.streams.settle(stream);
    const state = stateOf(stream, this.context.connection.clientSide);
    this.note({ kind: 'ends', stream: stream.id, side, state });
  }

  /** The stream that a frame is on, as far as it can be: one that was opened unseen is taken as open on both sides. */
  private usable(id: number, row: number): StepStreamState | undefined {
    const known = this.streams.get(id);
    if (known !== undefined || id === 0) return known;
    if ((this.relative || this.lost) && this.streams.mayBeUnseen(id)) {
      this.note({ kind: 'unseen', stream: id });
      return this.streams.add(id, [Half.OPEN, Half.OPEN], this.startingCredit(), row);
    }
    this.note({ kind: 'no-stream', stream: id, state: this.streams.isIdle(id) ? 'idle' : 'closed' });
    return undefined;
  }

  /** Joined in the middle, a stream's windows start at 0, whatever the initial size has come to be. */
  private startingCredit(): [number, number] {
    return this.relative ? [-this.initial[0], -this.initial[1]] : [0, 0];
  }

  private settingsFrame(row: number, side: Side, flags: number): void {
    if (this.has(row, RowBit.HOLE)) {
      this.settings[side].lost();
      this.lost = true;
      return;
    }
    if ((flags & Flag.ACK) !== 0) {
      const answered = this.settings[side ^ 1]!.acknowledged();
      if (answered === undefined) this.note({ kind: 'settings-ack-unasked' });
      else this.note({ kind: 'settings-acknowledged', row: answered.row, count: answered.values.size });
      return;
    }
    const values = settingValues(this.context.octets.payload(row, SETTINGS_OCTETS));
    this.settings[side].sent(row, values);
    this.note({ kind: 'settings', side, count: values.size });
  }

  private ping(row: number, side: Side, flags: number): void {
    const { frames, chunks } = this.context.capture;
    if (this.has(row, RowBit.HOLE)) return;
    if ((flags & Flag.ACK) === 0) {
      this.pings.push(row);
      if (this.pings.length > OPEN_PINGS) this.pings.shift();
      this.note({ kind: 'ping', side });
      return;
    }
    const asked = frames.aux.get(row) - 1;
    const at = asked < 0 ? -1 : this.pings.indexOf(asked);
    if (at !== -1) this.pings.splice(at, 1);
    if (asked < 0) this.note({ kind: 'pong-unasked' });
    else {
      const time = this.time - chunks.time.get(frames.lastChunk.get(asked));
      this.note({ kind: 'pong', row: asked, time });
    }
  }

  private goaway(row: number, side: Side): void {
    if (this.notes === undefined) return;
    const read = goawayIn(this.context.octets.payload(row, 8));
    if (read !== undefined) this.note({ kind: 'goaway', side, ...read });
  }

  private windowUpdate(row: number, side: Side, id: number): void {
    if (id !== 0) this.usable(id, row);
    const { capture } = this.context;
    if (!capture.hasDeliveries) return;
    const delivered = this.deliveryOf(row);
    if (delivered <= this.time) return;
    const octets = capture.frames.aux.get(row);
    this.note({ kind: 'grants', to: (side ^ 1) as Side, stream: id, octets, delivered });
  }

  // Header blocks (RFC 9113 §4.3)

  private beginBlock(row: number, side: Side, id: number, flags: number, endStream: boolean): void {
    // Another block inside of one: that one will never be whole, nor the table it would have made.
    if (this.block[side] !== undefined) this.forget(side);
    this.block[side] = undefined;
    if ((flags & Flag.END_HEADERS) !== 0) {
      this.endBlock(row, side, id, endStream);
      return;
    }
    this.block[side] = { stream: id, endStream };
    this.note({ kind: 'block-goes-on', stream: id });
  }

  private continuation(row: number, side: Side, id: number, flags: number): void {
    const open = this.block[side];
    if (open === undefined) {
      this.forget(side);
      return;
    }
    if (open.stream !== id) return;
    if ((flags & Flag.END_HEADERS) === 0) {
      this.note({ kind: 'block-goes-on', stream: id });
      return;
    }
    this.block[side] = undefined;
    this.endBlock(row, side, id, open.endStream);
  }

  private endBlock(row: number, side: Side, id: number, endStream: boolean): void {
    const { capture, octets } = this.context;
    const list = capture.frames.aux.get(row) - 1;
    const table = this.tables[side];
    if (list < 0) this.forget(side);
    else {
      const { maxSize, unknown } = table;
      table.block(wholeBlock(capture, octets, row), list);
      const resized = table.maxSize === maxSize ? undefined : table.maxSize;
      if (!unknown && table.unknown) this.note({ kind: 'table-lost', side });
      if (table.added > 0 || table.evictedCount > 0 || resized !== undefined) {
        const { added, evictedCount: evicted, size } = table;
        this.note({ kind: 'table', side, added, evicted, size, resized });
      }
    }
    if (endStream) this.end(this.streams.get(id), side);
  }

  private forget(side: Side): void {
    this.tables[side].forget();
    this.note({ kind: 'table-lost', side });
  }

  // What was not seen

  /** A frame that goes on over missing octets was told as one row; otherwise what stood there is not known. */
  private checkGap(row: number, side: Side): void {
    const { frames } = this.context.capture;
    const gap = this.gap[side];
    if (gap === undefined || (frames.isNonFrame(row) && frames.type.get(row) === GAP)) return;
    this.gap[side] = undefined;
    if (frames.offset.get(row) <= gap && gap < frames.offset.get(row) + frames.extent(row)) return;
    this.lost = true;
    this.block[side] = undefined;
    this.settings[side].lost();
    this.tables[side].forget();
    this.note({ kind: 'lost', side });
  }

  private has(row: number, bits: number): boolean {
    return (this.context.capture.frames.bits.get(row) & bits) !== 0;
  }
}

interface OpenBlock {
  stream: number;
  endStream: boolean;
}
