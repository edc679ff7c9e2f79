import { describe, expect, test } from 'vitest';
import { shortened, visibleText } from '../../../src/renderer/detail/visible';
import { frameLinks } from '../../../src/renderer/detail/words';

describe('captured text', () => {
  test('has its control characters, and those that turn text around, written out', () => {
    expect(visibleText('a\u0000\u001b[31m\u007f\u0085')).toBe('a\\x00\\x1b[31m\\x7f\\x85');
    expect(visibleText('exe.\u202efdp\u2066\u200b\ufeff')).toBe('exe.\\u202efdp\\u2066\\u200b\\ufeff');
  });

  test('keeps everything else, markup too: the page takes it as text', () => {
    expect(visibleText('<b>grün & 日本</b>')).toBe('<b>grün & 日本</b>');
  });

  test('is cut with a mark, never inside a character', () => {
    expect(shortened('abcdef', 6)).toBe('abcdef');
    expect(shortened('abcdefg', 6)).toBe('abcde…');
    expect(shortened('abcd😀fg', 6)).toBe('abcd…');
  });
});

describe('frames in a sentence', () => {
  test.each([
    [
      'Answers the ping of frame 4,121.',
      [{ text: 'Answers the ping of frame ' }, { text: '4,121', frame: 4121 }, { text: '.' }],
    ],
    [
      'Answered by frame 12, not delivered yet.',
      [{ text: 'Answered by frame ' }, { text: '12', frame: 12 }, { text: ', not delivered yet.' }],
    ],
    [
      'Over frames 12, 1300 and 14.',
      [
        { text: 'Over frames ' },
        { text: '12', frame: 12 },
        { text: ', ' },
        { text: '1300', frame: 1300 },
        { text: ' and ' },
        { text: '14', frame: 14 },
        { text: '.' },
      ],
    ],
    ['The frame header has 9 octets.', [{ text: 'The frame header has 9 octets.' }]],
  ])('%s', (sentence, pieces) => {
    expect(frameLinks(sentence)).toEqual(pieces);
  });
});
