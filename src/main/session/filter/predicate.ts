import type { FilterRows, FilterScope } from './types';

/** A test of rows whose columns are at hand. */
export type RowTest = (row: number) => boolean;

/** What a test costs, roughly, for the order in which conditions are asked. */
export const Cost = { COLUMN: 1, CALL: 10, HEADERS: 20, TEXT: 50 } as const;

/** A condition, not yet tied to a capture. */
export interface Predicate {
  scope: FilterScope;
  cost: number;
  /**
   * Ties the condition to a capture.
   * @param steady nothing changes in the capture while the test is in use: it may remember what it found out about a
   * call or a header field
   */
  bind(rows: FilterRows, steady: boolean): RowTest;
}

const WIDTH: Readonly<Record<FilterScope, number>> = { row: 0, call: 1, stream: 2 };

function widest(predicates: readonly Predicate[]): FilterScope {
  return predicates.reduce<FilterScope>(
    (scope, each) => (WIDTH[each.scope] > WIDTH[scope] ? each.scope : scope),
    'row',
  );
}

/** Asks the cheap ones first: the order makes no difference to the answer. */
function joined(predicates: readonly Predicate[], join: (tests: RowTest[]) => RowTest): Predicate {
  const ordered = [...predicates].sort((a, b) => a.cost - b.cost);
  return {
    scope: widest(predicates),
    cost: predicates.reduce((sum, each) => sum + each.cost, 0),
    bind: (rows, steady) => join(ordered.map((each) => each.bind(rows, steady))),
  };
}

export function allOf(predicates: readonly Predicate[]): Predicate {
  return joined(predicates, (tests) => {
    const [first, second] = tests;
    if (tests.length === 2) return (row) => first!(row) && second!(row);
    return (row) => {
      for (let i = 0; i < tests.length; i++) if (!tests[i]!(row)) return false;
      return true;
    };
  });
}

export function anyOf(predicates: readonly Predicate[]): Predicate {
  return joined(predicates, (tests) => {
    const [first, second] = tests;
    if (tests.length === 2) return (row) => first!(row) || second!(row);
    return (row) => {
      for (let i = 0; i < tests.length; i++) if (tests[i]!(row)) return true;
      return false;
    };
  });
}

export function not(predicate: Predicate): Predicate {
  return {
    scope: predicate.scope,
    cost: predicate.cost,
    bind: (rows, steady) => {
      const test = predicate.bind(rows, steady);
      return (row) => !test(row);
    },
  };
}

export const everyRow: Predicate = { scope: 'row', cost: 0, bind: () => () => true };

/** In a steady binding, asks a test once for each number (a call, a header field). */
export function remembered(test: (id: number) => boolean, steady: boolean): (id: number) => boolean {
  if (!steady) return test;
  const answers = new Map<number, boolean>();
  return (id) => {
    let answer = answers.get(id);
    if (answer === undefined) {
      answer = test(id);
      answers.set(id, answer);
    }
    return answer;
  };
}
