import { GRPC_STATUS_NAMES } from '../../../shared/names';
import type { Value } from './ast';
import { numberTest, textTest } from './comparisons';
import type { Field } from './field';
import { nearestName } from './nearest';
import { numberOf, readNumber } from './numbers';
import { Cost, type Predicate, remembered } from './predicate';
import { FilterProblem, shown } from './problem';
import type { FilterRows } from './types';

/** A condition on the call of the row's stream: false where there is none. */
function ofCall(bind: (rows: FilterRows) => (call: number) => boolean): Predicate {
  return {
    scope: 'call',
    cost: Cost.CALL,
    bind: (rows, steady) => {
      const test = remembered(bind(rows), steady);
      return (row) => {
        const call = rows.callOf(row);
        return call >= 0 && test(call);
      };
    },
  };
}

const method: Field = {
  name: 'method',
  example: 'method contains "Health"',
  compare: (comparison) => {
    const test = textTest('method', comparison);
    return ofCall((rows) => (call) => {
      const name = rows.callMethod(call);
      return name !== null && test(name);
    });
  },
};

/** A gRPC status by name or number; numbers beyond 16 are on some wires. */
function statusOf(value: Value): number {
  const named = GRPC_STATUS_NAMES.indexOf(value.text.toUpperCase() as (typeof GRPC_STATUS_NAMES)[number]);
  if (named !== -1) return named;
  if (readNumber(value.text, 'count') !== undefined) return numberOf(value, 'count');
  const nearest = nearestName(value.text, GRPC_STATUS_NAMES);
  const hint =
    nearest === undefined ? '; expected a name such as OK or NOT_FOUND, or a number' : `. Did you mean ${nearest}?`;
  throw new FilterProblem(`No gRPC status is called ${shown(value)}${hint}`, value);
}

const status: Field = {
  name: 'status',
  example: 'status == NOT_FOUND',
  compare: (comparison) => {
    const test = numberTest('status', comparison, statusOf);
    return ofCall((rows) => (call) => test(rows.callStatus(call) ?? Number.NaN));
  },
};

export const CALL_FIELDS: readonly Field[] = [method, status];
