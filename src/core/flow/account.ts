import { Flag, FrameType, NON_FRAME_KINDS } from '../../shared/names';
import type { AccountRecord, Fault } from '../../shared/records';
import { MessageBit } from '../capture/calls';
import type { Capture } from '../capture/capture';
import { NO_ROW, RowBit } from '../capture/frames';
import type { Side } from '../tcp/types';
import { type SideTally, slotOf, Tally } from './account-tally';
import { PlainSizes } from './plain-sizes';

/** What is counted. Times are nanoseconds: rows that arrived at `from` or later and before `to`. */
export interface AccountScope {
  /** One connection, from 1. */
  conn?: number;
  /** One stream of it; 0 is the connection itself. */
  stream?: number;
  from?: number;
  to?: number;
}

/** One account beside those of the connections `first` to `first + count - 1`, as far as they are there. */
export interface Accounts {
  whole: AccountRecord;
  connections: AccountRecord[];
}

const GAP = NON_FRAME_KINDS.indexOf('GAP');

/** The account of a capture, of a connection or of a stream, over the whole time or a part of it. */
export function accountOf(capture: Capture, scope: AccountScope = {}): AccountRecord {
  return new Counting(capture, scope, 1, 0).run().whole;
}

/**
 * The account of the whole capture and those of some connections, counted together.
 * @param first the first connection, from 1
 * @param count of them: each takes some 2 KB while it is counted
 */
export function accountsOf(
  capture: Capture,
  first: number,
  count: number,
  scope: Pick<AccountScope, 'from' | 'to'> = {},
): Accounts {
  return new Counting(capture, scope, first, count).run();
}

/**
 * One pass over the rows, one over the chunks, the calls and the messages each. Besides the accounts it takes eight
 * octets for each chunk of the capture.
 */
class Counting {
  private readonly whole: Tally;
  private readonly singles: Tally[];
  private readonly from: number;
  private readonly to: number;
  private readonly conn: number | undefined;
  private readonly stream: number | undefined;
  /** By chunk: slots of the rows that have octets in it, as bits; calls that have. */
  private readonly slotsIn: Uint32Array;
  private readonly callsIn: Uint32Array;
  private readonly seen: Uint8Array;
  private readonly plain: PlainSizes;

  constructor(
    private readonly capture: Capture,
    { conn, stream, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: AccountScope,
    private readonly first: number,
    count: number,
  ) {
    this.from = from;
    this.to = to;
    this.conn = conn;
    this.stream = stream;
    this.whole = new Tally(conn ?? null, stream ?? null);
    const last = Math.min(first + count - 1, capture.connections.length);
    this.singles = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => new Tally(first + i, null));
    this.slotsIn = new Uint32Array(capture.chunks.count + 1);
    this.callsIn = new Uint32Array(capture.chunks.count + 1);
    this.seen = new Uint8Array(capture.connections.length + 1);
    this.plain = new PlainSizes(capture.headers);
  }

  run(): Accounts {
    this.countRows();
    this.countChunks();
    this.countCalls();
    this.countMessages();
    return { whole: this.whole.record(), connections: this.singles.map((tally) => tally.record()) };
  }

  private countRows(): void {
    const { frames } = this.capture;
    const { conn, stream } = this;
    for (let row = 0; row < frames.count; row++) {
      const of = frames.conn.get(row);
      if (conn !== undefined && of !== conn) continue;
      const bits = frames.bits.get(row);
      if (stream !== undefined && (frames.stream.get(row) !== stream || (bits & RowBit.NON_FRAME) !== 0)) continue;
      const time = this.timeOf(row);
      if (time < this.from || time >= this.to) continue;
      const type = frames.type.get(row);
      const slot = slotOf(type, (bits & RowBit.NON_FRAME) !== 0);
      this.count(this.whole, of, row, time, type, bits, slot);
      const single = this.singles[of - this.first];
      if (single !== undefined) this.count(single, of, row, time, type, bits, slot);
      this.markChunks(row, of, type, bits, slot);
    }
  }

  private count(tally: Tally, conn: number, row: number, time: number, type: number, bits: number, slot: number): void {
    const { frames } = this.capture;
    const side = this.sideOf(tally, conn, (bits & RowBit.SIDE) as Side);
    tally.saw(conn, time, this.seen);
    const bytes =
      (bits & RowBit.COMPLETE) !== 0 ? frames.extent(row) : (frames.captured.get(row) ?? frames.extent(row));
    side.row(slot, bytes);
    if ((bits & RowBit.NON_FRAME) !== 0) {
      if (type !== GAP) side.bytes += bytes;
      return;
    }
    side.bytes += bytes;
    side.frames++;
    switch (type) {
      case FrameType.DATA:
        break;
      case FrameType.HEADERS:
      case FrameType.CONTINUATION:
      case FrameType.PUSH_PROMISE:
        this.headerRow(side, row, type, bits, bytes);
        break;
      default:
        side.controlFrames++;
        side.controlBytes += bytes;
        if (type !== FrameType.PING) break;
        if ((frames.flags.get(row) & Flag.ACK) === 0) side.pings++;
        else side.pingAcks++;
    }
  }

  private headerRow(side: SideTally, row: number, type: number, bits: number, bytes: number): void {
    const { frames } = this.capture;
    const flags = frames.flags.get(row);
    // Before the fragment stand the priority fields of HEADERS (§6.2), the promised stream of PUSH_PROMISE (§6.6).
    const priority = type === FrameType.HEADERS && (flags & Flag.PRIORITY) !== 0;
    const before = priority ? 5 : type === FrameType.PUSH_PROMISE ? 4 : 0;
    side.headerBytes += Math.max(0, bytes - 9 - before);
    if ((flags & Flag.END_HEADERS) === 0) return;
    side.headerBlocks++;
    const list = frames.aux.get(row);
    // What was read of a block before the fault is a part of it, which says nothing of its size.
    const faulty = (bits & RowBit.FAULT) !== 0 && frames.faults.get(row)?.some(isCompressionFault) === true;
    if (list === 0 || faulty) side.headerBlocksUnread++;
    else side.headerBytesPlain += this.plain.of(list - 1);
  }

  /** Notes in a row's chunks of what type it is, and whether they have a call that they did not have before. */
  private markChunks(row: number, conn: number, type: number, bits: number, slot: number): void {
    const { frames, connections } = this.capture;
    const first = frames.firstChunk.get(row);
    const last = frames.lastChunk.get(row);
    const bit = 1 << slot;
    const ofCall = (bits & RowBit.NON_FRAME) === 0 && isOfCall(type, frames.stream.get(row));
    this.slotsIn[first]! |= bit;
    if (ofCall && this.chunkBefore(row) !== first) this.callsIn[first]!++;
    if (first === last) return;
    const { chunks } = connections[conn - 1]!.sides[(bits & RowBit.SIDE) as Side];
    for (let at = positionAfter(chunks, first); at < chunks.length; at++) {
      const chunk = chunks.get(at);
      if (chunk > last) break;
      this.slotsIn[chunk]! |= bit;
      if (ofCall) this.callsIn[chunk]!++;
    }
  }

  /**
   * The last chunk of the frame of the same call and side before a row. Each frame is passed once for each side's next
   * one, so all rows together take no more than two passes.
   */
  private chunkBefore(row: number): number {
    const { frames } = this.capture;
    const side = frames.bits.get(row) & RowBit.SIDE;
    const stream = frames.stream.get(row);
    for (let at = frames.previousInStream.get(row); at !== NO_ROW; at = frames.previousInStream.get(at)) {
      if (frames.stream.get(at) !== stream) break;
      if ((frames.bits.get(at) & RowBit.SIDE) !== side) continue;
      if (isOfCall(frames.type.get(at), stream)) return frames.lastChunk.get(at);
    }
    return 0;
  }

  private countChunks(): void {
    const { chunks } = this.capture;
    for (let chunk = 1; chunk <= chunks.count; chunk++) {
      const conn = chunks.conn.get(chunk);
      if (this.conn !== undefined && conn !== this.conn) continue;
      const slots = this.slotsIn[chunk]!;
      if (this.stream !== undefined && slots === 0) continue;
      const time = chunks.time.get(chunk);
      if (time < this.from || time >= this.to) continue;
      const side = chunks.side.get(chunk) as Side;
      this.sideOf(this.whole, conn, side).chunk(slots, this.callsIn[chunk]!);
      const single = this.singles[conn - this.first];
      if (single !== undefined) this.sideOf(single, conn, side).chunk(slots, this.callsIn[chunk]!);
    }
  }

  private countCalls(): void {
    const { calls } = this.capture;
    for (let call = 0; call < calls.count; call++) {
      if (!this.isAsked(call)) continue;
      const start = calls.startRow.get(call);
      const last = calls.lastRow.get(call);
      if (last === NO_ROW || this.timeOf(last) < this.from) continue;
      if (this.timeOf(start === NO_ROW ? last : start) >= this.to) continue;
      this.whole.calls++;
      const single = this.singles[calls.conn.get(call) - this.first];
      if (single !== undefined) single.calls++;
    }
  }

  private countMessages(): void {
    const { messages, calls } = this.capture;
    for (let message = 0; message < messages.count; message++) {
      const call = messages.call.get(message);
      if (!this.isAsked(call)) continue;
      const row = messages.lastRow.get(message);
      const bits = messages.bits.get(message);
      if (row === NO_ROW || (bits & MessageBit.COMPLETE) === 0) continue;
      const time = this.timeOf(row);
      if (time < this.from || time >= this.to) continue;
      const conn = calls.conn.get(call);
      for (const tally of [this.whole, this.singles[conn - this.first]]) {
        if (tally === undefined) continue;
        const side = this.sideOf(tally, conn, (bits & MessageBit.SIDE) as Side);
        side.messages++;
        side.messageBytes += 5 + messages.length.get(message);
      }
    }
  }

  private isAsked(call: number): boolean {
    const { calls } = this.capture;
    if (this.conn !== undefined && calls.conn.get(call) !== this.conn) return false;
    return this.stream === undefined || calls.stream.get(call) === this.stream;
  }

  private sideOf(tally: Tally, conn: number, side: Side): SideTally {
    return side === this.capture.connections[conn - 1]!.clientSide ? tally.toServer : tally.toClient;
  }

  private timeOf(row: number): number {
    return this.capture.chunks.time.get(this.capture.frames.lastChunk.get(row));
  }
}

function isCompressionFault({ code }: Fault): boolean {
  return code === 'COMPRESSION_ERROR';
}

/** Whether a frame carries a call's content, or ends it; what only steers a stream says nothing of calls that share. */
function isOfCall(type: number, stream: number): boolean {
  if (stream === 0) return false;
  return (
    type === FrameType.DATA ||
    type === FrameType.HEADERS ||
    type === FrameType.CONTINUATION ||
    type === FrameType.RST_STREAM
  );
}

/** Where the first member above `value` stands; members ascend. */
function positionAfter(column: { length: number; get(at: number): number }, value: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column.get(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
