import type { WindowSamples } from './window-samples';

/**
 * The samples that a row caused: they stand together, at the time at which it counts.
 * @param time nanoseconds: the row's arrival or its delivery, as the view has it; NaN gives none
 */
export function samplesOfRow(samples: WindowSamples, row: number, time: number): number[] {
  const found: number[] = [];
  if (Number.isNaN(time)) return found;
  let low = 0;
  let high = samples.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (samples.time.get(middle) < time) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < samples.count && samples.time.get(i) === time; i++) {
    if (samples.row.get(i) === row) found.push(i);
  }
  return found;
}
