import { describe, expect, test } from 'vitest';
import { fieldAt, otherFrames, pathTo } from '../../../src/renderer/detail/field-at';
import { field, windowUpdate } from './fields';

function at(fields: Parameters<typeof fieldAt>[0], octet: number, n = 9): string[] | undefined {
  return fieldAt(fields, n, octet)?.map(({ id }) => id);
}

describe('the deepest field at an octet', () => {
  test.each([
    [0, ['header', 'header.length']],
    [2, ['header', 'header.length']],
    [3, ['header', 'header.type']],
    [8, ['header', 'header.stream']],
    [9, ['increment']],
    [12, ['increment']],
    [13, undefined],
  ])('%i of a WINDOW_UPDATE is in %j; bits are never meant', (octet, expected) => {
    expect(at(windowUpdate(), octet)).toEqual(expected);
  });

  test('is none in a frame that has no part in the field', () => {
    expect(at(windowUpdate(), 0, 10)).toBeUndefined();
  });

  test('is that of the decoded block, not of its fragment, even for a block of one field', () => {
    const fields = [
      field('fragment', 9, 10),
      field('headers', 9, 10, { children: [field('headers.0', 9, 10)] }),
      field('padding', 10, 12),
    ];
    expect(at(fields, 9)).toEqual(['headers', 'headers.0']);
    expect(at(fields, 11)).toEqual(['padding']);
  });

  test('is the body of a compressed message, whose fields all have the same octets', () => {
    const body = field('message.0.body', 14, 30, {
      children: [field('message.0.body.0', 14, 30), field('message.0.body.1', 14, 30)],
    });
    expect(at([field('message.0', 9, 30, { children: [body] })], 20)).toEqual(['message.0', 'message.0.body']);
  });

  test('counts only spans of the asked frame where a field stands in several', () => {
    const path = field('headers.2', 20, 27, {
      spans: [
        { n: 8, start: 20, end: 27 },
        { n: 9, start: 9, end: 14 },
      ],
    });
    expect(at([path], 10)).toEqual(['headers.2']);
    expect(at([path], 20)).toBeUndefined();
    expect(at([path], 20, 8)).toEqual(['headers.2']);
    expect(otherFrames(path, 9)).toEqual([8]);
  });
});

describe('the way to a field', () => {
  test.each([
    ['header.flags.unused0', ['header', 'header.flags', 'header.flags.unused0']],
    ['increment', ['increment']],
    ['head', undefined],
    ['header.nothing', undefined],
  ])('%s', (id, expected) => {
    expect(pathTo(windowUpdate(), id)?.map((each) => each.id)).toEqual(expected);
  });
});
