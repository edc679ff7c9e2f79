import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_FILTER, parseFilter } from '../../../../src/main/session/filter/filter';
import { nearestName } from '../../../../src/main/session/filter/nearest';

function errorOf(text: string): { message: string; at: number; length: number } {
  const result = parseFilter(text);
  if (!('error' in result)) throw new Error(`${text} was taken for a filter`);
  return result.error;
}

/** The expression above, the place of the error marked below: ^ for each character, or | where something is missing. */
function marked(text: string): string {
  const { at, length } = errorOf(text);
  return ' '.repeat(at) + (length === 0 ? '|' : '^'.repeat(length));
}

describe('what does not parse is an error with its place:', () => {
  test.each([
    [
      'conn == ', //
      '        |',
      'Expected { or a value here, at the end',
    ],
    [
      'conn == 1 stream == 3', //
      '          ^^^^^^',
      'Expected && or ||, not stream',
    ],
    [
      'user agent', //
      '     ^^^^^',
      'Expected a comparison, && or ||, not agent; a text of several words needs quotes',
    ],
    [
      'conn == 1 &&', //
      '            |',
      'Expected a condition here, at the end',
    ],
    [
      '&& conn == 1', //
      '^^',
      'Expected a condition, not &&',
    ],
    [
      '(conn == 1 || conn == 2', //
      '                       |',
      'Expected &&, || or ) here, at the end',
    ],
    [
      'conn == 1)', //
      '         ^',
      'Expected && or ||, not )',
    ],
    [
      'conn in {1, 2', //
      '             |',
      'Expected , or } here, at the end',
    ],
    [
      'conn in {}', //
      '         ^',
      'Expected a value, not }',
    ],
    [
      'conn = 1', //
      '     ^',
      'A single = compares nothing here: write ==',
    ],
    [
      'fault & complete', //
      '      ^',
      'A single & joins nothing here: write && or and',
    ],
    [
      'fault | complete', //
      '      ^',
      'A single | joins nothing here: write || or or',
    ],
    [
      'info contains "max', //
      '              ^^^^',
      'This quote is never closed',
    ],
    [
      'info contains "max\\"', //
      '              ^^^^^^',
      'This quote is never closed',
    ],
    [
      'info == contains', //
      '        ^^^^^^^^',
      'Expected { or a value, not contains',
    ],
  ])('%s', (text, place, message) => {
    expect(marked(text)).toBe(place);
    expect(errorOf(text).message).toBe(message);
  });
});

describe('what has no meaning is an error with its place:', () => {
  test.each([
    ['lenght > 5', '^^^^^^', 'No field is called "lenght". Did you mean length?'],
    ['fault || strem == 1', '         ^^^^^', 'No field is called "strem". Did you mean stream?'],
    ['colour == red', '^^^^^^', /^No field is called "colour"; fields: n, t, .*, header$/],
    ['"conn" == 1', '^^^^^^', 'Expected a field before the comparison, not "conn": length > 1000, say'],
    ['1000 < length', '^^^^', 'Expected a field before the comparison, not "1000": length > 1000, say'],
    ['conn', '^^^^', 'conn needs a comparison, such as conn == 1; to search for the word, write it in quotes'],
    ['fault == 1', '      ^^', 'fault stands alone: fault or !fault'],
    ['complete != no', '         ^^', 'complete stands alone: complete or !complete'],
    ['type == HEADER', '        ^^^^^^', 'No type is called "HEADER". Did you mean HEADERS?'],
    ['type in {DATA, WINDOW}', '               ^^^^^^', 'No type is called "WINDOW". Did you mean WINDOW_UPDATE?'],
    ['type == 300', '        ^^^', /^No type is called "300"; types: DATA, /],
    ['type < 4', '     ^', 'type has no <; it has == != in'],
    ['dir == client', '       ^^^^^^', 'No direction is called "client". Did you mean toClient?'],
    ['dir == up', '       ^^', 'No direction is called "up"; directions: toServer, toClient'],
    ['flags == END_STRAEM', '         ^^^^^^^^^^', 'No flag is called "END_STRAEM". Did you mean END_STREAM?'],
    ['flags contains ACK', '      ^^^^^^^^', 'flags has no contains; it has == != in'],
    ['conn == {1, 2}', '     ^^', 'Values in braces go with in, not with =='],
    ['conn contains 1', '     ^^^^^^^^', 'conn has no contains; it has == != < <= > >= in'],
    ['conn == one', '        ^^^', 'Expected a number without a unit, such as 3 or 0x10, not "one"'],
    ['stream == 3KiB', '          ^^^^', 'Expected a number without a unit, such as 3 or 0x10, not "3KiB"'],
    ['length > 20ms', '         ^^^^', /^Expected a size, such as 1000 or 64KiB .*, not "20ms"$/],
    ['t > 20KiB', '    ^^^^^', /^Expected a time, such as 0.5 \(seconds\) or 20ms .*, not "20KiB"$/],
    ['t > 5constructor', '    ^^^^^^^^^^^^', /^Expected a time/],
    ['status == NOTFOUND', '          ^^^^^^^^', 'No gRPC status is called "NOTFOUND". Did you mean NOT_FOUND?'],
    ['status == fine', '          ^^^^', /^No gRPC status is called "fine"; expected a name such as OK/],
    ['status contains 5', '       ^^^^^^^^', /^status has no contains/],
    ['method > a', '       ^', 'method has no >; it has == != in contains'],
    ['info contains {a, b}', '     ^^^^^^^^', 'Values in braces go with in, not with contains'],
    ['headers == te', '        ^^', 'headers has no ==; it has contains'],
    ['header te > a', '          ^', 'header te has no >; it has == != in contains'],
    ['header contains go', '^^^^^^', /^header needs a name, such as header "user-agent" contains "go"/],
    ['fault && header', '         ^^^^^^', /^header needs a name/],
  ])('%s', (text, place, message) => {
    expect(marked(text)).toBe(place);
    expect(errorOf(text).message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('with a long value cut', () => {
    const { message, length } = errorOf(`conn == ${'x'.repeat(1000)}`);
    expect(message).toContain(`"${'x'.repeat(40)}…"`);
    expect(length).toBe(1000);
  });
});

describe('a hostile expression', () => {
  test('is not read beyond a length', () => {
    expect('filter' in parseFilter('x'.repeat(LONGEST_FILTER))).toBe(true);
    expect(errorOf('x'.repeat(LONGEST_FILTER + 2))).toEqual({
      message: 'A filter has at most 4096 characters, not 4098',
      at: 4096,
      length: 2,
    });
  });

  test('may nest to a depth', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}fault${')'.repeat(depth)}`;
    expect('filter' in parseFilter(nested(64))).toBe(true);
    expect(errorOf(nested(65))).toEqual({ message: 'Parentheses stand at most 64 deep', at: 64, length: 1 });
    // Side by side they do not add up.
    expect('filter' in parseFilter(Array(300).fill('((fault))').join('||'))).toBe(true);
  });

  test.each([
    ['open parentheses', '('.repeat(LONGEST_FILTER)],
    ['negations', `${'!'.repeat(LONGEST_FILTER - 5)}fault`],
    ['negations of nothing', '!'.repeat(LONGEST_FILTER)],
    ['quotes', '"'.repeat(LONGEST_FILTER - 1)],
    ['backslashes', `"${'\\'.repeat(LONGEST_FILTER - 1)}`],
    ['conditions', 'a||b&&'.repeat(600)],
    ['values', `n in {${'1,'.repeat(2000)}`],
    ['blanks', ' '.repeat(LONGEST_FILTER)],
    ['half-open groups', '(a||'.repeat(1000)],
  ])('of many %s has its answer', (_, text) => {
    const result = parseFilter(text);
    expect('filter' in result || result.error.message.length < 500).toBe(true);
  });

  const pieces = fc.constantFrom(
    ...[
      'conn',
      'type',
      'flags',
      'header',
      'headers',
      'status',
      'delivered',
      'info',
      'x',
      '"',
      "'",
      '\\',
      '\u00a0',
      '{',
    ],
    ...['}', '(', ')', ',', '!', '&', '&&', '||', '==', '!=', '=', '<', '>=', 'in', 'contains', 'and', 'not', ' ', '5'],
    ...['20ms', '0x', '-', 'DATA', 'ACK', '__proto__', 'constructor', '😀', '\ud800', '\0', '\n'],
  );

  test.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
    ['any pieces of expressions', fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))],
    ['any words of expressions', fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' '))],
  ])('never throws: %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const result = parseFilter(text);
        if ('filter' in result) return;
        const { message, at, length } = result.error;
        expect(message).not.toMatch(/^$|^Expected (here|, not)/);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(length).toBeGreaterThanOrEqual(0);
        expect(at + length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the nearest name', () => {
  test.each([
    ['haeders', 'HEADERS'],
    ['HEADRES', 'HEADERS'],
    ['settngs', 'SETTINGS'],
    ['pong', 'PING'],
    ['SETT', 'SETTINGS'],
    ['zzz', undefined],
    ['', undefined],
    ['x'.repeat(4000), undefined],
  ])('to %s is %s', (word, expected) => {
    expect(nearestName(word, ['DATA', 'HEADERS', 'SETTINGS', 'PING'])).toBe(expected);
  });
});
