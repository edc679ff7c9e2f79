import { describe, expect, test } from 'vitest';
import { faultsText, foremost, readingRemark, sizeText, troublesText } from '../../../src/renderer/status-bar/status';
import { capturing, engineStatus, opened } from '../support';

const SHOWN = { follow: true, paused: false };

describe('the size of the session’s file', () => {
  test('stands beside its limit while it grows', () => {
    expect(sizeText(capturing(), engineStatus({ committed: 118 * 1024 ** 2 }))).toBe('118 MiB of 2 GiB');
  });

  test('stands alone when it is whole, and not at all for standard input', () => {
    expect(sizeText(opened(), engineStatus())).toBe('2 KiB');
    expect(sizeText(opened({ file: '-' }), engineStatus())).toBe('');
    expect(sizeText({ kind: 'none' }, null)).toBe('');
  });
});

describe('what is being done with the session', () => {
  const remark = (...given: Parameters<typeof readingRemark>) => readingRemark(...given)?.text;

  test('is following, or not', () => {
    expect(remark(capturing(), engineStatus(), SHOWN)).toBe('following');
    expect(remark(capturing(), engineStatus(), { ...SHOWN, follow: false })).toBe('not following');
  });

  test('is pausing the display, which outweighs following and lag', () => {
    expect(remark(capturing(), engineStatus({ lag: 1e9 }), { ...SHOWN, paused: true })).toBe('display paused');
  });

  test('is a lag only when it is more than the beat of the batches', () => {
    expect(remark(capturing(), engineStatus({ lag: 1024 ** 2 }), SHOWN)).toBe('following');
    expect(remark(capturing(), engineStatus({ lag: 12 * 1024 ** 2 }), SHOWN)).toBe('12 MiB behind');
  });

  test('warns before all else when nothing is captured any more', () => {
    expect(readingRemark(capturing({ writing: false }), engineStatus(), { follow: true, paused: true })).toEqual({
      text: 'no longer capturing; forwarding goes on',
      severity: 'warning',
    });
  });

  test('is reading, as a share where the size is known', () => {
    expect(remark(opened(), engineStatus({ state: 'reading', read: 439, committed: 1000 }), SHOWN)).toBe(
      'reading 43 %',
    );
    expect(remark(opened(), engineStatus({ state: 'reading', read: 439, committed: null }), SHOWN)).toBe('reading');
    expect(remark(opened(), engineStatus({ state: 'complete' }), SHOWN)).toBeUndefined();
  });

  test('says why reading ended early', () => {
    const engine = engineStatus({ state: 'failed', failure: 'the file is cut short' });
    expect(readingRemark(opened(), engine, SHOWN)).toEqual({ text: 'the file is cut short', severity: 'error' });
  });
});

test('counts are words with their number', () => {
  expect([0, 1, 1200].map(faultsText)).toEqual(['0 faults', '1 fault', '1,200 faults']);
  expect([1, 2].map(troublesText)).toEqual(['1 trouble in the file', '2 troubles in the file']);
});

test('the foremost notice is the newest of the gravest', () => {
  const notice = (id: number, severity: 'info' | 'warning' | 'error') => ({ id, severity, message: `notice ${id}` });
  expect(foremost([])).toBeNull();
  expect(foremost([notice(1, 'error'), notice(2, 'error'), notice(3, 'info')])?.id).toBe(2);
});
