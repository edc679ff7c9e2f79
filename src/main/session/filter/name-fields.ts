import { RowBit } from '../../../core/capture/frames';
import type { Direction } from '../../../shared/records';
import type { Comparison, Value } from './ast';
import { NAME_OPERATORS, requireOperator, singleValue } from './comparisons';
import type { Field } from './field';
import { FLAG_NAMES, flagBits, KINDS, kindsNamed, NON_FRAME, TYPE_NAMES } from './frame-names';
import { suggestion } from './nearest';
import { readNumber } from './numbers';
import { Cost, not, type Predicate } from './predicate';
import { FilterProblem, shown } from './problem';
import type { FilterRows } from './types';

/** Of a frame its type, of another row 256 and its place in NON_FRAME_KINDS. */
export function kindOf({ capture: { frames } }: FilterRows): (row: number) => number {
  return (row) => frames.type.get(row) + ((frames.bits.get(row) & RowBit.NON_FRAME) === 0 ? 0 : NON_FRAME);
}

/** The values of ==, != and in; whether they are to be ruled out. */
function named(name: string, comparison: Comparison): { values: Value[]; negated: boolean } {
  requireOperator(name, comparison, NAME_OPERATORS);
  const values = comparison.operator === 'in' ? comparison.values : [singleValue(comparison)];
  return { values, negated: comparison.operator === '!=' };
}

function result(negated: boolean, bind: Predicate['bind']): Predicate {
  const predicate: Predicate = { scope: 'row', cost: Cost.COLUMN, bind };
  return negated ? not(predicate) : predicate;
}

/** A number of eight bits. */
function octet(value: Value): number | undefined {
  const number = readNumber(value.text, 'count');
  return number !== undefined && Number.isInteger(number) && number >= 0 && number < 256 ? number : undefined;
}

function kindsOf(value: Value): number[] {
  const number = octet(value);
  if (number !== undefined) return [number];
  const kinds = kindsNamed(value.text);
  if (kinds.length > 0) return kinds;
  throw new FilterProblem(`No type is called ${shown(value)}${suggestion(value.text, TYPE_NAMES, 'types')}`, value);
}

const type: Field = {
  name: 'type',
  example: 'type == DATA',
  compare: (comparison) => {
    const { values, negated } = named('type', comparison);
    const wanted = new Uint8Array(KINDS);
    for (const value of values) for (const kind of kindsOf(value)) wanted[kind] = 1;
    return result(negated, (rows) => {
      const kind = kindOf(rows);
      return (row) => wanted[kind(row)] === 1;
    });
  },
};

const DIRECTIONS: readonly Direction[] = ['toServer', 'toClient'];

function direction(value: Value): Direction {
  const found = DIRECTIONS.find((each) => each.toLowerCase() === value.text.toLowerCase());
  if (found !== undefined) return found;
  throw new FilterProblem(
    `No direction is called ${shown(value)}${suggestion(value.text, DIRECTIONS, 'directions')}`,
    value,
  );
}

const dir: Field = {
  name: 'dir',
  example: 'dir == toClient',
  compare: (comparison) => {
    const { values, negated } = named('dir', comparison);
    const wanted = new Set(values.map(direction));
    const toServer = wanted.has('toServer');
    const toClient = wanted.has('toClient');
    return result(negated, ({ capture: { frames, connections } }) => (row) => {
      const sender = frames.bits.get(row) & RowBit.SIDE;
      return connections[frames.conn.get(row) - 1]!.clientSide === sender ? toServer : toClient;
    });
  },
};

/** Bits by frame type that a value names: a flag's where the type defines it, a number's in every type. */
interface FlagValue {
  bits: Uint8Array;
  /** `flags == 0`: none is set, whether it has a name or not. */
  none: boolean;
}

function flagValue(value: Value): FlagValue {
  const number = octet(value);
  if (number !== undefined) return { bits: new Uint8Array(NON_FRAME).fill(number), none: number === 0 };
  const bits = flagBits(value.text);
  if (bits !== undefined) return { bits, none: false };
  throw new FilterProblem(`No flag is called ${shown(value)}${suggestion(value.text, FLAG_NAMES, 'flags')}`, value);
}

const flags: Field = {
  name: 'flags',
  example: 'flags == END_STREAM',
  compare: (comparison) => {
    // Braces after == ask for all of the flags, after in for one of them.
    const all = comparison.set && comparison.operator === '==';
    const { values, negated } = named('flags', all ? { ...comparison, operator: 'in' } : comparison);
    const wanted = values.map(flagValue);
    return result(negated, ({ capture: { frames } }) => (row) => {
      if ((frames.bits.get(row) & RowBit.NON_FRAME) !== 0) return false;
      const set = frames.flags.get(row);
      const frameType = frames.type.get(row);
      for (let i = 0; i < wanted.length; i++) {
        const { bits, none } = wanted[i]!;
        const mask = bits[frameType]!;
        const has = none ? set === 0 : mask !== 0 && (set & mask) === mask;
        if (has !== all) return has;
      }
      return all;
    });
  },
};

export const NAME_FIELDS: readonly Field[] = [type, dir, flags];
