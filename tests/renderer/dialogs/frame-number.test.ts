import { describe, expect, test } from 'vitest';
import { readFrameNumber } from '../../../src/renderer/dialogs/frame-number';

describe('the number of a frame', () => {
  test.each([
    ['4120', 4120],
    ['4,120', 4120],
    ['#4 120', 4120],
    [' 1 ', 1],
    ['12,482', 12_482],
  ])('may be written %j', (text, value) => {
    expect(readFrameNumber(text, 12_482)).toEqual({ value });
  });

  test.each(['', 'ping', '-1', '1.5', '1e3', '4,12', '12345678901234'])('is not %j', (text) => {
    expect(readFrameNumber(text, 12_482)).toEqual({ message: 'Write the number of a frame.' });
  });

  test.each(['0', '12,483'])('is in range, which %j is not', (text) => {
    expect(readFrameNumber(text, 12_482)).toEqual({ message: 'Frames are numbered from 1 to 12,482.' });
  });

  test('is none in an empty capture', () => {
    expect(readFrameNumber('1', 0)).toEqual({ message: 'There are no frames yet.' });
  });
});
