import type { ConcurrencyAnswer } from '../../shared/concurrency';

/** uPlot's data: times, streams open, and the limit; null where a line has not begun. */
export type StepData = [number[], (number | null)[], (number | null)[]];

type Steps = Pick<ConcurrencyAnswer, 't' | 'open' | 'limits'>;

/**
 * Both lines at the times of both; a value holds until the next.
 * @param from seconds: where the connection began, with no stream open
 * @param to seconds: where the lines end
 */
export function stepData({ t, open, limits }: Steps, from: number, to: number): StepData {
  const inForce = limits.flatMap(({ t: time, value }) => (time === null ? [] : [{ time, value }]));
  inForce.sort((a, b) => a.time - b.time);
  const times = [...new Set([from, ...t, ...inForce.map(({ time }) => time), to])].sort((a, b) => a - b);
  let [step, limit] = [0, 0];
  let [opened, allowed]: (number | null)[] = [null, null];
  const data: StepData = [times, [], []];
  for (const time of times) {
    // Of several changes at one time the last is what holds.
    for (; step < t.length && t[step]! <= time; step++) opened = open[step]!;
    for (; limit < inForce.length && inForce[limit]!.time <= time; limit++) allowed = inForce[limit]!.value;
    if (opened === null && (t.length === 0 || time < t[0]!)) data[1].push(0);
    else data[1].push(opened);
    data[2].push(allowed);
  }
  return data;
}

/** The last step at or before a time: its position, or -1. */
export function stepAt(t: readonly number[], time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What the axis must reach: a limit far above all streams would press their line to the ground, and is left out. */
export function highest(peak: number, limits: ConcurrencyAnswer['limits']): number {
  const near = limits.filter(({ value, t }) => t !== null && value <= Math.max(4, peak * 3)).map(({ value }) => value);
  return Math.max(1, peak, ...near);
}
