import { describe, expect, test } from 'vitest';
import { OctetPages, PAGE_OCTETS } from '../../../src/renderer/detail/octet-pages';

/** Sixteen megabytes, each octet the low eight bits of its page's number. */
function pagesOf(total: number) {
  const asked: number[] = [];
  const pages = new OctetPages(async (from, count) => {
    asked.push(from);
    const octets = new Uint8Array(Math.min(count, total - from)).fill(from / PAGE_OCTETS);
    return { total, from, octets };
  });
  return { pages, asked };
}

describe('octets of something long', () => {
  test('come a page at a time, when they are asked for', async () => {
    const { pages, asked } = pagesOf(16 << 20);
    let told = 0;
    pages.subscribe(() => told++);
    expect(pages.get(5 * PAGE_OCTETS + 16, 16)).toBeUndefined();
    await pages.ensure(5 * PAGE_OCTETS);
    expect(pages.get(5 * PAGE_OCTETS + 16, 16)).toEqual(new Uint8Array(16).fill(5));
    expect(asked).toEqual([5 * PAGE_OCTETS]);
    expect(told).toBe(1);
    expect(pages.version()).toBe(1);
  });

  test('end where they end', async () => {
    const { pages } = pagesOf(PAGE_OCTETS + 3);
    await pages.ensure(PAGE_OCTETS);
    expect(pages.get(PAGE_OCTETS, 16)).toHaveLength(3);
  });

  test('are forgotten when many others have come', async () => {
    const { pages, asked } = pagesOf(16 << 20);
    for (let page = 0; page < 65; page++) await pages.ensure(page * PAGE_OCTETS);
    expect(pages.get(64 * PAGE_OCTETS, 1)).toEqual(Uint8Array.of(64));
    expect(pages.get(0, 1)).toBeUndefined();
    expect(asked.filter((from) => from === 0)).toHaveLength(2);
  });

  test('are asked for again after a failure', async () => {
    let failures = 1;
    const pages = new OctetPages(async (from) => {
      if (failures-- > 0) throw new Error('not now');
      return { total: 1, from, octets: Uint8Array.of(7) };
    });
    await pages.ensure(0);
    expect(pages.version()).toBe(0);
    await pages.ensure(0);
    expect(pages.get(0, 16)).toEqual(Uint8Array.of(7));
  });
});
