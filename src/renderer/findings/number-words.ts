import { formatDuration, formatRate } from '../../shared/units';
import { grouped } from '../timeline/format';

/** Names of numbers whose unit is not a count or octets. */
const SECONDS = new Set([
  'rtt',
  'stalled',
  'atLimit',
  'time',
  'shortest',
  'allowed',
  'shortestTimeout',
  'meanConnectionTime',
]);
const SHARES = new Set(['share', 'stalledShare']);

export interface NumberWords {
  name: string;
  words: string;
}

/** A finding's numbers for reading: `mostInASecond: 1200` as “most in a second”, “1,200”. */
export function numberWords(numbers: Readonly<Record<string, number>>): NumberWords[] {
  return Object.entries(numbers).map(([name, value]) => ({ name: wordsOf(name), words: amountOf(name, value) }));
}

function wordsOf(name: string): string {
  if (name === 'rtt') return 'round trip';
  if (name === 'frames') return 'frames in all';
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function amountOf(name: string, value: number): string {
  if (SECONDS.has(name)) return formatDuration(value);
  if (SHARES.has(name)) return `${(value * 100).toFixed(1)} %`;
  if (name.endsWith('Rate')) return formatRate(value);
  return Number.isInteger(value) ? grouped(value) : value.toPrecision(3);
}
