/** Numbers as the timeline shows them: digits in groups of three, so that they can be compared down a column. */

const THIN_SPACE = '\u202f';

/** Seconds to the nanosecond: `2.112 301 940`. */
export function secondsText(seconds: number): string {
  const [whole, fraction] = seconds.toFixed(9).split('.') as [string, string];
  return `${whole}.${fraction.slice(0, 3)}${THIN_SPACE}${fraction.slice(3, 6)}${THIN_SPACE}${fraction.slice(6)}`;
}

/**
 * Time of day, to the nanosecond, in the machine's own time zone.
 * @param firstTime of the capture's first packet, nanoseconds since 1970
 */
export function clockText(firstTime: bigint, seconds: number): string {
  const time = firstTime + BigInt(Math.round(seconds * 1e9));
  const date = new Date(Number(time / 1_000_000n));
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const below = pad(Number(time % 1_000_000_000n), 9);
  const groups = `${below.slice(0, 3)}${THIN_SPACE}${below.slice(3, 6)}${THIN_SPACE}${below.slice(6)}`;
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${groups}`;
}

/** Milliseconds since the row before: `+10.418`. */
export function deltaText(seconds: number): string {
  return `${seconds < 0 ? '−' : '+'}${Math.abs(seconds * 1000).toFixed(3)}`;
}

/** 16384 → `16,384`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
