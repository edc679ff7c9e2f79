/** How the benchmark prints: a line per figure, goals beside the numbers. A missed goal is told, and fails nothing. */

export interface Goal {
  atLeast?: number;
  atMost?: number;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of `share` (0 to 1) of the values does not exceed; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function section(title: string): void {
  console.log(`\n${title}`);
}

export function note(text: string): void {
  console.log(`  ${text}`);
}

/**
 * Prints a figure that was measured several times: its median, its minimum, and whether the median meets the goal.
 * @param digits after the decimal point
 */
export function figure(name: string, values: readonly number[], unit = '', goal?: Goal, digits = 2): void {
  const middle = median(values);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const spread =
    values.length > 1 ? `min ${least.toFixed(digits)}  max ${most.toFixed(digits)}  n ${values.length}` : '';
  const told = `${middle.toFixed(digits)} ${unit}`;
  console.log(`  ${name.padEnd(54)} ${told.padStart(18)}  ${spread.padEnd(38)} ${judge(middle, goal)}`.trimEnd());
}

function judge(value: number, goal: Goal | undefined): string {
  if (goal === undefined) return '';
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  const words = goal.atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `${words}: ${value >= atLeast && value <= atMost ? 'ok' : 'MISSED'}`;
}

/** Ratio of two series that were measured in turns: a with b of the same round. */
export function ratios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, i) => value / b[i]!);
}
