/** Tasks of the page's thread by processor time: their duration alone would blame the page for a busy machine. */
import type { Surface } from './surface';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of processor time. */
  tdur?: number;
  args: { name?: string };
}

/**
 * Processor time of the page's longest task while `work` ran, milliseconds. Where nothing can be traced (Electron) it
 * is undefined, and `work` isn't run.
 */
export async function longestTask({ browser, page }: Surface, work: () => Promise<void>): Promise<number | undefined> {
  if (browser === undefined) return undefined;
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = trace.traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const times = trace.traceEvents
    .filter(({ ph, pid, tid }) => ph === 'X' && mains.some((main) => main.pid === pid && main.tid === tid))
    .map(({ tdur }) => (tdur ?? 0) / 1000);
  return times.reduce((most, time) => Math.max(most, time), 0);
}
