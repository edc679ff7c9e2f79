import type { WindowSeries } from '../../shared/series';

/** uPlot's data: times that all series share, then a value, or null where a series has no step, for each. */
export type PlotData = [number[], ...(number | null)[][]];

/**
 * Brings series to common times. A step holds until the next one, so each series also gets a value at the end.
 * @param end seconds: where the graph ends
 */
export function plotData(series: readonly WindowSeries[], end: number): PlotData {
  const times = new Set<number>();
  for (const { t } of series) for (const time of t) times.add(time);
  if (series.some(({ t }) => t.length > 0)) times.add(end);
  const x = [...times].sort((a, b) => a - b);
  const position = new Map(x.map((time, i) => [time, i]));
  return [
    x,
    ...series.map(({ t, window }) => {
      const values = new Array<number | null>(x.length).fill(null);
      // Several changes at one time: the last is what holds.
      for (const [i, time] of t.entries()) values[position.get(time)!] = window[i]!;
      const last = window[window.length - 1];
      if (last !== undefined && t[t.length - 1]! <= end) values[x.length - 1] = last;
      return values;
    }),
  ];
}

/** The last step of a series at or before a time: its position, or -1. */
export function stepAt({ t }: WindowSeries, time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Octets on an axis: `64 Ki`, `1 Mi`, `-16 Ki`. */
export function axisOctets(value: number): string {
  const size = Math.abs(value);
  if (size >= 1 << 20) return `${round(value / (1 << 20))} Mi`;
  if (size >= 1 << 10) return `${round(value / (1 << 10))} Ki`;
  return String(value);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
