/** What `npm test` says at its end: pure functions from results to lines. */

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 * @typedef {{ file: string, fullName: string }} SkippedTest
 * @typedef {{ file: string, what: string, reason: string }} SkipRecord as tests/support/skips.ts writes it
 * @typedef {{ fullName: string, status: string }} Assertion
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[] }} FileResult
 * @typedef {{ testResults: FileResult[] }} VitestReport the part of Vitest's JSON report that is used
 */

/**
 * Counts the tests of a Vitest JSON report. A file that could not even be loaded has no tests in the report: it counts
 * as one failure. So does a run that ended badly though no test failed (an unhandled error, a crash, no report).
 *
 * @param {VitestReport | undefined} report
 * @param {boolean} exitedWell
 * @returns {{ tally: Tally, skippedTests: SkippedTest[] }}
 */
export function tallyVitest(report, exitedWell) {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  /** @type {SkippedTest[]} */
  const skippedTests = [];
  for (const file of report?.testResults ?? []) {
    let failedHere = 0;
    for (const { fullName, status } of file.assertionResults) {
      if (status === 'passed') tally.passed += 1;
      else if (status === 'failed') failedHere += 1;
      else {
        tally.skipped += 1;
        skippedTests.push({ file: file.name, fullName });
      }
    }
    if (file.status === 'failed' && failedHere === 0) failedHere = 1;
    tally.failed += failedHere;
  }
  if (tally.failed === 0 && (!exitedWell || report === undefined)) tally.failed = 1;
  return { tally, skippedTests };
}

/**
 * One line for each reason, with the number of tests that it cost. A skipped test belongs to the record of its file
 * whose `what` is part of its name, else to its file's first record; a test that nobody gave a reason for is named.
 * A reason without a skipped test (the tests were never generated) names what is left out.
 *
 * @param {SkippedTest[]} skippedTests
 * @param {SkipRecord[]} records
 * @returns {string[]}
 */
export function skipLines(skippedTests, records) {
  /** @type {Map<string, { count: number, whats: Set<string> }>} */
  const byReason = new Map();
  for (const { reason, what } of records) {
    const entry = byReason.get(reason) ?? { count: 0, whats: new Set() };
    entry.whats.add(what);
    byReason.set(reason, entry);
  }
  /** @type {string[]} */
  const unexplained = [];
  for (const { file, fullName } of skippedTests) {
    const ofFile = records.filter((record) => record.file === file);
    const record = ofFile.find(({ what }) => fullName.includes(what)) ?? ofFile[0];
    const entry = record && byReason.get(record.reason);
    if (entry) entry.count += 1;
    else unexplained.push(`no reason given: ${fullName} (${file})`);
  }
  const explained = [...byReason].map(([reason, { count, whats }]) =>
    count === 0
      ? `${reason}: left out: ${[...whats].sort().join(', ')}`
      : `${reason}: ${count} ${plural(count)} skipped`,
  );
  return [...explained, ...unexplained];
}

/**
 * The very last line. Scripts read it.
 *
 * @param {Tally} tally
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** @param {number} count */
function plural(count) {
  return count === 1 ? 'test' : 'tests';
}
