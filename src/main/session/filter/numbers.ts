import type { Value } from './ast';
import { FilterProblem, shown } from './problem';

/** What a field counts: nothing in particular, octets, or nanoseconds (written in seconds where no unit stands). */
export type Quantity = 'count' | 'octets' | 'time';

/** Small letters: units are read without regard to case. */
const UNITS: Readonly<Record<Quantity, ReadonlyMap<string, number>>> = {
  count: new Map([['', 1]]),
  octets: new Map([
    ['', 1],
    ['b', 1],
    ['kb', 1000],
    ['kib', 1024],
    ['mb', 1000 ** 2],
    ['mib', 1024 ** 2],
    ['gb', 1000 ** 3],
    ['gib', 1024 ** 3],
  ]),
  time: new Map([
    ['', 1e9],
    ['ns', 1],
    ['us', 1e3],
    ['\u00b5s', 1e3], // micro sign
    ['\u03bcs', 1e3], // Greek mu
    ['ms', 1e6],
    ['s', 1e9],
    ['min', 60e9],
  ]),
};

const EXPECTED: Readonly<Record<Quantity, string>> = {
  count: 'a number without a unit, such as 3 or 0x10',
  octets: 'a size, such as 1000 or 64KiB (B, kB, KiB, MB, MiB, GB, GiB)',
  time: 'a time, such as 0.5 (seconds) or 20ms (ns, us, ms, s, min)',
};

const NUMBER = /^([+-]?)(?:(0x[0-9a-f]+)|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z\u00b5\u03bc]*))$/i;

/** The value in octets or nanoseconds; undefined when it is no number with a unit of that quantity. */
export function readNumber(text: string, quantity: Quantity): number | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign, hexadecimal, decimal, unit = ''] = match;
  const factor = UNITS[quantity].get(unit.toLowerCase());
  if (factor === undefined) return undefined;
  const size = Number(hexadecimal ?? decimal) * factor;
  const value = sign === '-' ? -size : size;
  // Times are whole nanoseconds; 0.0018 s would miss 1,800,000 of them by a rounding.
  return quantity === 'time' ? Math.round(value) : value;
}

/** @throws FilterProblem that says what was expected. `also` names other values that the field takes. */
export function numberOf(value: Value, quantity: Quantity, also = ''): number {
  const number = readNumber(value.text, quantity);
  if (number === undefined) {
    throw new FilterProblem(`Expected ${EXPECTED[quantity]}${also}, not ${shown(value)}`, value);
  }
  return number;
}
