import { describe, expect, test } from 'vitest';
import { ageText, byKind, factsText } from '../../../src/renderer/start/recent';
import { recentSession } from '../support';

const NOW = Date.parse('2026-11-30T22:31:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('the age of a session', () => {
  test.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [MINUTE, '1 min ago'],
    [60 * MINUTE, '1 h ago'],
    [23 * 60 * MINUTE, '23 h ago'],
    [DAY, 'yesterday'],
    [6 * DAY, '6 days ago'],
  ])('%d ms ago is %j', (age, expected) => {
    expect(ageText(NOW - age, NOW)).toBe(expected);
  });

  test('of more than a week is its day', () => {
    expect(ageText(new Date(2026, 0, 5, 12).getTime(), NOW)).toBe('2026-01-05');
  });

  test('is nothing odd when a clock was set back', () => {
    expect(ageText(NOW + DAY, NOW)).toBe('just now');
  });
});

test('a session is told with its size and age', () => {
  expect(factsText(recentSession({ size: 118 * 1024 ** 2, modified: NOW - 5 * MINUTE }), NOW)).toBe(
    '118 MiB · 5 min ago',
  );
});

test('what nobody saved stands apart', () => {
  const crashed = recentSession({ id: '1', recovered: true });
  const known = recentSession({ id: '2' });
  expect(byKind([known, crashed])).toEqual({ left: [crashed], opened: [known] });
});
