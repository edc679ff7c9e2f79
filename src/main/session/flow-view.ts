import type { Capture } from '../../core/capture/capture';
import { RowBit } from '../../core/capture/frames';
import type { FlowAnalysis } from '../../core/flow/flow-analysis';
import { STALL_CAUSES, type StallTable } from '../../core/flow/stall-table';
import { WindowCause, type WindowSamples } from '../../core/flow/window-samples';
import type { Side } from '../../core/tcp/types';
import type { FlowAnswer, FlowQuery, OctetSeries, StallCause, StalledStream, StallSpan } from '../../shared/flow';
import type { StallRecord } from '../../shared/records';
import { callEnd, callStart } from './records/calls';
import { stallRecord } from './records/stalls';
import type { Session } from './session';

/** Intervals in an answer at most. */
const MAX_BUCKETS = 4096;
/** Marks of a kind in an answer at most: more than fit on a screen. */
const MAX_MARKS = 2000;
const MAX_STREAMS = 500;
/** Round trips that a rate is the mean of: one windowful more or less must not make it jump. */
const RATE_TRIPS = 4;
/** Buckets that make one point of it. */
const RATE_BUCKETS = 4;

/** @throws Error where there is no such connection */
export function flowView(session: Session, query: FlowQuery): FlowAnswer {
  const { capture, analysis, flow } = session;
  const connection = capture.connections[query.conn - 1];
  if (connection === undefined) throw new Error(`there is no connection ${query.conn}`);
  const client = connection.clientSide;
  const side = query.dir === 'toServer' ? client : ((client ^ 1) as Side);
  const buckets = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(query.buckets) || 1));
  const time = { from: query.from * 1e9, to: Math.max(query.to * 1e9, query.from * 1e9 + 1) };
  const { samples } = flow[query.view].connection(query.conn);
  const stalls = analysis.stalls(query.conn);
  const roundTrip = analysis.roundTrip(query.conn)?.time ?? 0;
  const span = time.to - time.from;
  const data = octetSeries(samples, side, time, buckets);
  return {
    start: connection.tcp.start / 1e9,
    end: connection.end / 1e9,
    limit: analysis.limit(query.conn, side) ?? null,
    streamLimit: query.stream === 0 ? null : (analysis.limit(query.conn, side, query.stream) ?? null),
    stalls: stallSpans(capture, query.conn, stalls, side, new Set(query.streams), time, span / buckets),
    longest: longestStall(capture, query.conn, stalls, side, new Set(query.streams)),
    data,
    rate: rateSeries(data, RATE_TRIPS * roundTrip),
    updates: updateMarks(capture, samples, side, new Set(query.streams), time),
    pings: pingMarks(capture, analysis, query.conn, client, time),
    stalledStreams: stalledStreams(capture, query.conn, stalls, side),
  };
}

interface Time {
  /** Nanoseconds. */
  from: number;
  to: number;
}

function stallSpans(
  capture: Capture,
  conn: number,
  stalls: StallTable,
  side: Side,
  streams: ReadonlySet<number>,
  { from, to }: Time,
  width: number,
): StallSpan[] {
  const chosen: number[] = [];
  for (let i = 0; i < stalls.count; i++) {
    if (stalls.side.get(i) !== side || stalls.to.get(i) < from || stalls.from.get(i) > to) continue;
    if (streams.size === 0 || streams.has(stalls.stream.get(i))) chosen.push(i);
  }
  chosen.sort((a, b) => stalls.cause.get(a) - stalls.cause.get(b) || stalls.from.get(a) - stalls.from.get(b));
  const spans: { first: number; from: number; to: number; longest: number; count: number }[] = [];
  const length = (i: number) => stalls.to.get(i) - stalls.from.get(i);
  for (const i of chosen) {
    const last = spans[spans.length - 1];
    const joins =
      last !== undefined &&
      stalls.cause.get(last.first) === stalls.cause.get(i) &&
      stalls.from.get(i) <= last.to + width;
    if (joins) {
      last.to = Math.max(last.to, stalls.to.get(i));
      last.count++;
      if (length(i) > length(last.longest)) last.longest = i;
    } else {
      spans.push({ first: i, from: stalls.from.get(i), to: stalls.to.get(i), longest: i, count: 1 });
    }
  }
  return spans.map((each) => {
    const { stream, cause, heldBy = [], releasedBy } = stallRecord(capture, conn, stalls, each.longest);
    return { from: each.from / 1e9, to: each.to / 1e9, cause, count: each.count, stream, heldBy, releasedBy };
  });
}

function longestStall(
  capture: Capture,
  conn: number,
  stalls: StallTable,
  side: Side,
  streams: ReadonlySet<number>,
): StallRecord | null {
  let best = -1;
  let bestIsDrawn = false;
  const length = (i: number) => stalls.to.get(i) - stalls.from.get(i);
  for (let i = 0; i < stalls.count; i++) {
    if (stalls.side.get(i) !== side) continue;
    const drawn = streams.has(stalls.stream.get(i));
    if (best !== -1 && ((bestIsDrawn && !drawn) || (bestIsDrawn === drawn && length(i) <= length(best)))) continue;
    best = i;
    bestIsDrawn = drawn;
  }
  return best === -1 ? null : stallRecord(capture, conn, stalls, best);
}

function octetSeries(samples: WindowSamples, side: Side, { from, to }: Time, buckets: number): OctetSeries {
  const width = (to - from) / buckets;
  const octets = new Array<number>(buckets).fill(0);
  for (let i = firstFrom(samples, from); i < samples.count; i++) {
    const time = samples.time.get(i);
    if (time >= to) break;
    if (samples.stream.get(i) !== 0 || samples.side.get(i) !== side || samples.cause.get(i) !== WindowCause.DATA)
      continue;
    const bucket = Math.min(buckets - 1, Math.floor((time - from) / width));
    octets[bucket]! -= samples.change.get(i);
  }
  return { from: from / 1e9, width: width / 1e9, octets };
}

/**
 * Coarser intervals, each with the mean over so much time around it, as far as there is time on its sides.
 * @param span nanoseconds, at least
 */
function rateSeries(data: OctetSeries, span: number): OctetSeries {
  const points = Math.max(1, Math.floor(data.octets.length / RATE_BUCKETS));
  const width = (data.width * data.octets.length) / points;
  const coarse = new Array<number>(points).fill(0);
  for (const [i, octets] of data.octets.entries()) {
    coarse[Math.min(points - 1, Math.floor((i * points) / data.octets.length))]! += octets;
  }
  const sums = [0];
  for (const each of coarse) sums.push(sums[sums.length - 1]! + each);
  const reach = Math.min(points, Math.ceil(span / 1e9 / width / 2));
  const octets = coarse.map((_, i) => {
    const low = Math.max(0, i - reach);
    const high = Math.min(points, i + reach + 1);
    return (sums[high]! - sums[low]!) / (high - low);
  });
  return { from: data.from, width, octets };
}

function updateMarks(
  capture: Capture,
  samples: WindowSamples,
  side: Side,
  streams: ReadonlySet<number>,
  { from, to }: Time,
): FlowAnswer['updates'] {
  const found: number[] = [];
  for (let i = firstFrom(samples, from); i < samples.count && samples.time.get(i) <= to; i++) {
    if (samples.side.get(i) !== side || samples.cause.get(i) !== WindowCause.WINDOW_UPDATE) continue;
    const stream = samples.stream.get(i);
    if (stream === 0 || streams.size === 0 || streams.has(stream)) found.push(i);
  }
  return thinned(found).map((i) => ({
    t: samples.time.get(i) / 1e9,
    n: capture.numberOf(samples.row.get(i)),
    stream: samples.stream.get(i),
    increment: samples.change.get(i),
  }));
}

/** At their arrival at the tap. */
function pingMarks(
  capture: Capture,
  analysis: FlowAnalysis,
  conn: number,
  client: Side,
  { from, to }: Time,
): FlowAnswer['pings'] {
  const { frames, chunks } = capture;
  const rows = analysis.pingRows(conn);
  const found: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows.get(i);
    const time = chunks.time.get(frames.lastChunk.get(row));
    if (time >= from && time <= to) found.push(row);
  }
  return thinned(found).map((row) => ({
    t: chunks.time.get(frames.lastChunk.get(row)) / 1e9,
    n: capture.numberOf(row),
    by: (frames.bits.get(row) & RowBit.SIDE) === client ? 'client' : 'server',
  }));
}

function stalledStreams(capture: Capture, conn: number, stalls: StallTable, side: Side): StalledStream[] {
  const streams = new Map<number, { by: [number, number, number]; longest: number }>();
  const length = (i: number) => stalls.to.get(i) - stalls.from.get(i);
  for (let i = 0; i < stalls.count; i++) {
    if (stalls.side.get(i) !== side) continue;
    const stream = stalls.stream.get(i);
    let of = streams.get(stream);
    if (of === undefined) {
      of = { by: [0, 0, 0], longest: i };
      streams.set(stream, of);
    }
    of.by[stalls.cause.get(i) as 0 | 1 | 2] += length(i);
    if (length(i) > length(of.longest)) of.longest = i;
  }
  const sum = ([a, b, c]: [number, number, number]) => a + b + c;
  const list = [...streams].sort((a, b) => sum(b[1].by) - sum(a[1].by) || a[0] - b[0]).slice(0, MAX_STREAMS);
  return list.map(([stream, { by, longest }]) => {
    const cause: StallCause = STALL_CAUSES[by.indexOf(Math.max(...by))]!;
    return {
      stream,
      seconds: sum(by) / 1e9,
      share: Math.min(1, sum(by) / timeOf(capture, conn, stream)),
      cause,
      heldBy: cause === 'stream-window' ? [] : [...stalls.heldBy[longest]!],
    };
  });
}

/** Nanoseconds that a call has lasted; 1 at least. */
function timeOf(capture: Capture, conn: number, stream: number): number {
  const call = capture.callAt(conn, stream);
  const connection = capture.connections[conn - 1]!;
  if (call === -1) return Math.max(1, connection.end - connection.tcp.start);
  return Math.max(1, (callEnd(capture, call) ?? capture.lastTime) - callStart(capture, call));
}

/** The first sample at or after a time. */
function firstFrom(samples: WindowSamples, time: number): number {
  let low = 0;
  let high = samples.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (samples.time.get(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function thinned(list: readonly number[]): number[] {
  const step = Math.ceil(list.length / MAX_MARKS);
  return step <= 1 ? [...list] : list.filter((_, i) => i % step === 0);
}
