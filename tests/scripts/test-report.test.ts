import { describe, expect, test } from 'vitest';
import { closingLine, skipLines, tallyVitest } from '../../scripts/test-report.mjs';

function file(name: string, status: string, statuses: string[]) {
  return { name, status, assertionResults: statuses.map((each, i) => ({ fullName: `test ${i}`, status: each })) };
}

describe('the tally of a Vitest report', () => {
  test('counts passed, failed and skipped tests, and names the skipped ones', () => {
    const report = {
      testResults: [file('a', 'failed', ['passed', 'failed', 'passed']), file('b', 'passed', ['pending', 'todo'])],
    };
    expect(tallyVitest(report, false)).toEqual({
      tally: { passed: 2, failed: 1, skipped: 2 },
      skippedTests: [
        { file: 'b', fullName: 'test 0' },
        { file: 'b', fullName: 'test 1' },
      ],
    });
  });

  test('counts a file that could not be loaded as one failure', () => {
    const report = { testResults: [file('a', 'passed', ['passed']), file('broken', 'failed', [])] };
    expect(tallyVitest(report, false).tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  test('counts a file whose hooks failed beside passing tests as one failure', () => {
    expect(tallyVitest({ testResults: [file('a', 'failed', ['passed'])] }, false).tally.failed).toBe(1);
  });

  test('counts a bad end of the run as a failure even when no test failed', () => {
    expect(tallyVitest({ testResults: [file('a', 'passed', ['passed'])] }, false).tally.failed).toBe(1);
    expect(tallyVitest(undefined, true).tally.failed).toBe(1);
  });
});

describe('the reasons for skipped tests', () => {
  test('are given with the number of tests that each one cost, over all files', () => {
    const skipped = [
      { file: 'a', fullName: 'dissection by tshark agrees' },
      { file: 'a', fullName: 'grpc-go’s client' },
      { file: 'b', fullName: 'tshark opens the export' },
    ];
    const records = [
      { file: 'a', what: 'tshark', reason: 'tshark is not installed' },
      { file: 'a', what: 'grpc-go', reason: 'go is not installed' },
      { file: 'b', what: 'tshark', reason: 'tshark is not installed' },
    ];
    expect(skipLines(skipped, records)).toEqual([
      'tshark is not installed: 2 tests skipped',
      'go is not installed: 1 test skipped',
    ]);
  });

  test('fall back to the file’s first reason, never to another file’s', () => {
    const records = [{ file: 'a', what: 'corpus', reason: 'the corpus is not here' }];
    expect(skipLines([{ file: 'a', fullName: 'unnamed' }], records)).toEqual([
      'the corpus is not here: 1 test skipped',
    ]);
    expect(skipLines([{ file: 'b', fullName: 'lonely' }], records)).toEqual([
      'the corpus is not here: left out: corpus',
      'no reason given: lonely (b)',
    ]);
  });
});

test('the closing line names skipped tests only when there are some', () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  expect(closingLine({ passed: 12, failed: 3, skipped: 1 })).toBe('12 passed, 3 failed, 1 skipped');
});
