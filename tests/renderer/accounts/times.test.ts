import { describe, expect, test } from 'vitest';
import { textsOf, timeOf, timeWords, WHOLE } from '../../../src/renderer/accounts/times';

describe('a time in an input', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['0', 0],
    ['1.5', 1.5],
    ['.25', 0.25],
    [' 2. ', 2],
    ['-1', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['1,5', undefined],
  ])('%j is %j', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });

  test('that was brushed has no bound where the capture has none', () => {
    expect(textsOf({ from: 0, to: 2 }, 2)).toEqual(WHOLE);
    expect(textsOf({ from: 0.123_456_7, to: 1.5 }, 2)).toEqual({ from: '0.123457', to: '1.5' });
  });

  test.each([
    [WHOLE, 'whole capture'],
    [{ from: '1', to: '' }, 'from 1 s'],
    [{ from: '', to: '2' }, 'before 2 s'],
    [{ from: '1', to: '2' }, '1 to 2 s'],
  ])('%j reads %j', (texts, words) => {
    expect(timeWords(texts)).toBe(words);
  });
});
