import type { WindowSeries } from '../../shared/series';

/**
 * uPlot's data: times that all series share, then for each a value, or undefined where the series has no step (its line
 * goes on to the next value; after the last it ends).
 */
export type PlotData = [number[], ...(number | undefined)[][]];

/**
 * Brings series to common times. A step holds until the next one, so each series also gets a value at the end: that of
 * the graph, or of its stream where that is over before.
 * @param end seconds: where the graph ends
 */
export function plotData(series: readonly WindowSeries[], end: number): PlotData {
  const times = new Set<number>();
  const ends = series.map((each) => endOf(each, end));
  for (const { t } of series) for (const time of t) times.add(time);
  for (const time of ends) if (time !== undefined) times.add(time);
  const x = [...times].sort((a, b) => a - b);
  const position = new Map(x.map((time, i) => [time, i]));
  return [
    x,
    ...series.map(({ t, window }, s) => {
      const values = new Array<number | undefined>(x.length).fill(undefined);
      // Several changes at one time: the last is what holds.
      for (const [i, time] of t.entries()) values[position.get(time)!] = window[i]!;
      const last = ends[s];
      if (last !== undefined) values[position.get(last)!] = window[window.length - 1]!;
      return values;
    }),
  ];
}

/** Where a series' last value stops holding; undefined when its last step is beyond that. */
function endOf({ t, end }: WindowSeries, graphEnd: number): number | undefined {
  const last = t[t.length - 1];
  const until = end === undefined ? graphEnd : Math.min(end, graphEnd);
  return last === undefined || last > until ? undefined : until;
}

/** The last step of a series at or before a time: its position, or -1; also where the series is over by then. */
export function stepAt({ t, end }: WindowSeries, time: number): number {
  if (end !== undefined && time > end) return -1;
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** More samples than are drawn, closer together than a pixel: a line would be a block. */
export function isDense({ t, total }: WindowSeries): boolean {
  return total > t.length * 1.5;
}
