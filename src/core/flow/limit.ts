/**
 * Throughput against what the windows allow (RFC 9113 §5.2): a sender that waits for credit once a round trip gets the
 * window through in that time. A receiver that returns credit only after a part f of the window was consumed lets between
 * (1 - f) · window / RTT and window / RTT through, as up to f of it lies unreturned.
 */
import type { LimitedBy, LimitRecord, StallCause as StallCauseName } from '../../shared/flow';
import type { Capture } from '../capture/capture';
import { NO_ROW } from '../capture/frames';
import type { Side } from '../tcp/types';
import type { FlowIndex } from './flow-index';
import { detailOf, sentenceOf } from './limit-words';
import type { RoundTripMeter } from './round-trip';
import { STALL_CAUSES, type StallCause, type StallTable } from './stall-table';
import { stalledTime, type Transfer, transferOf } from './transfer';
import { type WindowSize, windowSize } from './window-size';

/** Stalled for less than this part of the transfer, no window is its limit. */
const BINDING = 0.2;
/**
 * Slower than this part of what the refill lets through, something else is slow, too. One that returns all at once still
 * lets half of the window through at least.
 */
const EXPLAINED = 0.7;
const LEAST_REFILLED = 0.5;
/** A stall for want of a round trip lasts no longer: beyond so many times it, and so much (2 ms), credit comes late. */
const LATE_TIMES = 1.3;
const LATE_LONGER = 2e6;
/** Octets wait at the tap: so many times, and so much (2 ms), longer than at the best of times. */
const KEPT_TIMES = 1.5;
const KEPT_LONGER = 2e6;
/** Stalls that are named as evidence. */
const MAX_EVIDENCE = 10;
/** Stalls whose holders are counted. */
const MAX_COUNTED = 10_000;
const PROPOSED = 1 << 20;

/** What limits are read from. */
export interface LimitSources {
  capture: Capture;
  sender: FlowIndex;
  receiver: FlowIndex;
  /** Of the connection. */
  meter: RoundTripMeter;
  /** Of the connection. */
  stalls: StallTable;
}

interface Stalled {
  count: number;
  by: Record<StallCauseName, number>;
  heldBy: number[];
  /** Positions of the longest, in order. */
  longest: number[];
  /** Half of the stalled time was in stalls at least so long, nanoseconds. */
  typical: number;
  /** A stream that stood still the longest. */
  mainStream: number;
}

/**
 * @param side whose DATA
 * @param stream 0: the connection as a whole
 * @returns undefined where no DATA was sent
 */
export function limitOf(sources: LimitSources, conn: number, side: Side, stream = 0): LimitRecord | undefined {
  const { capture, sender, receiver, meter, stalls } = sources;
  const connection = capture.connections[conn - 1]!;
  const roundTrip = meter.result();
  const spans = stalledTime(stalls, side, stream);
  const tracker = sender.connection(conn);
  const transfer = transferOf(capture, tracker, side, stream, spans, roundTrip?.time ?? 0);
  if (transfer === undefined) return undefined;

  const stalled = summary(stalls, side, stream);
  // The end of a stall that was never released is no part of a transfer.
  const stalledNanoseconds = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const activeNanoseconds = transfer.active + tail(spans, transfer.last);
  const share = activeNanoseconds > 0 ? Math.min(1, stalledNanoseconds / activeNanoseconds) : 0;
  const books = receiver.connection(conn);
  const streamOf = stream === 0 ? stalled.mainStream : stream;
  const own = streamOf === 0 ? undefined : windowSize(books, side, streamOf);
  const shared = windowSize(books, side, 0);
  const wholeMessages = (own?.extraGrants ?? 0) > 0;
  const empty = share >= BINDING ? emptyWindow(stalled.by, wholeMessages) : null;
  const size =
    empty === 'stream-window'
      ? own!
      : empty === null
        ? own !== undefined && own.largest < shared.largest
          ? own
          : shared
        : smaller(own, shared, empty);
  const window = tracker.relative ? null : sizeInStalls(size, stalls, side, stream, transfer.last);
  const grown = window === null || empty === null ? null : growth(size, spans);
  const rtt = roundTrip === undefined ? null : roundTrip.time / 1e9;
  const limit = window === null || rtt === null ? null : window / rtt;
  const refill = window === null || size.increment === undefined ? null : Math.min(1, size.increment / window);
  const lowerLimit = limit === null ? null : (1 - (refill ?? 0)) * limit;
  const queued = isQueued(meter, side);
  const measured = queued
    ? deliveredRate(sources, conn, side, stream)
    : measuredRate(transfer, activeNanoseconds, empty !== null);
  const limitedBy = verdict(transfer, {
    empty,
    queued,
    unqueued: queued && window !== null ? window / ((meter.least() ?? 0) / 1e9) : null,
    measured,
    lowerLimit: limit === null ? null : Math.max(lowerLimit ?? 0, LEAST_REFILLED * limit),
    window,
    late: roundTrip !== undefined && stalled.typical > LATE_TIMES * roundTrip.time + LATE_LONGER,
    bounded: roundTrip?.lowerBound ?? true,
  });
  const record: LimitRecord = {
    conn,
    dir: side === connection.clientSide ? 'toServer' : 'toClient',
    stream,
    limitedBy,
    relative: tracker.relative,
    deliveries: capture.hasDeliveries,
    emptyWindow: empty,
    octets: transfer.octets,
    from: transfer.first / 1e9,
    to: transfer.last / 1e9,
    active: activeNanoseconds / 1e9,
    measured,
    window,
    grown,
    rtt,
    rttSource: roundTrip?.source ?? null,
    rttLowerBound: roundTrip?.lowerBound ?? false,
    limit,
    refill,
    lowerLimit,
    stalled: stalledNanoseconds / 1e9,
    stalledShare: share,
    stalls: stalled.count,
    stalledBy: {
      'stream-window': stalled.by['stream-window'] / 1e9,
      'connection-window': stalled.by['connection-window'] / 1e9,
      both: stalled.by.both / 1e9,
    },
    heldBy: stalled.heldBy,
    wholeMessages,
    proposal: empty === null ? null : proposalFor(grown?.to ?? window, rtt),
    evidence: evidenceOf(capture, stalls, stalled.longest),
    sentence: '',
    detail: '',
  };
  record.sentence = sentenceOf(record);
  record.detail = detailOf(record);
  return record;
}

/** Time of a stall after the last DATA: nothing was sent any more, for want of credit. */
function tail(spans: readonly { from: number; to: number }[], last: number): number {
  const end = spans[spans.length - 1]?.to ?? 0;
  return Math.max(0, end - last);
}

function smaller(own: WindowSize | undefined, shared: WindowSize, empty: StallCauseName): WindowSize {
  return empty === 'both' && own !== undefined && own.largest < shared.largest ? own : shared;
}

function summary(stalls: StallTable, side: Side, stream: number): Stalled {
  const by = { 'stream-window': 0, 'connection-window': 0, both: 0 };
  const held = new Map<number, number>();
  const streams = new Map<number, number>();
  const chosen: number[] = [];
  for (let i = 0; i < stalls.count; i++) {
    if (stalls.side.get(i) !== side || (stream !== 0 && stalls.stream.get(i) !== stream)) continue;
    const time = stalls.to.get(i) - stalls.from.get(i);
    by[STALL_CAUSES[stalls.cause.get(i) as StallCause]!] += time;
    streams.set(stalls.stream.get(i), (streams.get(stalls.stream.get(i)) ?? 0) + time);
    if (chosen.push(i) <= MAX_COUNTED)
      for (const holder of stalls.heldBy[i]!) held.set(holder, (held.get(holder) ?? 0) + time);
  }
  const length = (i: number) => stalls.to.get(i) - stalls.from.get(i);
  const longest = [...chosen]
    .sort((a, b) => length(b) - length(a))
    .slice(0, MAX_EVIDENCE)
    .sort((a, b) => a - b);
  const typical = typicalLength(chosen.map(length));
  const byTime = (times: Map<number, number>) =>
    [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id);
  return {
    count: chosen.length,
    by,
    heldBy: byTime(held).slice(0, 16),
    longest,
    typical,
    mainStream: byTime(streams)[0] ?? 0,
  };
}

function typicalLength(lengths: number[]): number {
  lengths.sort((a, b) => b - a);
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  let passed = 0;
  for (const length of lengths) {
    passed += length;
    if (passed * 2 >= whole) return length;
  }
  return 0;
}

/** The window that was empty for most of the stalled time. One that is opened for every message is no limit. */
function emptyWindow(by: Record<StallCauseName, number>, wholeMessages: boolean): StallCauseName | null {
  const total = by['stream-window'] + by['connection-window'] + by.both;
  if (total === 0) return null;
  if (by['connection-window'] * 2 > total) return 'connection-window';
  if (by['stream-window'] * 2 > total) return 'stream-window';
  return wholeMessages ? 'connection-window' : 'both';
}

/** The window's size in the middle of the stalled time; without stalls, at the end. */
function sizeInStalls(size: WindowSize, stalls: StallTable, side: Side, stream: number, end: number): number {
  const spans = stalledTime(stalls, side, stream);
  const total = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  let passed = 0;
  for (const { from, to } of spans) {
    // Stalls that adjoin are one span: its beginning says little of its middle.
    if ((passed + to - from) * 2 >= total) return size.at(from + total / 2 - passed);
    passed += to - from;
  }
  return size.at(end);
}

/** A window that became half as large again, at least: one of which the median says little. */
const GROWN = 1.5;

function growth(size: WindowSize, spans: readonly { from: number; to: number }[]): LimitRecord['grown'] {
  const first = spans[0];
  const last = spans[spans.length - 1];
  if (first === undefined || last === undefined) return null;
  const from = size.at(first.from);
  const to = size.at(last.to);
  return to >= GROWN * from ? { from, to } : null;
}

/**
 * Where windows bind, from the first stall's beginning on: the windowful before it went at once, and would make the rate
 * of a short transfer too high.
 */
function measuredRate(transfer: Transfer, active: number, binding: boolean): number | null {
  const { stalledOctets, stalledActive, octets } = transfer;
  // Of a transfer that was nearly over by then, the rest says nothing.
  if (binding && stalledActive > 0 && stalledOctets * 4 >= octets) return stalledOctets / (stalledActive / 1e9);
  return transfer.frames > 1 && active > 0 ? octets / (active / 1e9) : null;
}

/** Octets of a side usually wait at the tap for longer than its delay. */
function isQueued(meter: RoundTripMeter, side: Side): boolean {
  const kept = meter.kept(side);
  return kept !== undefined && kept.usual > kept.least * KEPT_TIMES + KEPT_LONGER;
}

/** What comes out of a queue tells its rate; what goes in does not. */
function deliveredRate({ capture, receiver }: LimitSources, conn: number, side: Side, stream: number): number | null {
  const delivered = transferOf(capture, receiver.connection(conn), side, stream, [], 0);
  return delivered !== undefined && delivered.active > 0 ? delivered.octets / (delivered.active / 1e9) : null;
}

function verdict(
  transfer: Transfer,
  known: {
    empty: StallCauseName | null;
    queued: boolean;
    /** What the window would let through if nothing waited at the tap; null where nothing does. */
    unqueued: number | null;
    measured: number | null;
    lowerLimit: number | null;
    window: number | null;
    /** Stalls last longer than the path explains. */
    late: boolean;
    bounded: boolean;
  },
): LimitedBy {
  const { empty, queued, measured, lowerLimit } = known;
  if (empty !== null) {
    // A window that is empty because the way on is slow: round trips, too, are as long as the queue makes them.
    if (known.unqueued !== null && measured !== null && measured < EXPLAINED * known.unqueued) return 'link';
    const explained =
      known.bounded || !known.late || lowerLimit === null || (measured !== null && measured >= EXPLAINED * lowerLimit);
    if (explained) return empty;
    return 'receiver';
  }
  if (queued) return 'link';
  if (transfer.betweenMessages > transfer.active / 2) return 'sender';
  const slowly = transfer.insideMessages > transfer.active / 2;
  if (known.window !== null && transfer.octets <= known.window && !slowly) return 'nothing';
  return 'unknown';
}

function proposalFor(window: number | null, rtt: number | null): { window: number; rate: number } | null {
  if (window === null || rtt === null || rtt <= 0) return null;
  let wanted = PROPOSED;
  while (wanted < 4 * window) wanted *= 2;
  return { window: wanted, rate: wanted / rtt };
}

/** Numbers of the frames that ended the longest stalls; where none did, those that the stall began with are not named. */
function evidenceOf(capture: Capture, stalls: StallTable, longest: readonly number[]): number[] {
  const rows = longest.map((i) => stalls.releasedBy.get(i)).filter((row) => row !== NO_ROW);
  return [...new Set(rows.map((row) => capture.numberOf(row)))].sort((a, b) => a - b);
}
