import { RowBit } from '../../../core/capture/frames';
import { numberTest } from './comparisons';
import type { Field } from './field';
import { numberOf, type Quantity } from './numbers';
import { Cost, type Predicate } from './predicate';
import type { FilterRows } from './types';

type ReadNumber = (rows: FilterRows) => (row: number) => number;

function numberField(name: string, example: string, quantity: Quantity, read: ReadNumber): Field {
  return {
    name,
    example,
    compare: (comparison) => {
      const test = numberTest(name, comparison, (value) => numberOf(value, quantity));
      return column((rows) => {
        const number = read(rows);
        return (row) => test(number(row));
      });
    },
  };
}

function column(bind: Predicate['bind']): Predicate {
  return { scope: 'row', cost: Cost.COLUMN, bind };
}

function bitField(name: string, bit: number): Field {
  return {
    name,
    example: name,
    alone: column(
      ({ capture: { frames } }) =>
        (row) =>
          (frames.bits.get(row) & bit) !== 0,
    ),
  };
}

/** Nanoseconds; NaN while the tap has not handed the row's last octet on, or where the file cannot tell. */
const readDelivered: ReadNumber = ({ capture: { frames, chunks } }) => {
  return (row) => chunks.delivered.get(frames.lastChunk.get(row));
};

export const NUMBER_FIELDS: readonly Field[] = [
  numberField(
    'n',
    'n <= 100',
    'count',
    ({ capture }) =>
      (row) =>
        capture.numberOf(row),
  ),
  numberField('t', 't >= 1.5', 'time', ({ capture: { frames, chunks } }) => {
    return (row) => chunks.time.get(frames.lastChunk.get(row));
  }),
  {
    ...numberField('delivered', 'delivered', 'time', readDelivered),
    alone: column((rows) => {
      const delivered = readDelivered(rows);
      return (row) => !Number.isNaN(delivered(row));
    }),
  },
  numberField('conn', 'conn == 1', 'count', ({ capture: { frames } }) => {
    return (row) => frames.conn.get(row);
  }),
  numberField('stream', 'stream in {0, 1}', 'count', ({ capture: { frames } }) => {
    return (row) => frames.stream.get(row);
  }),
  numberField('length', 'length > 16KiB', 'octets', ({ capture: { frames } }) => {
    return (row) => frames.length.get(row);
  }),
  numberField('chunk', 'chunk == 12', 'count', ({ capture: { frames } }) => {
    return (row) => frames.lastChunk.get(row);
  }),
  bitField('fault', RowBit.FAULT),
  bitField('complete', RowBit.COMPLETE),
];
