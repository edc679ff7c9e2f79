import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';

/** One line of the file that `npm test` collects the reasons in (JSON Lines). */
export interface SkipRecord {
  /** Path of the test file. */
  file: string;
  /** What is left out: part of a test's full name, or a free description when the tests are not even generated. */
  what: string;
  /** A sentence without its full stop: `tshark is not installed`. */
  reason: string;
}

const told = new Set<string>();

/**
 * Says why tests are left out; call it where the decision falls, beside `describe.skipIf` or `test.skipIf`.
 * `npm test` prints the reasons at its end with the number of tests that each one cost. In a plain `vitest run`
 * the reason goes to standard error. The same reason given again by a file is told once.
 */
export function skipReason(what: string, reason: string): void {
  const record: SkipRecord = { file: expect.getState().testPath ?? 'unknown', what, reason };
  const line = JSON.stringify(record);
  if (told.has(line)) return;
  told.add(line);
  const collected = process.env.PENSTOCK_SKIPS;
  if (collected) appendFileSync(collected, `${line}\n`);
  else console.warn(`skipped: ${what}: ${reason}`);
}
