import { Flag, FrameType, Setting } from '../../shared/names';
import type { Fault } from '../../shared/records';
import type { Connection } from '../capture/connection';
import { type FrameTable, NO_ROW } from '../capture/frames';
import type { CallTracker } from '../grpc/call-tracker';
import type { HpackDecoder } from '../hpack/decoder';
import { type HeaderStore, Known } from '../hpack/header-store';
import type { Side } from '../tcp/types';
import { Credit } from './credit';
import { connectionFault, streamFault } from './faults';
import { checkFrame, paddingFits, readU31, readU32 } from './frame-checks';
import { type HeaderBlockSink, HeaderBlocks } from './header-blocks';
import { PingAnswers } from './ping-answers';
import { checkSettingValues, initialWindowIn, lastValueOf, settingPairs } from './settings';
import { SideState } from './side-state';
import { checkState, Half, Sent, type Stream } from './stream';
import { Streams } from './streams';

/**
 * What the frames of one HTTP/2 connection mean together (RFC 9113): streams and their states, settings, header
 * blocks, pings; and what is wrong with them. Frames come in the order of their last octets' arrival.
 */
export class Http2Connection implements HeaderBlockSink {
  private readonly sides: [SideState, SideState];
  private readonly streams: Streams;
  private readonly blocks: HeaderBlocks;
  private readonly pings: PingAnswers;
  private readonly credit: Credit;

  constructor(
    readonly connection: Connection,
    private readonly frames: FrameTable,
    private readonly headers: HeaderStore,
    readonly calls: CallTracker,
  ) {
    const partial = connection.joined === 'middle';
    this.sides = [new SideState(headers, partial), new SideState(headers, partial)];
    this.streams = new Streams(connection, this.sides, partial);
    this.blocks = new HeaderBlocks(frames, this.sides, this);
    this.pings = new PingAnswers(frames, connection.pings);
    this.credit = new Credit(connection.tcp, frames, this.sides, this.streams);
  }

  /** The HPACK context of a side's blocks, for views. */
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
    this.connection.upgradeWindow = initialWindowIn(payload, 0, payload.length);
    this.sides[(side ^ 1) as Side].hpack.setLimit(settings.current.headerTableSize);
  }

  /** The request of an upgrade is stream 1, half-closed by the client (RFC 7540 §3.2). */
  upgradeRequest(client: Side, list: number, row: number): void {
    const stream = this.streams.open(1, client, row, true);
    stream.half[client] = Half.ENDED;
    stream.half[client ^ 1] = Half.OPEN;
    this.streams.activate(stream);
    this.calls.block(stream, client, list, row, false);
  }

  /**
   * Octets of a DATA frame's content as they arrive, before the frame has its row.
   * Content of a DATA frame that may not be there is not made a message of.
   */
  dataContent(side: Side, id: number, data: Uint8Array, start: number, end: number): void {
    const stream = this.streams.get(id) ?? this.streams.unannounced(side, id);
    if (stream === undefined || stream.half[side] !== Half.OPEN) return;
    this.noticeLosses(stream, side);
    this.calls.data(stream, side, data, start, end);
  }

  dataUnseen(side: Side, id: number, count: number): void {
    const stream = this.streams.get(id);
    if (stream !== undefined && stream.half[side] === Half.OPEN) this.calls.unseen(stream, side, count);
  }

  /** Where octets of a side were lost, so were DATA frames of its streams, perhaps: messages cannot be followed on. */
  private noticeLosses(stream: Stream, side: Side): void {
    const { losses } = this.sides[side];
    const messages = stream.messages[side];
    if (messages === undefined || messages.losses === losses) return;
    messages.losses = losses;
    messages.parser?.lose();
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
    if (own.frames === 1 && !this.streams.partial && (type !== FrameType.SETTINGS || (flags & Flag.ACK) !== 0)) {
      this.fault(row, connectionFault('PROTOCOL_ERROR', '3.4', 'the first frame of a side must be SETTINGS'));
    }
    if (length > peer.settings.allowsFrameSize) this.tooLong(row, type, id, length, peer.settings.allowsFrameSize);
    if (own.block !== undefined) this.blocks.checkInterleaving(side, row, type, id);
    const fault = checkFrame(type, flags, id, length, payload, start);
    if (fault !== undefined) this.fault(row, fault);
    const sound = fault === undefined;
    if (type !== FrameType.CONTINUATION) own.unsynced = false;

    switch (type) {
      case FrameType.DATA:
        this.data(side, row, flags, id, sound, true);
        break;
      case FrameType.HEADERS:
        this.headersFrame(side, row, flags, id, length, payload, start, end);
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
        this.pushPromise(side, row, flags, id, length, payload, start, end);
        break;
      case FrameType.PING:
        if (!sound) break;
        if ((flags & Flag.ACK) === 0) this.pings.sent(side, row, readU32(payload, start), readU32(payload, start + 4));
        else this.pings.answered(side, row, readU32(payload, start), readU32(payload, start + 4));
        break;
      case FrameType.GOAWAY:
        if (sound) this.goaway(side, row, readU31(payload, start));
        break;
      case FrameType.WINDOW_UPDATE:
        if (length === 4) this.windowUpdate(side, row, id, readU31(payload, start));
        break;
      case FrameType.CONTINUATION:
        this.link(this.streams.get(id), row);
        this.blocks.continuation(side, row, flags, id, payload, start, end, false);
        break;
      default:
        this.link(this.streams.get(id), row); // RFC 9113 §5.5: unknown types are ignored
    }
  }

  /**
   * A frame with a hole, or cut at the connection's end: what its header says still counts.
   * @param passed its last octet has passed, seen or not: a frame that was cut ends nothing
   */
  damagedFrame(side: Side, row: number, type: number, flags: number, id: number, passed: boolean): void {
    const own = this.sides[side];
    own.frames++;
    if (type !== FrameType.CONTINUATION) own.unsynced = false;
    switch (type) {
      case FrameType.DATA:
        this.data(side, row, flags, id, true, passed);
        break;
      case FrameType.HEADERS:
        if (id !== 0) this.openByHeaders(side, row, id);
        if (passed) this.blocks.begin(side, row, flags, id, EMPTY, 0, 0, true, endsStream(flags), undefined);
        break;
      case FrameType.PUSH_PROMISE:
        this.link(this.streams.get(id), row);
        if (passed) this.blocks.begin(side, row, flags, id, EMPTY, 0, 0, true, false, undefined);
        break;
      case FrameType.CONTINUATION:
        this.link(this.streams.get(id), row);
        if (passed) this.blocks.continuation(side, row, flags, id, EMPTY, 0, 0, true);
        break;
      case FrameType.SETTINGS:
        own.settingsLost(this.sides[side ^ 1]!);
        break;
      case FrameType.WINDOW_UPDATE:
        this.credit.lose();
        this.link(this.streams.get(id), row);
        break;
      default:
        this.link(this.streams.get(id), row);
    }
  }

  /** Octets were lost between frames: streams may have opened and settings changed in them. */
  lostSync(side: Side): void {
    this.sides[side].lost();
    this.sides[side].settingsLost(this.sides[side ^ 1]!);
    this.streams.partial = true;
  }

  private fault(row: number, fault: Fault): void {
    this.frames.fault(row, fault);
  }

  private tooLong(row: number, type: number, id: number, length: number, limit: number): void {
    const message = `${length} octets of payload, SETTINGS_MAX_FRAME_SIZE allows ${limit}`;
    // RFC 9113 §4.2: where the frame could alter the state of the connection, it is a connection error.
    const wide =
      id === 0 ||
      type === FrameType.HEADERS ||
      type === FrameType.PUSH_PROMISE ||
      type === FrameType.CONTINUATION ||
      type === FrameType.SETTINGS;
    const fault = wide ? connectionFault : streamFault;
    this.fault(row, fault('FRAME_SIZE_ERROR', '4.2', message));
  }

  /** Makes `row` the newest of its stream. */
  private link(stream: Stream | undefined, row: number): void {
    if (stream === undefined) return;
    stream.lastRow = row;
    this.calls.row(stream, row);
  }

  private fromServer(side: Side): boolean | undefined {
    const { client } = this.connection;
    return client === undefined ? undefined : side !== client;
  }

  private data(side: Side, row: number, flags: number, id: number, sound: boolean, passed: boolean): void {
    if (id === 0) return;
    const stream = this.streams.get(id) ?? this.streams.unannounced(side, id);
    const fault = checkState(Sent.DATA, this.streams.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    if (passed) this.credit.spent(side, row, stream, this.frames.length.get(row));
    if (stream === undefined) return;
    this.link(stream, row);
    if (stream.half[side] !== Half.OPEN) return;
    this.checkHeadersFirst(stream, side, row);
    if (sound) this.frames.aux.set(row, this.calls.dataEnd(stream, side, row));
    if (passed && endsStream(flags)) this.endStream(stream, side, row);
  }

  /** RFC 9113 §8.1: a message begins with HEADERS. Told once a stream. */
  private checkHeadersFirst(stream: Stream, side: Side, row: number): void {
    const messages = stream.messages[side];
    if (messages === undefined || messages.headersSeen || messages.headersExcused) return;
    if (stream.early || this.streams.partial) return;
    messages.headersExcused = true;
    if (this.sides[side].block?.stream === stream.id) return; // their end is still to come, which is told already
    this.fault(row, streamFault('PROTOCOL_ERROR', '8.1', 'DATA before the HEADERS of a final response'));
  }

  private endStream(stream: Stream, side: Side, row: number): void {
    if (stream.half[side] !== Half.OPEN && stream.half[side] !== Half.RESERVED) return;
    stream.half[side] = Half.ENDED;
    this.calls.ended(stream, side, row);
    this.streams.settle(stream);
  }

  private headersFrame(
    side: Side,
    row: number,
    flags: number,
    id: number,
    length: number,
    payload: Uint8Array,
    start: number,
    end: number,
  ): void {
    if (id !== 0) this.openByHeaders(side, row, id);
    const fixed = (flags & Flag.PRIORITY) !== 0 ? 5 : 0;
    const fits = paddingFits(flags, length, payload, start, fixed);
    let from = start;
    let to = end;
    if (fits && (flags & Flag.PADDED) !== 0) to -= payload[from++]!;
    this.blocks.begin(side, row, flags, id, payload, from + fixed, to, !fits, endsStream(flags), undefined);
  }

  /** HEADERS on a stream not open yet opens it (RFC 9113 §5.1, §5.1.1). */
  private openByHeaders(side: Side, row: number, id: number): void {
    const known = this.streams.get(id);
    if (known !== undefined) {
      const fault = checkState(Sent.HEADERS, known.half[side]);
      if (fault !== undefined) this.fault(row, fault);
      if (known.early && side === known.opener) {
        this.streams.announce(known);
        this.calls.begun(known, row);
        if (!known.closed) this.activate(known, row);
      }
      if (known.half[side] === Half.RESERVED) {
        known.half[side] = Half.OPEN;
        if (known.closed) this.streams.settle(known);
        else this.activate(known, row);
      }
      this.link(known, row);
      return;
    }
    const early = !this.streams.partial && this.streams.mayBeEarly(side, id);
    const unseen = this.streams.partial || early;
    const fault = unseen ? undefined : this.checkOpening(side, id);
    if (fault !== undefined) this.fault(row, fault);
    const opener = unseen ? this.streams.openerOf(id) : side;
    const stream = this.streams.open(id, opener, row, fault === undefined && !early);
    stream.early = early;
    stream.half[0] = Half.OPEN;
    stream.half[1] = Half.OPEN;
    this.calls.open(stream, row);
    if (fault === undefined && !early) this.activate(stream, row);
    const beyondGoaway = id > this.sides[opener ^ 1]!.goawayLast;
    if (beyondGoaway) this.calls.unprocessed(stream);
  }

  private checkOpening(side: Side, id: number): Fault | undefined {
    const { highest } = this.streams;
    if (this.fromServer(side) === true) {
      return this.streams.isIdle(id)
        ? connectionFault('PROTOCOL_ERROR', '5.1', 'HEADERS of a server on an idle stream')
        : streamFault('STREAM_CLOSED', '5.1', 'HEADERS on a closed stream');
    }
    if ((id & 1) === 0) {
      return connectionFault('PROTOCOL_ERROR', '5.1.1', `a client's streams have odd numbers, not ${id}`);
    }
    if (id > highest[side]) return undefined;
    const words = `stream ${id} is not above stream ${highest[side]}, opened before`;
    return connectionFault('PROTOCOL_ERROR', '5.1.1', words);
  }

  /** RFC 9113 §5.1.2: the peer's SETTINGS_MAX_CONCURRENT_STREAMS binds who opens a stream. */
  private activate(stream: Stream, row: number): void {
    this.streams.activate(stream);
    const limit = this.sides[stream.opener ^ 1]!.settings.allowsStreams;
    const active = this.streams.active[stream.opener];
    if (active <= limit || this.streams.partial) return;
    const words = `stream ${stream.id} makes ${active} open, SETTINGS_MAX_CONCURRENT_STREAMS allows ${limit}`;
    this.fault(row, streamFault('PROTOCOL_ERROR', '5.1.2', words));
  }

  headerBlock(
    side: Side,
    row: number,
    id: number,
    list: number | undefined,
    endStream: boolean,
    promised: number | undefined,
  ): void {
    if (list !== undefined) {
      this.frames.aux.set(row, list + 1);
      this.learnClient(side, list);
    }
    if (promised !== undefined) {
      const pushed = this.streams.get(promised);
      if (pushed !== undefined && list !== undefined) this.calls.block(pushed, side, list, row, true);
      return;
    }
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    const messages = stream.messages[side];
    if (messages !== undefined && list === undefined) messages.headersExcused = true;
    if (stream.half[side] === Half.OPEN && list !== undefined) {
      const trailers = messages?.headersSeen === true;
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
    const fault = checkState(Sent.RST_STREAM, this.streams.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    const stream = this.streams.get(id) ?? this.streams.unannounced(side, id);
    if (stream === undefined) return;
    this.link(stream, row);
    stream.half[side] = Half.RESET;
    this.calls.reset(stream, code, row);
    this.streams.settle(stream);
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
    const window = initialWindowIn(payload, start, end);
    if (window !== undefined) {
      this.frames.initialWindows.set(row, window);
      this.credit.raised((side ^ 1) as Side, row);
    }
    const streams = lastValueOf(Setting.MAX_CONCURRENT_STREAMS, payload, start, end);
    if (streams !== undefined) this.connection.streamLimits[side].push({ row, value: streams });
    peer.hpack.raiseLimit(own.settings.allowsTableSize);
    this.connection.settings[side] ??= settingPairs(payload, start, end);
  }

  private pushPromise(
    side: Side,
    row: number,
    flags: number,
    id: number,
    length: number,
    payload: Uint8Array,
    start: number,
    end: number,
  ): void {
    if (this.fromServer(side) === false) {
      this.fault(row, connectionFault('PROTOCOL_ERROR', '8.4', 'a client must not push'));
    } else if (!this.sides[side ^ 1]!.settings.allowsPush) {
      this.fault(row, connectionFault('PROTOCOL_ERROR', '6.6', 'PUSH_PROMISE, although SETTINGS_ENABLE_PUSH is 0'));
    }
    const fault = id === 0 ? undefined : checkState(Sent.PUSH_PROMISE, this.streams.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    this.link(this.streams.get(id), row);
    if (!paddingFits(flags, length, payload, start, 4)) {
      this.blocks.begin(side, row, flags, id, EMPTY, 0, 0, true, false, undefined);
      return;
    }
    let from = start;
    let to = end;
    if ((flags & Flag.PADDED) !== 0) to -= payload[from++]!;
    const promised = readU31(payload, from);
    const wrong = this.checkPromised(side, promised);
    if (wrong !== undefined) this.fault(row, wrong);
    if (promised !== 0 && this.streams.get(promised) === undefined) {
      const stream = this.streams.open(promised, side, NO_ROW, wrong === undefined);
      stream.half[side] = Half.RESERVED;
      stream.half[side ^ 1] = Half.ENDED;
    }
    this.blocks.begin(side, row, flags, id, payload, from + 4, to, false, false, promised);
  }

  /** RFC 9113 §5.1.1: the numbers of a server's streams are even and ascend. */
  private checkPromised(side: Side, promised: number): Fault | undefined {
    if (promised === 0 || (promised & 1) === 1) {
      const words = `a server's streams have even numbers above 0, not ${promised}`;
      return connectionFault('PROTOCOL_ERROR', '5.1.1', words);
    }
    const highest = this.streams.highest[side];
    if (this.streams.partial || promised > highest) return undefined;
    const words = `stream ${promised} is not above stream ${highest}, promised before`;
    return connectionFault('PROTOCOL_ERROR', '5.1.1', words);
  }

  private goaway(side: Side, row: number, last: number): void {
    const own = this.sides[side];
    if (last > own.goawayLast) {
      const words = `last stream ${last} is above ${own.goawayLast}, said before`;
      this.fault(row, connectionFault('PROTOCOL_ERROR', '6.8', words));
      return;
    }
    for (const stream of this.streams.above(last, own.goawayLast, (side ^ 1) as Side)) this.calls.unprocessed(stream);
    own.goawayLast = last;
  }

  private windowUpdate(side: Side, row: number, id: number, increment: number): void {
    this.frames.aux.set(row, increment);
    this.credit.granted((side ^ 1) as Side, row, id, this.streams.get(id), increment);
    if (id === 0) return;
    const fault = checkState(Sent.WINDOW_UPDATE, this.streams.halfOf(side, id));
    if (fault !== undefined) this.fault(row, fault);
    this.link(this.streams.get(id), row);
  }
}

const EMPTY = new Uint8Array(0);

function endsStream(flags: number): boolean {
  return (flags & Flag.END_STREAM) !== 0;
}
