/** A capture of a million frames: opening, scrolling, filtering. */
import { fixture } from '../fixtures';
import { figure, note, quantile } from '../report';
import { isRead, isUnfiltered, whenFiltered } from './in-page';
import { profiled } from './profile';
import { heapUsed, recorded } from './recorder';
import { scroll, scrollOnly } from './scrolling';
import type { Surface } from './surface';
import { longestTask } from './tasks';

const FILTERS = ['type == PING', 'type == DATA', 'conn == 1 && stream in {1, 3, 5}', 'health'];

export async function file(surface: Surface): Promise<void> {
  const { page, cdp } = surface;
  const { path } = await fixture('million');
  const open = await surface.readyToOpen(path);
  const began = Date.now();
  let first = 0;
  const opening = await recorded(page, async () => {
    await open();
    await page.waitForSelector('#pane-rows [data-n="1"]');
    first = Date.now() - began;
    await page.waitForFunction(isRead, undefined, { timeout: 120_000 });
  });
  figure('first rows after opening', [first], 'ms', { atMost: 1000 }, 0);
  figure('whole file read after', [Date.now() - began], 'ms', undefined, 0);
  figure('while it was read: longest task', [Math.max(0, ...opening.longTasks)], 'ms', { atMost: 50 }, 0);
  note(`  ${await page.locator('[data-figure="frames"]').textContent()}`);

  const before = await heapUsed(cdp);
  await profiled(cdp, 'scroll', () => scroll(page, cdp, 'a million frames'));
  const longest = await longestTask(surface, () => scrollOnly(page));
  if (longest !== undefined) {
    figure('scrolling: longest task, processor time', [longest], 'ms', { atMost: 50 }, 0);
  }
  for (const text of FILTERS) await filter(surface, text);
  const after = await heapUsed(cdp);
  const mib = (octets: number) => (octets / 2 ** 20).toFixed(1);
  note(`  heap of the page after collection: ${mib(before)} MiB opened, ${mib(after)} MiB after all this`);
  figure('heap of the page grown by', [(after - before) / 2 ** 20], 'MiB', { atMost: 4 }, 1);
}

/** Typed key by key, then Enter; until the count is told and rows that pass are there. */
async function filter({ page }: Surface, text: string): Promise<void> {
  const input = page.locator('#filter');
  await input.click();
  await input.press('Escape');
  await page.waitForFunction(isUnfiltered);
  let took = 0;
  const typing = await recorded(page, async () => {
    await input.pressSequentially(text, { delay: 40 });
    const answered = page.evaluate(whenFiltered) as Promise<number>;
    await input.press('Enter');
    took = await answered;
  });
  const count = await page.locator('.filter-count').textContent();
  // Only columns are promised in that time: for a text each row is put into words.
  figure(`${text}: result after Enter`, [took], 'ms', text.startsWith('type') ? { atMost: 300 } : undefined, 0);
  note(`  ${count}`);
  figure(`${text}: typing, key to frame p95`, [quantile(typing.keys, 0.95)], 'ms', { atMost: 100 }, 0);
  figure(`${text}: longest task`, [Math.max(0, ...typing.longTasks)], 'ms', { atMost: 50 }, 0);
}
