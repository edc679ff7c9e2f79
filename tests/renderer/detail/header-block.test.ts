import { expect, test } from 'vitest';
import { withHeaderBlock } from '../../../src/renderer/detail/header-block';
import type { FrameDetail } from '../../../src/shared/detail';
import { detail, field } from './fields';

/** HEADERS 4, CONTINUATION 5 and 6: the last has the decoded block. */
const BLOCK = field('headers', 9, 18);
const FRAMES = new Map<number, FrameDetail>(
  [
    detail({ frame: { n: 4, type: 'HEADERS' }, fields: [field('fragment', 9, 27)], nextInStream: 5 }),
    detail({ frame: { n: 5, type: 'CONTINUATION' }, fields: [], nextInStream: 6 }),
    detail({
      frame: { n: 6, type: 'CONTINUATION', flags: ['END_HEADERS'], block: [4, 5, 6] },
      fields: [field('fragment', 9, 27), BLOCK],
      nextInStream: 7,
    }),
    detail({ frame: { n: 7, type: 'DATA' }, fields: [], nextInStream: null }),
    detail({ frame: { n: 20, type: 'HEADERS' }, fields: [], nextInStream: 7 }),
    detail({ frame: { n: 30, type: 'HEADERS' }, fields: [], nextInStream: null }),
  ].map((each) => [each.frame.n, each]),
);

async function fieldsOf(n: number): Promise<string[]> {
  const found = await withHeaderBlock(FRAMES.get(n)!, async (other) => FRAMES.get(other)!);
  return found.fields.map(({ id }) => id);
}

test('the fields of a header block are there on each frame that carries it', async () => {
  expect(await fieldsOf(4)).toEqual(['fragment', 'headers']);
  expect(await fieldsOf(5)).toEqual(['headers']);
  expect(await fieldsOf(6)).toEqual(['fragment', 'headers']);
});

test('a block that never ends, or is broken off, has none', async () => {
  expect(await fieldsOf(30)).toEqual([]);
  expect(await fieldsOf(20)).toEqual([]);
});

test('other frames are asked nothing', async () => {
  expect(await fieldsOf(7)).toEqual([]);
});
