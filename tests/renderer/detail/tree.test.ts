import { describe, expect, test } from 'vitest';
import { pathTo } from '../../../src/renderer/detail/field-at';
import { treeAction } from '../../../src/renderer/detail/tree-keys';
import { opened, treeRows } from '../../../src/renderer/detail/tree-rows';
import { LONG_VALUE } from '../../../src/renderer/detail/visible';
import { field, windowUpdate } from './fields';

const NONE = new Map<string, boolean>();

function ids(openings = NONE, fields = windowUpdate()): string[] {
  return treeRows(fields, openings).map(({ kind, field: { id } }) => (kind === 'value' ? `${id} (value)` : id));
}

describe('the rows of the tree', () => {
  test('show a frame’s parts open, and their bits closed', () => {
    expect(ids()).toEqual(['header', 'header.length', 'header.type', 'header.flags', 'header.stream', 'increment']);
  });

  test('follow what the user opens and closes', () => {
    const openings = new Map([
      ['header', false],
      ['increment', true],
    ]);
    expect(ids(openings)).toEqual(['header', 'increment', 'increment.reserved', 'increment.octets']);
  });

  test('know their level, and their place among their siblings', () => {
    const row = treeRows(windowUpdate(), NONE)[3]!;
    expect(row).toMatchObject({ level: 2, position: 3, siblings: 4, expanded: false });
    expect(treeRows(windowUpdate(), NONE)[1]!.expanded).toBeUndefined();
  });

  test('open a message down to its fields', () => {
    const body = field('message.0.body', 14, 20, { children: [field('message.0.body.0', 14, 20)] });
    const fields = [field('message.0', 9, 20, { children: [field('message.0.flag', 9, 10), body] })];
    expect(ids(NONE, fields)).toEqual(['message.0', 'message.0.flag', 'message.0.body', 'message.0.body.0']);
  });

  test('have the whole of a long value below its field, once that is open', () => {
    const fields = [field('excess', 9, 300, { value: 'x'.repeat(LONG_VALUE + 1) })];
    expect(ids(NONE, fields)).toEqual(['excess']);
    expect(ids(new Map([['excess', true]]), fields)).toEqual(['excess', 'excess (value)']);
    expect(treeRows([field('excess', 9, 300, { value: 'x'.repeat(LONG_VALUE) })], NONE)[0]!.expanded).toBeUndefined();
  });

  test('open above a field that was chosen by its octet, and change nothing otherwise', () => {
    const way = pathTo(windowUpdate(), 'header.type')!;
    const closed = new Map([['header', false]]);
    expect(opened(closed, way).get('header')).toBe(true);
    expect(opened(NONE, way)).toBe(NONE);
  });
});

describe('a key in the tree', () => {
  const rows = treeRows(windowUpdate(), NONE);
  const place = (id: string) => rows.findIndex((row) => row.field.id === id);

  test.each([
    ['ArrowDown', 'header', { choose: 1 }],
    ['ArrowUp', 'header.length', { choose: 0 }],
    ['Home', 'increment', { choose: 0 }],
    ['End', 'header', { choose: 5 }],
    ['PageDown', 'header', { choose: 3 }],
    ['PageDown', 'header.stream', { choose: 5 }],
    ['PageUp', 'increment', { choose: 2 }],
    ['ArrowRight', 'header', { choose: 1 }],
    ['ArrowRight', 'increment', { open: 'increment', expanded: true }],
    ['ArrowRight', 'header.type', undefined],
    ['ArrowLeft', 'header', { open: 'header', expanded: false }],
    ['ArrowLeft', 'header.type', { choose: 0 }],
    ['ArrowLeft', 'increment', undefined],
    ['Enter', 'header', { open: 'header', expanded: false }],
    [' ', 'increment', { open: 'increment', expanded: true }],
    ['Enter', 'header.type', undefined],
    ['ArrowUp', 'header', undefined],
    ['ArrowDown', 'increment', undefined],
    ['x', 'header', undefined],
  ])('%s on %s', (key, id, expected) => {
    expect(treeAction(key, rows, place(id), 3)).toEqual(expected);
  });

  test('begins at an end when nothing is chosen', () => {
    expect(treeAction('ArrowDown', rows, -1, 3)).toEqual({ choose: 0 });
    expect(treeAction('ArrowUp', rows, -1, 3)).toEqual({ choose: 5 });
    expect(treeAction('Enter', rows, -1, 3)).toBeUndefined();
    expect(treeAction('Home', [], -1, 3)).toBeUndefined();
  });

  test('steps over the text of a long value', () => {
    const long = treeRows(
      [field('a', 0, 300, { value: 'x'.repeat(LONG_VALUE + 1) }), field('b', 300, 301)],
      new Map([['a', true]]),
    );
    expect(treeAction('ArrowDown', long, 0, 3)).toEqual({ choose: 2 });
    expect(treeAction('ArrowUp', long, 2, 3)).toEqual({ choose: 0 });
  });
});
