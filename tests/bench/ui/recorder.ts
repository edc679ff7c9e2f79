/** What the page notes of itself: frames, long tasks and the time from a key to the frame after it. */
import type { CDPSession, Page } from 'playwright-core';
import { beginRecording, endRecording } from './in-page';

export interface Recording {
  /** Milliseconds between animation frames. */
  frames: number[];
  /** Tasks of the page's thread over 50 ms, milliseconds. */
  longTasks: number[];
  /** From a key's event to the end of the frame after it, milliseconds. */
  keys: number[];
}

/** What happened in the page while `work` ran. */
export async function recorded(page: Page, work: () => Promise<void>): Promise<Recording> {
  await page.evaluate(beginRecording);
  await work();
  // The last key's frame is still to come.
  await page.waitForTimeout(100);
  return page.evaluate(endRecording) as Promise<Recording>;
}

/** Octets of the page's JavaScript heap that are in use after a garbage collection. */
export async function heapUsed(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.disable');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize;
}

/** Lets `work` tell processor time, which a busy machine doesn't add to. */
export async function countWork(cdp: CDPSession): Promise<void> {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
}

/** Milliseconds of processor time that the page's thread was at work, and of them in scripts and in layout and style. */
export async function work(cdp: CDPSession): Promise<{ task: number; script: number; layout: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return {
    task: of('TaskDuration'),
    script: of('ScriptDuration'),
    layout: of('LayoutDuration') + of('RecalcStyleDuration'),
  };
}
