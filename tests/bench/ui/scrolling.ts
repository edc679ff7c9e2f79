/** Scrolling by the wheel and by the scroll bar, in the window and in a page that does nothing. */
import type { CDPSession, Page } from 'playwright-core';
import { figure, note, quantile } from '../report';
import { scrolledShare, scrollToTop } from './in-page';
import { type Recording, recorded, work } from './recorder';

const STEPS = 300;
const PAUSE = 16;
const GOAL = { atMost: 25 };

/** Rows that stand still in a list as long as the capture's: what the browser needs for itself. */
export async function baseline(page: Page, cdp: CDPSession): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, n) => `<div>${n} 0.123456789 WINDOW_UPDATE END_STREAM 13</div>`).join('');
  await page.setContent(
    `<style>body{margin:0}#pane-rows{height:400px;overflow-y:scroll}#long{height:22000000px}#rows{position:sticky;top:0}</style>
     <div id="pane-rows"><div id="long"><div id="rows">${rows}</div></div></div>`,
  );
  await scroll(page, cdp, 'a page that does nothing', false);
}

/** Both ways, without measuring frames: to be traced. */
export async function scrollOnly(page: Page): Promise<void> {
  await page.evaluate(scrollToTop);
  await wheel(page);
  await dragScrollBar(page);
}

/** Both ways over what is in the window. @param judged whether goals apply */
export async function scroll(page: Page, cdp: CDPSession, name: string, judged = true): Promise<void> {
  await page.evaluate(scrollToTop);
  await measure(page, cdp, `${name}, wheel`, judged, () => wheel(page));
  await page.evaluate(scrollToTop);
  await page.waitForTimeout(200);
  await measure(page, cdp, `${name}, scroll bar over the whole length`, judged, () => dragScrollBar(page));
  const share = await page.evaluate(scrolledShare);
  if (share < 0.9) note(`the scroll bar came only to ${(share * 100).toFixed(0)} % of the length`);
}

async function wheel(page: Page): Promise<void> {
  const { x, y, width, height } = await scroller(page);
  await page.mouse.move(x + width / 2, y + height / 2);
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.wheel(0, 330);
    await page.waitForTimeout(PAUSE);
  }
}

async function dragScrollBar(page: Page): Promise<void> {
  const { x, y, width, height } = await scroller(page);
  const bar = x + width - 7;
  const from = y + 20;
  const to = y + height - 8;
  await page.mouse.move(bar, from);
  await page.mouse.down();
  for (let step = 1; step <= STEPS; step++) {
    await page.mouse.move(bar, from + ((to - from) * step) / STEPS);
    await page.waitForTimeout(PAUSE);
  }
  await page.mouse.up();
}

async function scroller(page: Page) {
  const box = await page.locator('#pane-rows').boundingBox();
  if (box === null) throw new Error('there are no rows to scroll');
  return box;
}

async function measure(page: Page, cdp: CDPSession, name: string, judged: boolean, doing: () => Promise<void>) {
  const before = await work(cdp);
  const recording = await recorded(page, doing);
  const after = await work(cdp);
  frameFigures(name, recording, judged);
  const frames = recording.frames.length;
  const each = (of: 'task' | 'script' | 'layout') => ((after[of] - before[of]) / frames).toFixed(2);
  note(
    `  ${frames} frames; processor time of the page's thread for each: ${each('task')} ms, scripts ${each('script')}, layout ${each('layout')}`,
  );
}

/** Frame times and long tasks. */
export function frameFigures(name: string, { frames, longTasks }: Recording, judged = true): void {
  figure(`${name}: frame p50`, [quantile(frames, 0.5)], 'ms', undefined, 1);
  figure(`${name}: frame p95`, [quantile(frames, 0.95)], 'ms', judged ? GOAL : undefined, 1);
  figure(`${name}: longest task`, [Math.max(0, ...longTasks)], 'ms', judged ? { atMost: 50 } : undefined, 0);
}
