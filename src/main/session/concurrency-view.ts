import type { Capture } from '../../core/capture/capture';
import { NO_ROW } from '../../core/capture/frames';
import { type Concurrency, concurrencyOf } from '../../core/flow/concurrency';
import type { ConcurrencyAnswer, ConcurrencyQuery, ConcurrencyRecord } from '../../shared/concurrency';

const MAX_BUCKETS = 8192;
/** Limits in one answer; a peer may send SETTINGS without end. */
const MAX_LIMITS = 1000;

/** The last one counted, as a graph that is zoomed asks for the same again and again. */
const counted = new WeakMap<Capture, { key: string; concurrency: Concurrency }>();

function concurrency(capture: Capture, conn: number): Concurrency {
  const key = `${conn} ${capture.frames.count} ${capture.lastTime} ${capture.ended}`;
  const last = counted.get(capture);
  if (last?.key === key) return last.concurrency;
  const found = concurrencyOf(capture, conn);
  counted.set(capture, { key, concurrency: found });
  return found;
}

/** @param conn from 1 */
export function concurrencyRecord(capture: Capture, conn: number): ConcurrencyRecord {
  return recordOf(capture, concurrencyOf(capture, conn));
}

/** @throws Error for a connection that is not there */
export function concurrencyView(capture: Capture, query: ConcurrencyQuery): ConcurrencyAnswer {
  if (capture.connections[query.conn - 1] === undefined) throw new Error(`there is no connection ${query.conn}`);
  const found = concurrency(capture, query.conn);
  const { time, open, row } = found;
  const { kept, total } = stepsBetween(found, query);
  return {
    record: recordOf(capture, found),
    deliveries: capture.hasDeliveries,
    t: kept.map((step) => time.get(step) / 1e9),
    open: kept.map((step) => open.get(step)),
    n: kept.map((step) => capture.numberOf(row.get(step))),
    total,
    limits: found.limits.slice(-MAX_LIMITS).map((limit) => ({
      t: Number.isNaN(limit.time) ? null : limit.time / 1e9,
      value: limit.value,
      n: capture.numberOf(limit.row),
    })),
    waves: found.waves.map((wave) => ({
      from: wave.from / 1e9,
      to: wave.to / 1e9,
      streams: wave.streams,
      n: capture.numberOf(wave.row),
    })),
  };
}

function recordOf(capture: Capture, found: Concurrency): ConcurrencyRecord {
  const connection = capture.connections[found.conn - 1]!;
  const inForce = found.limits.filter(({ time }) => !Number.isNaN(time)).at(-1);
  const newest = found.limits.at(-1);
  return {
    conn: found.conn,
    partial: found.partial,
    start: connection.tcp.start / 1e9,
    end: connection.end / 1e9,
    streams: found.streams,
    peak: found.peak,
    peakFrame: found.peakRow === NO_ROW ? null : capture.numberOf(found.peakRow),
    mean: found.mean,
    limit: inForce?.value ?? null,
    limitFrame: inForce === undefined ? null : capture.numberOf(inForce.row),
    pendingLimit: newest === undefined || newest === inForce ? null : newest.value,
    atLimit: found.atLimit / 1e9,
    prompt: found.prompt,
    beyond: found.beyond,
    refused: found.refused,
    waves: found.waveCount,
  };
}

/** Steps in the time, with the last before it and the first after it, so that the line reaches the edges. */
function stepsBetween({ time, open }: Concurrency, query: ConcurrencyQuery): { kept: number[]; total: number } {
  const from = query.from * 1e9;
  const to = query.to * 1e9;
  const first = Math.max(0, countBefore(time, from) - 1);
  const last = Math.min(time.length - 1, countBefore(time, to));
  const total = Math.max(0, last - first + 1);
  const buckets = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(query.buckets) || 1));
  if (total <= buckets * 4) return { kept: Array.from({ length: total }, (_, i) => first + i), total };
  const width = Math.max(1, (to - from) / buckets);
  const bucketOf = (step: number) => Math.floor((time.get(step) - from) / width);
  const kept: number[] = [];
  for (let at = first; at <= last; ) {
    const bucket = bucketOf(at);
    const begin = at;
    let [lowest, highest] = [at, at];
    for (; at <= last && bucketOf(at) === bucket; at++) {
      if (open.get(at) < open.get(lowest)) lowest = at;
      if (open.get(at) > open.get(highest)) highest = at;
    }
    kept.push(...[...new Set([begin, lowest, highest, at - 1])].sort((a, b) => a - b));
  }
  return { kept, total };
}

/** Steps before a time: times ascend. */
function countBefore(time: { length: number; get(at: number): number }, limit: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time.get(middle) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
