import { Flag, FrameType } from '../../shared/names';
import type { Fault } from '../../shared/records';
import type { Connection } from '../capture/connection';
import { type FrameTable, NO_ROW } from '../capture/frames';
import type { CallTracker } from '../grpc/call-tracker';
import { HpackDecoder } from '../hpack/decoder';
import { type HeaderStore, Known } from '../hpack/header-store';
import type { Side } from '../tcp/types';
import { connectionFault, streamFault } from './faults';
import { checkFrame, readU31, readU32 } from './frame-checks';
import { checkSettingValues, SideSettings } from './settings';
import { checkState, Half, Sent, Stream } from './stream';

/** Closed streams remembered of a connection, for what arrives after their end. */
const CLOSED_REMEMBERED = 1024;
/** PINGs without an answer that are remembered of one side. */
const OPEN_PINGS = 1024;
/** Distinct PING payloads noted of a side. */
const PAYLOADS_NOTED = 8;
/** A header block kept to be decoded, over all its frames. Beyond, it is left undecoded and said so. */
const MAX_BLOCK = 16 << 20;

interface OpenBlock {
  stream: number;
  rows: number[];
  parts: Uint8Array[];
  length: number;
  endStream: boolean;
  /** A PUSH_PROMISE's stream, or undefined. */
  promised: number | undefined;
  /** Part of it was never seen or is too long. */
  damaged: boolean;
}

class SideState {
  readonly settings: SideSettings;
  readonly hpack: HpackDecoder;
  frames = 0;
  /** Highest stream identifier that this side opened. */
  highest = 0;
  block: OpenBlock | undefined;
  /** PINGs of this side not answered yet: row and payload. */
  readonly pings: { row: number; high: number; low: number }[] = [];
  lastPingHigh = -1;
  lastPingLow = -1;
  goawayLast = 0x7fffffff;

  constructor(store: HeaderStore, partial: boolean) {
    this.settings = new SideSettings(partial);
    this.hpack = new HpackDecoder(store, { partial });
    if (partial) this.hpack.setLimit(1 << 20);
  }
}

/**
 * What the frames of one HTTP/2 connection mean together (RFC 9113): streams and their states, settings, header
 * blocks, pings; and what is wrong with them. Frames come in the order of their last octets' arrival.
 */
export class Http2Connection {
  private readonly sides: [SideState, SideState];
  readonly streams = new Map<number, Stream>();
  private readonly closed: number[] = [];
  private readonly partial: boolean;

  constructor(
    readonly connection: Connection,
    private readonly frames: FrameTable,
    private readonly headers: HeaderStore,
    readonly calls: CallTracker,
  ) {
    this.partial = connection.joined === 'middle';
    this.sides = [new SideState(headers, this.partial), new SideState(headers, this.partial)];
  }

  /** HPACK and settings of a side, for views. */
  hpack(side: Side): HpackDecoder {
    return this.sides[side].hpack;
  }

  /** The stream's newest row, to link a new one to. */
  previousRow(id: number): number {
    return id === 0 ? NO_ROW : (this.streams.get(id)?.lastRow ?? NO_ROW);
  }

  /** RFC 9113 §3.4 and RFC 7540 §3.2.1: settings that came in another form (HTTP2-Settings), as if acknowledged. */
  upgradeSettings(side: Side, payload: Uint8Array): void {
    const { settings } = this.sides[side];
    settings.sent(NO_ROW, payload, 0, payload.length);
    settings.acknowledged();
    this.sides[(side ^ 1) as Side].hpack.setLimit(settings.current.headerTableSize);
  }

  /** The request of an upgrade is stream 1, half-closed by the client (RFC 7540 §3.2). */
  upgradeRequest(client: Side, list: number, row: number): void {
    const stream = this.openStream(1, client, row);
    stream.half[client] = Half.ENDED;
    stream.half[client ^ 1] = Half.OPEN;
    stream.headersSeen[client] = true;
    this.calls.block(stream, client, list, row, false);
  }

  /**
   * Octets of a DATA frame's content as they arrive, before the frame has its row.
   * Content of a DATA frame that may not be there is not made a message of.
   */
  dataContent(side: Side, id: number, data: Uint8Array, start: number, end: number): void {
    const stream = this.streams.get(id) ?? this.unannounced(side, id);
    if (stream !== undefined && stream.half[side] === Half.OPEN) {
      this.calls.data(stream, side, data, start, end);
    }
  }

  dataUnseen(side: Side, id: number, count: number): void {
    const stream = this.streams.get(id);
    if (stream !== undefined && stream.half[side] === Half.OPEN) this.calls.unseen(stream, side, count);
  }

  /** In the middle of a connection, a stream's beginning was before the capture: it is taken as open. */
  private unannounced(side: Side, id: number): Stream | undefined {
    if (!this.partial || id === 0) return undefined;
    const opener = ((this.connection.clientSide ^ (id & 1) ^ 1) & 1) as Side;
    if (id <= this.sides[opener].highest && this.sides[side].highest !== 0) return undefined;
    const stream = this.openStream(id, opener, NO_ROW);
    stream.half = [Half.OPEN, Half.OPEN];
    return stream;
  }

  /**
   * A frame of which all that is needed was seen has got its row. `payload[start, end)` is its payload; for DATA,
   * its first octet at most.
   */
  frame(
    side: Side,
    row: number,
    type: number,
    flags: number,
    id: number,
    length: number,
    payload: Uint8Array,
    start: number,
    end: number,
  ): void {
    const own = this.sides[side];
    const peer = this.sides[side ^ 1]!;
    own.frames++;
    if (own.frames === 1 && !this.partial && (type !== FrameType.SETTINGS || (flags & Flag.ACK) !== 0)) {
      this.fault(row, connectionFault('PROTOCOL_ERROR', '3.4', 'the first frame of a side must be SETTINGS'));
    }
    if (length > peer.settings.allowsFrameSize) this.tooLong(row, type, id, length, peer.settings.allowsFrameSize);
    if (own.block !== undefined) this.checkInterleaving(own, row, type, id);
    const fault = checkFrame(type, flags, id, length, payload, start);
    if (fault !== undefined) this.fault(row, fault);
    const sound = fault === undefined;

    switch (type) {
      case FrameType.DATA:
        this.data(side, row, flags, id, sound);
        break;
      case FrameType.HEADERS:
        this.headersFrame(side, row, flags, id, payload, start, end, sound);
        break;
      case FrameType.PRIORITY:
        this.link(this.streams.get(id), row);
        break;
      case FrameType.RST_STREAM:
        if (sound) this.rstStream(side, row, id, readU32(payload, start));
        break;
      case FrameType.SETTINGS:
        if (sound) this.settings(side, row, flags, payload, start, end);
        break;
      case FrameType.PUSH_PROMISE:
        this.pushPromise(side, row, flags, id, payload, start, end, sound);
        break;
      case FrameType.PING:
        if (sound) this.ping(side, row, flags, readU32(payload, start), readU32(payload, start + 4));
        break;
      case FrameType.GOAWAY:
        if (sound) this.goaway(side, row, readU31(payload, start));
        break;
      case FrameType.WINDOW_UPDATE:
        if (length === 4) this.windowUpdate(side, row, id, readU31(payload, start));
        break;
      case FrameType.CONTINUATION:
        this.continuation(side, row, flags, id, payload, start, end);
        break;
      default:
        this.link(this.streams.get(id), row); // RFC 9113 §5.5: unknown types are ignored
    }
  }

  /** A frame with a hole, or cut at the connection's end: what its header says still counts. */
  damagedFrame(side: Side, row: number, type: number, flags: number, id: number): void {
    const own = this.sides[side];
    own.frames++;
    if (type === FrameType.DATA) {
      this.data(side, row, flags, id, true);
      return;
    }
    const headerBlock =
      type === FrameType.HEADERS || type === FrameType.PUSH_PROMISE || type === FrameType.CONTINUATION;
    if (!headerBlock) {
      this.link(this.streams.get(id), row);
      return;
    }
    own.hpack.forget();
    const stream = this.streams.get(id) ?? this.openStream(id, side, row);
    if (stream.half[side] === Half.IDLE) stream.half = [Half.OPEN, Half.OPEN];
    this.link(stream, row);
    own.block = undefined;
    if (type === FrameType.HEADERS && (flags & Flag.END_STREAM) !== 0) this.endStream(stream, side, row);
  }

  /** Octets were lost between frames: header blocks among them, perhaps. */
  lostSync(side: Side): void {
    this.sides[side].hpack.forget();
    this.sides[side].block = undefined;
  }

  private fault(row: number, fault: Fault): void {
    this.frames.fault(row, fault);
  }

  private tooLong(row: number, type: number, id: number, length: number, limit: number): void {
    // RFC 9113 §4.2: where the frame could alter the state of the connection, it is a connection error.
    const message = `${length} octets of payload, SETTINGS_MAX_FRAME_SIZE allows ${limit}`;
    const wide = id === 0 || (type !== FrameType.DATA && type !== FrameType.PRIORITY && type !== FrameType.RST_STREAM);
    this.fault(
      row,
      wide ? connectionFault('FRAME_SIZE_ERROR', '4.2', message) : streamFault('FRAME_SIZE_ERROR', '4.2', message),
    );
  }

  /** RFC 9113 §4.3, §6.10: nothing may stand between the frames of a header block. */
  private checkInterleaving(own: SideState, row: number, type: number, id: number): void {
    const block = own.block!;
    if (type === FrameType.CONTINUATION && id === block.stream) return;
    this.fault(
      row,
      connectionFault(
        'PROTOCOL_ERROR',
        '6.10',
        `inside the header block of stream ${block.stream} only its CONTINUATION may come`,
      ),
    );
    // HEADERS or PUSH_PROMISE start another block; the open one will never be whole, nor the table it would have made.
    if (type === FrameType.HEADERS || type === FrameType.PUSH_PROMISE) {
      own.block = undefined;
      own.hpack.forget();
    }
  }

  private openStream(id: number, opener: Side, row: number): Stream {
    const stream = new Stream(id, row);
    stream.opener = opener;
    this.streams.set(id, stream);
    if (id > this.sides[opener].highest) this.sides[opener].highest = id;
    return stream;
  }

  /** Makes `row` the newest of its stream. */
  private link(stream: Stream | undefined, row: number): void {
    if (stream !== undefined) stream.lastRow = row;
  }

  private fromServer(side: Side): boolean | undefined {
    const { client } = this.connection;
    return client === undefined ? undefined : side !== client;
  }

  /** Whose turn a stream identifier is: odd ones are the client's (RFC 9113 §5.1.1). */
  private openerOf(id: number): Side {
    return (id & 1) === 1 ? this.connection.clientSide : ((this.connection.clientSide ^ 1) as Side);
  }

  private isIdle(id: number): boolean {
    return !this.streams.has(id) && id > this.sides[this.openerOf(id)].highest;
  }

  /** The own half's state for the checks: a stream forgotten long after its end counts as ended. */
  private halfOf(side: Side, id: number): 0 | 1 | 2 | 3 | 4 {
    const stream = this.streams.get(id);
    if (stream !== undefined) return stream.half[side];
    if (this.partial) return Half.OPEN;
    return this.isIdle(id) ? Half.IDLE : Half.ENDED;
  }

  private data(side: Side, row: number, flags: number, id: number, sound: boolean): void {
    if (id === 0) return;
    const stream = this.streams.get(id) ?? this.unannounced(side, id);
    const fault = checkState(Sent.DATA, this.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    if (stream === undefined) return;
    this.link(stream, row);
    if (stream.half[side] !== Half.OPEN) return;
    if (sound) this.frames.aux.set(row, this.calls.dataEnd(stream, side, row));
    if ((flags & Flag.END_STREAM) !== 0) this.endStream(stream, side, row);
  }

  private endStream(stream: Stream, side: Side, row: number): void {
    if (stream.half[side] !== Half.OPEN && stream.half[side] !== Half.RESERVED) return;
    stream.half[side] = Half.ENDED;
    this.calls.ended(stream, side, row);
    if (stream.closed) this.forgetLater(stream.id);
  }

  /** Keeps a closed stream for a while: its peer may not know yet. */
  private forgetLater(id: number): void {
    this.closed.push(id);
    if (this.closed.length < CLOSED_REMEMBERED * 2) return;
    for (const old of this.closed.splice(0, CLOSED_REMEMBERED)) this.streams.delete(old);
  }

  private headersFrame(
    side: Side,
    row: number,
    flags: number,
    id: number,
    payload: Uint8Array,
    start: number,
    end: number,
    sound: boolean,
  ): void {
    if (id !== 0) this.openByHeaders(side, row, id);
    let from = start;
    let to = end;
    if (sound) {
      if ((flags & Flag.PADDED) !== 0) to -= payload[from++]!;
      if ((flags & Flag.PRIORITY) !== 0) from += 5;
    }
    this.beginBlock(side, row, flags, id, payload, from, to, sound, undefined);
  }

  /** HEADERS on a stream not open yet opens it (RFC 9113 §5.1, §5.1.1). */
  private openByHeaders(side: Side, row: number, id: number): void {
    const known = this.streams.get(id);
    if (known !== undefined) {
      const fault = checkState(Sent.HEADERS, known.half[side]);
      if (fault !== undefined) this.fault(row, fault);
      if (known.half[side] === Half.RESERVED) known.half[side] = Half.OPEN;
      this.link(known, row);
      return;
    }
    const fromServer = this.fromServer(side);
    if (!this.partial) {
      if (fromServer === true) {
        const words = this.isIdle(id) ? 'HEADERS of a server on an idle stream' : 'HEADERS on a closed stream';
        this.fault(row, connectionFault('PROTOCOL_ERROR', '5.1', words));
      } else if ((id & 1) === 0) {
        this.fault(row, connectionFault('PROTOCOL_ERROR', '5.1.1', `a client's streams have odd numbers, not ${id}`));
      } else if (id <= this.sides[side].highest) {
        const words = `stream ${id} is not above stream ${this.sides[side].highest}, opened before`;
        this.fault(row, connectionFault('PROTOCOL_ERROR', '5.1.1', words));
      }
    }
    const stream = this.openStream(id, this.partial ? this.openerOf(id) : side, row);
    stream.half = [Half.OPEN, Half.OPEN];
  }

  private beginBlock(
    side: Side,
    row: number,
    flags: number,
    id: number,
    payload: Uint8Array,
    from: number,
    to: number,
    sound: boolean,
    promised: number | undefined,
  ): void {
    const own = this.sides[side];
    const endStream = promised === undefined && (flags & Flag.END_STREAM) !== 0;
    if ((flags & Flag.END_HEADERS) !== 0) {
      if (sound) this.block(side, row, id, this.decodeBlock(own, row, payload, from, to), endStream, promised);
      else own.hpack.forget();
      return;
    }
    own.block = {
      stream: id,
      rows: [row],
      parts: [payload.slice(from, Math.max(from, to))],
      length: Math.max(0, to - from),
      endStream,
      promised,
      damaged: !sound,
    };
  }

  private continuation(
    side: Side,
    row: number,
    flags: number,
    id: number,
    payload: Uint8Array,
    start: number,
    end: number,
  ): void {
    const own = this.sides[side];
    const open = own.block;
    if (open === undefined || open.stream !== id) {
      if (open === undefined && id !== 0) {
        const words = 'CONTINUATION without HEADERS or PUSH_PROMISE before it';
        if (!this.partial || own.frames > 1) this.fault(row, connectionFault('PROTOCOL_ERROR', '6.10', words));
        own.hpack.forget();
      }
      return;
    }
    this.link(this.streams.get(id), row);
    open.rows.push(row);
    open.length += end - start;
    if (open.length > MAX_BLOCK) {
      if (!open.damaged) {
        const words = `a header block of more than ${MAX_BLOCK >> 20} MiB is left undecoded`;
        this.fault(row, connectionFault('ENHANCE_YOUR_CALM', '10.5.1', words));
      }
      open.damaged = true;
      open.parts = [];
    } else if (!open.damaged) {
      open.parts.push(payload.slice(start, end));
    }
    if ((flags & Flag.END_HEADERS) === 0) return;
    own.block = undefined;
    if (open.damaged) {
      own.hpack.forget();
      return;
    }
    const whole = new Uint8Array(open.length);
    let at = 0;
    for (const part of open.parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.frames.blocks.set(row, open.rows);
    const list = this.decodeBlock(own, row, whole, 0, whole.length);
    this.block(side, row, id, list, open.endStream, open.promised);
  }

  private decodeBlock(own: SideState, row: number, data: Uint8Array, from: number, to: number): number {
    const list = own.hpack.decode(data, from, to);
    const { error } = own.hpack;
    if (error !== undefined) {
      const message = `${error.message} (octet ${error.at} of the block, ${error.clause})`;
      this.fault(row, connectionFault('COMPRESSION_ERROR', '4.3', message));
      // Later blocks are decoded with what is left of the table; what is unknown then shows as unknown.
      own.hpack.tolerate();
    }
    return list;
  }

  /** A header block is whole. */
  private block(
    side: Side,
    row: number,
    id: number,
    list: number,
    endStream: boolean,
    promised: number | undefined,
  ): void {
    this.frames.aux.set(row, list + 1);
    this.learnClient(side, list);
    if (promised !== undefined) {
      const pushed = this.streams.get(promised);
      if (pushed !== undefined) this.calls.block(pushed, side, list, row, true);
      return;
    }
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if (stream.half[side] === Half.OPEN) {
      const trailers = stream.headersSeen[side];
      this.calls.block(stream, side, list, row, false);
      if (trailers && !endStream) {
        this.fault(row, streamFault('PROTOCOL_ERROR', '8.1', 'trailers without END_STREAM'));
      }
    }
    if (endStream) this.endStream(stream, side, row);
  }

  /** Without a SYN and a preface, a request or a response tells who is the client. */
  private learnClient(side: Side, list: number): void {
    const { connection, headers } = this;
    if (connection.client !== undefined) return;
    if (headers.find(list, Known.METHOD) !== -1) connection.client = side;
    else if (headers.find(list, Known.STATUS) !== -1) connection.client = (side ^ 1) as Side;
  }

  private rstStream(side: Side, row: number, id: number, code: number): void {
    this.frames.aux.set(row, code);
    const fault = checkState(Sent.RST_STREAM, this.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    const stream = this.streams.get(id) ?? this.unannounced(side, id);
    if (stream === undefined) return;
    this.link(stream, row);
    const wasClosed = stream.closed;
    stream.half[side] = Half.RESET;
    this.calls.reset(stream, code, row);
    if (!wasClosed) this.forgetLater(id);
  }

  private settings(side: Side, row: number, flags: number, payload: Uint8Array, start: number, end: number): void {
    const own = this.sides[side];
    const peer = this.sides[side ^ 1]!;
    if ((flags & Flag.ACK) !== 0) {
      const answered = peer.settings.acknowledged();
      if (answered !== undefined && answered !== NO_ROW) {
        this.frames.aux.set(row, answered + 1);
        this.frames.aux.set(answered, row + 1);
      }
      own.hpack.setLimit(peer.settings.allowsTableSize);
      return;
    }
    for (const fault of checkSettingValues(payload, start, end, this.fromServer(side))) this.fault(row, fault);
    own.settings.sent(row, payload, start, end);
    peer.hpack.raiseLimit(own.settings.allowsTableSize);
    this.connection.settings[side] ??= settingPairs(payload, start, end);
  }

  private pushPromise(
    side: Side,
    row: number,
    flags: number,
    id: number,
    payload: Uint8Array,
    start: number,
    end: number,
    sound: boolean,
  ): void {
    if (this.fromServer(side) === false) {
      this.fault(row, connectionFault('PROTOCOL_ERROR', '8.4', 'a client must not push'));
    } else if (!this.sides[side ^ 1]!.settings.current.enablePush) {
      this.fault(row, connectionFault('PROTOCOL_ERROR', '6.6', 'PUSH_PROMISE, although SETTINGS_ENABLE_PUSH is 0'));
    }
    const fault = id === 0 ? undefined : checkState(Sent.PUSH_PROMISE, this.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    this.link(this.streams.get(id), row);
    if (!sound) {
      this.beginBlock(side, row, flags, id, payload, start, end, false, undefined);
      return;
    }
    let from = start;
    let to = end;
    if ((flags & Flag.PADDED) !== 0) to -= payload[from++]!;
    const promised = readU31(payload, from);
    if (promised === 0 || (promised & 1) === 1) {
      const words = `a server's streams have even numbers above 0, not ${promised}`;
      this.fault(row, connectionFault('PROTOCOL_ERROR', '5.1.1', words));
    } else if (!this.partial && promised <= this.sides[side].highest) {
      const words = `stream ${promised} is not above stream ${this.sides[side].highest}, promised before`;
      this.fault(row, connectionFault('PROTOCOL_ERROR', '5.1.1', words));
    }
    if (promised !== 0 && !this.streams.has(promised)) {
      const stream = this.openStream(promised, side, NO_ROW);
      stream.half[side] = Half.RESERVED;
      stream.half[side ^ 1] = Half.ENDED;
    }
    this.beginBlock(side, row, flags, id, payload, from + 4, to, true, promised);
  }

  private ping(side: Side, row: number, flags: number, high: number, low: number): void {
    const own = this.sides[side];
    if ((flags & Flag.ACK) === 0) {
      own.pings.push({ row, high, low });
      if (own.pings.length > OPEN_PINGS) own.pings.shift();
      if (high !== own.lastPingHigh || low !== own.lastPingLow) this.notePing(side, high, low);
      return;
    }
    const { pings } = this.sides[side ^ 1]!;
    const at = pings.findIndex((ping) => ping.high === high && ping.low === low);
    if (at === -1) return;
    const [answered] = pings.splice(at, 1);
    this.frames.aux.set(row, answered!.row + 1);
    this.frames.aux.set(answered!.row, row + 1);
  }

  /** Payloads tell implementations; a few of each side are enough. */
  private notePing(side: Side, high: number, low: number): void {
    const own = this.sides[side];
    own.lastPingHigh = high;
    own.lastPingLow = low;
    const payloads = this.connection.pings[side];
    if (payloads.size < PAYLOADS_NOTED) payloads.add(hex32(high) + hex32(low));
  }

  private goaway(side: Side, row: number, last: number): void {
    const own = this.sides[side];
    if (last > own.goawayLast) {
      const words = `last stream ${last} is above ${own.goawayLast}, said before`;
      this.fault(row, connectionFault('PROTOCOL_ERROR', '6.8', words));
    }
    own.goawayLast = Math.min(last, own.goawayLast);
    this.calls.goaway(this.streams.values(), (side ^ 1) as Side, last);
  }

  private windowUpdate(side: Side, row: number, id: number, increment: number): void {
    this.frames.aux.set(row, increment);
    if (id === 0) return;
    const fault = checkState(Sent.WINDOW_UPDATE, this.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    this.link(this.streams.get(id), row);
  }
}

function settingPairs(payload: Uint8Array, start: number, end: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = start; at + 6 <= end && pairs.length < 64; at += 6) {
    pairs.push([(payload[at]! << 8) | payload[at + 1]!, readU32(payload, at + 2)]);
  }
  return pairs;
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, '0');
}
