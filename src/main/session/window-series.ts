import type { WindowSamples } from '../../core/flow/window-samples';
import type { Side } from '../../core/tcp/types';
import type { WindowSeries } from '../../shared/series';

const MAX_BUCKETS = 8192;

/**
 * The steps of one window between two times (nanoseconds), and the value that holds at `from`. Where there are more
 * samples than four for each of `buckets` intervals, each interval keeps its first, lowest, highest and last.
 * @param numberOf the number of a row
 * @param since when the connection began, nanoseconds
 */
export function windowSeries(
  samples: WindowSamples,
  side: Side,
  stream: number,
  from: number,
  to: number,
  buckets: number,
  numberOf: (row: number) => number,
  since = 0,
): WindowSeries {
  const { chosen, first } = samplesBetween(samples, side, stream, from, to);
  const kept = downsample(samples, chosen, from, to, Math.max(1, Math.min(MAX_BUCKETS, Math.floor(buckets) || 1)));
  const series: WindowSeries = {
    stream,
    t: kept.map((sample) => samples.time.get(sample) / 1e9),
    window: kept.map((sample) => samples.window.get(sample)),
    n: kept.map((sample) => numberOf(samples.row.get(sample))),
    total: chosen.length,
  };
  if (stream === 0 && first !== undefined && kept[0] === first) beginWithGrant(series, samples, first, since);
  return series;
}

/** The connection's window is there before anything changes it: from the connection's beginning, `since`. */
function beginWithGrant(series: WindowSeries, samples: WindowSamples, first: number, since: number): void {
  if (series.t[0]! <= since / 1e9) return;
  const before = samples.window.get(first) - samples.change.get(first);
  series.t.unshift(since / 1e9);
  series.window.unshift(before);
  series.n.unshift(series.n[0]!);
}

/**
 * Samples in the interval, with the last before it and the first after it, so that lines reach the edges; and the first
 * that the window has of all.
 */
function samplesBetween(
  samples: WindowSamples,
  side: Side,
  stream: number,
  from: number,
  to: number,
): { chosen: number[]; first: number | undefined } {
  const chosen: number[] = [];
  let first: number | undefined;
  let before = -1;
  for (let i = 0; i < samples.count; i++) {
    if (samples.stream.get(i) !== stream || samples.side.get(i) !== side) continue;
    first ??= i;
    const time = samples.time.get(i);
    if (time < from) {
      before = i;
      continue;
    }
    if (before !== -1) {
      chosen.push(before);
      before = -1;
    }
    chosen.push(i);
    if (time > to) break;
  }
  if (before !== -1) chosen.push(before);
  return { chosen, first };
}

function downsample(samples: WindowSamples, chosen: number[], from: number, to: number, buckets: number): number[] {
  if (chosen.length <= buckets * 4) return chosen;
  const kept: number[] = [];
  // A nanosecond at least: an interval may be empty, or its ends the wrong way round.
  const width = Math.max(1, (to - from) / buckets);
  const bucketOf = (sample: number) => Math.floor((samples.time.get(sample) - from) / width);
  let at = 0;
  while (at < chosen.length) {
    const bucket = bucketOf(chosen[at]!);
    const first = at;
    let lowest = at;
    let highest = at;
    do {
      const window = samples.window.get(chosen[at]!);
      if (window < samples.window.get(chosen[lowest]!)) lowest = at;
      if (window > samples.window.get(chosen[highest]!)) highest = at;
      at++;
    } while (at < chosen.length && bucketOf(chosen[at]!) === bucket);
    for (const position of [...new Set([first, lowest, highest, at - 1])].sort((a, b) => a - b)) {
      kept.push(chosen[position]!);
    }
  }
  return kept;
}
