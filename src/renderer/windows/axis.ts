/** Octets on an axis: `64 KiB`, `1 MiB`, `-16 KiB`, `0`. */
export function axisOctets(value: number): string {
  const size = Math.abs(value);
  if (size >= 1 << 20) return `${round(value / (1 << 20))} MiB`;
  if (size >= 1 << 10) return `${round(value / (1 << 10))} KiB`;
  return size === 0 ? '0' : `${value} B`;
}

/** Octets a second on an axis. */
export function axisRate(value: number): string {
  return value === 0 ? '0' : `${axisOctets(value)}/s`;
}

/** Seconds on an axis, as many decimals as its steps need: `2.15 s`, `2.1512 s`. */
export function axisSeconds(splits: readonly number[]): string[] {
  const step = splits.length > 1 ? splits[1]! - splits[0]! : 1;
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-6)));
  return splits.map((value) => `${value.toFixed(decimals)} s`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Steps of an axis in octets: powers of two, so that 64 KiB is a line. */
export const OCTET_STEPS = Array.from({ length: 40 }, (_, i) => 2 ** i);
