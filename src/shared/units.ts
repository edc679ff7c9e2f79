/** Durations, sizes and rates as people write them, and back. */

/** Milliseconds. */
const DURATION_UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** Octets. Without a unit: octets. */
const SIZE_UNITS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Octets a second; bits are for those who think of a link. */
const RATE_UNITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(SIZE_UNITS).map(([unit, octets]) => [`${unit}/s`, octets])),
  'kbit/s': 1e3 / 8,
  'Mbit/s': 1e6 / 8,
  'Gbit/s': 1e9 / 8,
};

/** What the parsers take, for messages. */
export const DURATION_SYNTAX = 'a number with us, ms, s, min or h, such as 20ms';
export const SIZE_SYNTAX = 'a number with B, KiB, MiB, GiB, kB, MB or GB, such as 2GiB';
export const RATE_SYNTAX = 'a number with B/s, KiB/s, MiB/s, GiB/s, kB/s, MB/s, GB/s, kbit/s, Mbit/s or Gbit/s';

const NUMBER_AND_UNIT = /^(\d+(?:\.\d+)?|\.\d+)\s*([A-Za-zµμ/]*)$/;

/** `20ms`, `1.5 s`, `0` as milliseconds; undefined for anything else. Zero alone needs no unit. */
export function parseDuration(text: string): number | undefined {
  return parse(text, (unit, number) => {
    if (unit === '' && number === 0) return 1;
    return DURATION_UNITS[unit === 'µs' || unit === 'μs' ? 'us' : unit];
  });
}

/** `2GiB`, `64 KiB`, `1000` as whole octets; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const size = parse(text, (unit) => (unit === '' ? 1 : lookUp(SIZE_UNITS, unit)));
  return size === undefined ? undefined : Math.round(size);
}

/** `10MiB/s`, `100Mbit/s` as octets a second; undefined for anything else. */
export function parseRate(text: string): number | undefined {
  return parse(text, (unit) => lookUp(RATE_UNITS, unit));
}

function parse(text: string, factorOf: (unit: string, number: number) => number | undefined): number | undefined {
  const match = NUMBER_AND_UNIT.exec(text.trim());
  if (match === null) return undefined;
  const number = Number(match[1]);
  const factor = factorOf(match[2]!, number);
  const value = factor === undefined ? undefined : number * factor;
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Without regard to case, as long as that stays clear: it does, for these tables' units. */
function lookUp(units: Readonly<Record<string, number>>, unit: string): number | undefined {
  for (const [name, factor] of Object.entries(units)) if (name.toLowerCase() === unit.toLowerCase()) return factor;
  return undefined;
}

/** Octets for reading: `512 B`, `64 KiB`, `2.4 MiB`. */
export function formatSize(octets: number): string {
  let value = octets;
  let unit = 'B';
  for (const larger of ['KiB', 'MiB', 'GiB', 'TiB']) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return `${shortNumber(value)} ${unit}`;
}

export function formatRate(octetsPerSecond: number): string {
  return `${formatSize(octetsPerSecond)}/s`;
}

/** Seconds for reading, with three digits or so: `85 µs`, `20.3 ms`, `1.25 s`, `2 min 5 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < 0) return `-${formatDuration(-seconds)}`;
  if (seconds === 0) return '0 s';
  if (seconds < 0.000_999_5) return `${threeDigits(seconds * 1e6)} µs`;
  if (seconds < 0.999_5) return `${threeDigits(seconds * 1e3)} ms`;
  if (seconds < 59.95) return `${threeDigits(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** One decimal where it says something: 64, 2.4, 118. */
function shortNumber(value: number): string {
  return value < 100 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}
