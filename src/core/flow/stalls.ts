/**
 * Stalls: intervals in which a sender had data to send and no credit, in the sender's books.
 *
 * "No credit" is exact: the stream's window or the connection's was 0 or less (RFC 9113 §6.9.1). "Had data to send" is
 * inferred; what is not shown by one of these is not called a stall:
 *
 * 1. `message`: the stream's DATA before the stall begins a gRPC message that its length prefix says is longer.
 * 2. `resumed`: DATA followed promptly on the credit: within 5 ms, and no later after the credit than the window had
 *    been empty (1 ms is allowed always). Where the file tells no deliveries, a round trip is allowed besides, because
 *    credit is seen before it reaches the sender.
 * 3. `cut`, only where the window never came back: the last frame took it to exactly 0, was shorter than a frame
 *    before it, and did not end the stream.
 * 4. `headers`, only where the connection's window never came back: a gRPC stream was opened without credit, not ended,
 *    and no DATA of it was seen.
 *
 * What this cannot know: whether the application had more than the message that it had begun (a proxy may pass on the
 * part of a message that it has); since when a sender that resumed promptly had had its data (the stall is given from
 * the window's emptying on, so it is an upper bound); a sender that keeps back a frame because the credit left is too
 * small for it (there is credit: no stall); and near a receiver, without deliveries in the file, a sender's empty window
 * may not show at all. A rate that falls while both windows are open is never a stall. Joined in the middle, windows are
 * not known, and nothing is a stall.
 *
 * `from` is when the window became empty (or the stream was opened while the connection's was), `to` when both windows
 * had credit again; without a release, the end of the stream, of the connection or of the capture. The cause is the
 * window that was empty for nine tenths of that time; both, when both were, or neither. A stream that waited, its
 * message begun, while others took the connection's credit again and again has one stall, when the connection's window
 * was empty for eight tenths of it.
 */
import { Flag } from '../../shared/names';
import { CallKind, CallState } from '../capture/calls';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { NO_ROW, RowBit } from '../capture/frames';
import type { Side } from '../tcp/types';
import { CreditHolders } from './credit-holders';
import { type EmptySpan, EmptySpans } from './empty-spans';
import type { FlowIndex } from './flow-index';
import { messageOpenAfter } from './open-message';
import type { RoundTrip } from './round-trip';
import { StallCause, StallEvidence, StallTable } from './stall-table';
import { WindowCause } from './window-samples';
import type { WindowTracker } from './window-tracker';

const MILLISECOND = 1e6;
/** DATA that comes so soon after credit was waiting for it. */
const PROMPT = 5 * MILLISECOND;
/** Even after the shortest of stalls. */
const ALWAYS_PROMPT = MILLISECOND;
/** Part of a stall for which a window must have been empty to be its cause. */
const CAUSE = 0.9;
/** Part of the time for which the connection's window must have been empty to make one stall of several. */
const COVERAGE = 0.8;
/** Stalls of one connection. */
const MAX_STALLS = 2_000_000;
/** Streams followed before those that ended are looked for. */
const SWEEP = 4096;

/** What one side's books say of a stream. */
interface Sender {
  stream: number;
  /** Its own window's emptiness since `since`. NaN: not begun, or not ended. */
  emptyFrom: number;
  emptyTo: number;
  emptyRow: number;
  /** When it was opened, or sent DATA last. */
  since: number;
  /** The last DATA frame; NO_ROW before. */
  row: number;
  longest: number;
  /** The last DATA was shorter than the longest. */
  shorter: boolean;
}

/** What ends the time that is looked at. */
interface Until {
  time: number;
  /** The DATA that follows; NO_ROW where none did. */
  data: number;
  /** The stream was ended by its sender: what it had to send, it has sent. */
  done?: boolean;
}

/**
 * The stalls of one connection, in the order in which they ended.
 * @param flow the sender's view
 * @param conn from 1
 * @param roundTrip what is known of the path; it only matters where the file tells no deliveries
 */
export function stallsOf(capture: Capture, flow: FlowIndex, conn: number, roundTrip?: RoundTrip): StallTable {
  return new StallFinder(capture, flow.connection(conn), capture.connections[conn - 1]!, roundTrip).find();
}

class StallFinder {
  private readonly stalls = new StallTable();
  // By the side whose DATA spends the windows.
  private readonly senders = [new Map<number, Sender>(), new Map<number, Sender>()] as const;
  private readonly spans = [new EmptySpans(), new EmptySpans()] as const;
  private readonly holders = [new CreditHolders(), new CreditHolders()] as const;
  private sweepAt = SWEEP;
  private readonly prompt: number;

  constructor(
    private readonly capture: Capture,
    private readonly tracker: WindowTracker,
    private readonly connection: Connection,
    roundTrip: RoundTrip | undefined,
  ) {
    this.prompt = PROMPT + (capture.hasDeliveries ? 0 : (roundTrip?.time ?? 0));
  }

  find(): StallTable {
    const { samples, relative } = this.tracker;
    if (relative) return this.stalls;
    for (let i = 0; i < samples.count; i++) {
      const side = samples.side.get(i) as Side;
      const stream = samples.stream.get(i);
      const time = samples.time.get(i);
      const window = samples.window.get(i);
      const cause = samples.cause.get(i) as WindowCause;
      const row = samples.row.get(i);
      if (stream === 0) this.connectionChanged(side, time, window, samples.change.get(i), cause, row);
      else this.streamChanged(side, stream, time, window, samples.change.get(i), cause, row);
    }
    const { capture, connection } = this;
    const end = connection.closed === undefined ? capture.lastTime : connection.end;
    for (const side of [0, 1] as const) {
      for (const sender of this.senders[side].values()) this.finish(side, sender, end);
    }
    return this.stalls;
  }

  private connectionChanged(
    side: Side,
    time: number,
    window: number,
    change: number,
    cause: WindowCause,
    row: number,
  ): void {
    const spans = this.spans[side];
    const holders = this.holders[side];
    if (cause === WindowCause.DATA) holders.spend(this.capture.frames.stream.get(row), -change);
    else holders.returned(change);
    if (window <= 0 && !spans.isOpen) spans.begin(time, holders.named());
    else if (window > 0 && spans.isOpen) spans.end(time, row);
  }

  private streamChanged(
    side: Side,
    stream: number,
    time: number,
    window: number,
    change: number,
    cause: WindowCause,
    row: number,
  ): void {
    const senders = this.senders[side];
    let sender = senders.get(stream);
    if (sender === undefined) {
      if (senders.size >= this.sweepAt) this.sweep(time);
      sender = {
        stream,
        emptyFrom: Number.NaN,
        emptyTo: Number.NaN,
        emptyRow: NO_ROW,
        since: time,
        row: NO_ROW,
        longest: 0,
        shorter: false,
      };
      senders.set(stream, sender);
    }
    if (cause === WindowCause.DATA) {
      this.settle(side, sender, { time, data: row });
      if ((this.capture.frames.flags.get(row) & Flag.END_STREAM) !== 0) {
        senders.delete(stream);
        return;
      }
      sent(sender, time, row, -change);
    } else if (cause === WindowCause.WINDOW_UPDATE) {
      this.holders[side].consumed(stream, change);
    }
    if (window <= 0) {
      if (Number.isNaN(sender.emptyFrom) || !Number.isNaN(sender.emptyTo)) {
        sender.emptyFrom = time;
        sender.emptyTo = Number.NaN;
      }
    } else if (!Number.isNaN(sender.emptyFrom) && Number.isNaN(sender.emptyTo)) {
      sender.emptyTo = time;
      sender.emptyRow = row;
    }
  }

  /** Lets go of streams that ended: their last frames change no window. */
  private sweep(now: number): void {
    for (const side of [0, 1] as const) {
      for (const [stream, sender] of this.senders[side]) {
        const end = this.endOf(side, stream);
        if (end === undefined || !(end.time <= now)) continue;
        this.settle(side, sender, end);
        this.senders[side].delete(stream);
      }
    }
    this.sweepAt = Math.max(SWEEP, 2 * Math.max(this.senders[0].size, this.senders[1].size));
  }

  private finish(side: Side, sender: Sender, end: number): void {
    const own = this.endOf(side, sender.stream);
    this.settle(side, sender, own !== undefined && own.time <= end ? own : { time: end, data: NO_ROW });
  }

  /** How a side's half of a stream ended without DATA; undefined while it is open. */
  private endOf(side: Side, stream: number): Until | undefined {
    const { calls, frames, chunks, hasDeliveries } = this.capture;
    const call = this.capture.callAt(this.connection.id, stream);
    if (call === -1) return undefined;
    const reset = calls.state.get(call) === CallState.RESET;
    const ended = side === this.connection.clientSide ? calls.requestEndRow.get(call) : calls.endRow.get(call);
    const row = ended === NO_ROW ? (reset ? calls.endRow.get(call) : NO_ROW) : ended;
    if (row === NO_ROW) return undefined;
    const chunk = frames.lastChunk.get(row);
    const own = (frames.bits.get(row) & RowBit.SIDE) === side;
    const time = own || !hasDeliveries ? chunks.time.get(chunk) : chunks.delivered.get(chunk);
    return { time, data: NO_ROW, done: (frames.flags.get(row) & Flag.END_STREAM) !== 0 && own };
  }

  /** Looks at the time since the stream's last DATA: was it waiting for credit? */
  private settle(side: Side, sender: Sender, until: Until): void {
    if (until.done === true || until.time <= sender.since) return;
    const spans = this.spans[side];
    if (Number.isNaN(sender.emptyFrom) && spans.lastEnd <= sender.since) return;
    if (sender.row === NO_ROW) {
      const opened = this.openedAt(side, sender.stream);
      if (opened === undefined) return;
      sender.since = Math.max(sender.since, opened);
    }
    const own = ownSpan(sender, until.time);
    const begun = sender.row !== NO_ROW && messageOpenAfter(this.capture, sender.row, until.data);
    const shared = spans.between(sender.since, until.time, begun, COVERAGE);
    if (own === undefined && shared === undefined) return;
    // Two stalls one after the other with time to send between them: the later, and the earlier if a message was begun.
    if (own !== undefined && shared !== undefined && apart(own, shared)) {
      const [early, late] = own.from < shared.from ? [own, shared] : [shared, own];
      if (begun)
        this.stall(
          side,
          sender,
          early === own ? own : undefined,
          early === own ? undefined : shared,
          StallEvidence.MESSAGE,
        );
      this.judge(side, sender, late === own ? own : undefined, late === own ? undefined : shared, begun, until);
      return;
    }
    this.judge(side, sender, own, shared, begun, until);
  }

  private judge(
    side: Side,
    sender: Sender,
    own: EmptySpan | undefined,
    shared: EmptySpan | undefined,
    begun: boolean,
    until: Until,
  ): void {
    const evidence = begun ? StallEvidence.MESSAGE : this.evidence(sender, own, shared, until);
    if (evidence !== undefined) this.stall(side, sender, own, shared, evidence);
  }

  private evidence(
    sender: Sender,
    own: EmptySpan | undefined,
    shared: EmptySpan | undefined,
    until: Until,
  ): StallEvidence | undefined {
    const from = Math.min(own?.from ?? Number.POSITIVE_INFINITY, shared?.from ?? Number.POSITIVE_INFINITY);
    const to = Math.max(own?.to ?? 0, shared?.to ?? 0);
    if (until.data !== NO_ROW) {
      const allowed = this.prompt - PROMPT + Math.min(PROMPT, Math.max(ALWAYS_PROMPT, to - from));
      return until.time - to <= allowed ? StallEvidence.RESUMED : undefined;
    }
    if (to < until.time) return undefined; // it had credit, and sent nothing
    const emptiedByItself = own?.from === sender.since || shared?.from === sender.since;
    if (sender.row !== NO_ROW) return sender.shorter && emptiedByItself ? StallEvidence.CUT : undefined;
    if (shared === undefined || shared.row !== NO_ROW || shared.from > sender.since) return undefined;
    const { calls } = this.capture;
    const call = this.capture.callAt(this.connection.id, sender.stream);
    const open = calls.kind.get(call) === CallKind.GRPC && calls.state.get(call) === CallState.OPEN;
    return open ? StallEvidence.HEADERS : undefined;
  }

  /** When the sender's own HEADERS went, without which it cannot send DATA; undefined when they were not seen. */
  private openedAt(side: Side, stream: number): number | undefined {
    const { calls, frames, chunks } = this.capture;
    const call = this.capture.callAt(this.connection.id, stream);
    if (call === -1) return undefined;
    const row = side === this.connection.clientSide ? calls.startRow.get(call) : calls.responseRow.get(call);
    return row === NO_ROW ? undefined : chunks.time.get(frames.lastChunk.get(row));
  }

  private stall(
    side: Side,
    sender: Sender,
    own: EmptySpan | undefined,
    shared: EmptySpan | undefined,
    evidence: StallEvidence,
  ): void {
    const from = Math.min(own?.from ?? Number.POSITIVE_INFINITY, shared?.from ?? Number.POSITIVE_INFINITY);
    const to = Math.max(own?.to ?? 0, shared?.to ?? 0);
    if (!(to > from)) return;
    const { stalls } = this;
    if (stalls.count >= MAX_STALLS) {
      stalls.leftOut++;
      return;
    }
    const cause = causeOf(own, shared, to - from);
    const last = own !== undefined && own.to === to && (shared === undefined || shared.to < to) ? own : shared!;
    // Both at one time: the row that stands later, as it let the sender go.
    const row =
      own?.to === shared?.to && own !== undefined && shared !== undefined ? later(own.row, shared.row) : last.row;
    stalls.side.push(side);
    stalls.from.push(from);
    stalls.to.push(to);
    stalls.cause.push(cause);
    stalls.evidence.push(evidence);
    stalls.releasedBy.push(row);
    stalls.heldBy.push(cause === StallCause.STREAM ? NOBODY : (shared?.holders ?? NOBODY));
    stalls.stream.push(sender.stream);
  }
}

const NOBODY: readonly number[] = [];

function sent(sender: Sender, time: number, row: number, length: number): void {
  sender.since = time;
  sender.row = row;
  sender.shorter = length < sender.longest;
  if (length > sender.longest) sender.longest = length;
  sender.emptyFrom = Number.NaN;
  sender.emptyTo = Number.NaN;
  sender.emptyRow = NO_ROW;
}

/** When the stream's own window was empty, since its last DATA. */
function ownSpan(sender: Sender, until: number): EmptySpan | undefined {
  if (Number.isNaN(sender.emptyFrom) || sender.emptyFrom >= until) return undefined;
  const ended = sender.emptyTo <= until;
  const from = Math.max(sender.since, sender.emptyFrom);
  return { from, to: ended ? sender.emptyTo : until, row: ended ? sender.emptyRow : NO_ROW, holders: NOBODY };
}

/** Neither touches the other. */
function apart(a: EmptySpan, b: EmptySpan): boolean {
  return a.to < b.from || b.to < a.from;
}

function later(a: number, b: number): number {
  return a === NO_ROW || b === NO_ROW ? NO_ROW : Math.max(a, b);
}

function causeOf(own: EmptySpan | undefined, shared: EmptySpan | undefined, whole: number): StallCause {
  const byStream = own !== undefined && own.to - own.from >= CAUSE * whole;
  const byConnection = shared !== undefined && shared.to - shared.from >= CAUSE * whole;
  if (byStream === byConnection) return StallCause.BOTH;
  return byStream ? StallCause.STREAM : StallCause.CONNECTION;
}
