import { expect, test } from 'vitest';
import { csvCell, csvLine } from '../../../src/main/export/csv';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['＝1+1', "'＝1+1"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
])('the text %j is no formula any more', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('numbers stay numbers, negative ones too', () => {
  expect(csvLine([-1, 0.5, 1e21, true, null, undefined])).toBe('-1,0.5,1e+21,true,,');
});

test('commas, quotes and line ends are quoted (RFC 4180)', () => {
  expect(csvLine(['a,b', 'say "no"', 'two\nlines', 'plain'])).toBe('"a,b","say ""no""","two\nlines",plain');
});
