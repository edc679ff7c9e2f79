import { formatRate, parseDuration, parseRate, RATE_SYNTAX } from '../../shared/units';

/** Round trips to choose from, milliseconds: none, a data centre, a region, a continent, an ocean, the far side. */
export const RTT_PRESETS = [0, 5, 20, 50, 100, 200] as const;

/** Ten minutes, as the tap has it. */
const LONGEST_DELAY = 600_000;

/** What somebody typed, understood or not. */
export type Typed<T> = { value: T } | { message: string };

/** Milliseconds one way: `10`, `10 ms`, `1.5 s`. A number without a unit is milliseconds, as the field says. */
export function readDelay(text: string): Typed<number> {
  const bare = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*$/.exec(text);
  const value = bare === null ? parseDuration(text) : Number(bare[1]);
  if (value === undefined) return { message: 'Write milliseconds, such as 10; or a number with us, ms, s or min.' };
  if (value > LONGEST_DELAY) return { message: 'A delay is at most 10 minutes.' };
  return { value };
}

/** Octets a second, or null for no limit: `10 MiB/s`, `100 Mbit/s`; nothing, `none` or `∞` lifts it. */
export function readRate(text: string): Typed<number | null> {
  if (/^\s*(|∞|none|off|unlimited)\s*$/i.test(text)) return { value: null };
  const value = parseRate(text);
  if (value === undefined) return { message: `Write ${RATE_SYNTAX}; nothing for no limit.` };
  if (value < 1) return { message: 'A rate is at least 1 B/s; nothing for no limit.' };
  return { value };
}

export function delayText(milliseconds: number): string {
  return `${plain(milliseconds)} ms`;
}

/** Both ways in the order of the path there and back: `10 + 10 ms`; `0` without a delay. */
export function rttText(toServer: number, toClient: number): string {
  if (toServer === 0 && toClient === 0) return '0';
  return `${plain(toServer)} + ${plain(toClient)} ms`;
}

/** The preset that these delays are, if they are one. */
export function presetOf(toServer: number, toClient: number): number | undefined {
  return toServer === toClient ? RTT_PRESETS.find((rtt) => rtt === toServer + toClient) : undefined;
}

/** A rate that reads back as itself: `10 MiB/s`, `100 Mbit/s`; `∞` for null. */
export function rateText(rate: number | null): string {
  if (rate === null) return '∞';
  for (const text of [formatRate(rate), ...bitTexts(rate)]) if (parseRate(text) === rate) return text;
  return `${plain(rate)} B/s`;
}

/** One rate where both directions have it. */
export function ratesText(toServer: number | null, toClient: number | null): string {
  if (toServer === toClient) return rateText(toServer);
  return `→ ${rateText(toServer)}  ← ${rateText(toClient)}`;
}

function bitTexts(rate: number): string[] {
  return (['Gbit/s', 'Mbit/s', 'kbit/s'] as const)
    .map((unit, i) => `${plain((rate * 8) / 10 ** (9 - 3 * i))} ${unit}`)
    .filter((text) => /^[1-9]\d{0,2}(\.\d{1,2})? /.test(text));
}

/** Six decimals at most, none that say nothing. */
function plain(value: number): string {
  return String(Number(value.toFixed(6)));
}
