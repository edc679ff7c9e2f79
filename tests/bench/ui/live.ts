/** Real grpc-go calls through the window's tap while it is used. */
import { type GoServer, runGoClient, startGoServer } from '../../support/go';
import { figure, note, quantile } from '../report';
import { profiled } from './profile';
import { heapUsed, recorded, work } from './recorder';
import { frameFigures } from './scrolling';
import type { Surface } from './surface';
import { longestTask } from './tasks';

/** Frames a second that are aimed at; a health check makes seven, with the pings that grpc-go sends along. */
const RATE = 20_000;
const FRAMES_OF_A_CALL = 7;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);

/** What the window remembers: it starts the tap in front of this server. */
export function viewFor(server: GoServer): object {
  return { listen: '127.0.0.1:0', upstream: server.target };
}

export { startGoServer };

export async function live(surface: Surface): Promise<void> {
  const { page, cdp } = surface;
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.app[data-session="capturing"]');
  const listening = await page.locator('.rows-empty .wire').first().textContent();
  const phases = 3;
  const calls = Math.round((RATE / FRAMES_OF_A_CALL) * (SECONDS * phases + 10));
  const load = runGoClient({
    target: listening!,
    mode: 'health-load',
    calls,
    rate: Math.round(RATE / FRAMES_OF_A_CALL),
    concurrency: 50,
    perCall: false,
  });
  await page.waitForSelector('#pane-rows [data-n]');
  await page.waitForTimeout(2000);
  const before = await heapUsed(cdp);
  const from = { at: Date.now(), frames: await framesSeen(page) };

  const idle = await work(cdp);
  const following = await recorded(page, () => profiled(cdp, 'live', () => page.waitForTimeout(SECONDS * 1000)));
  const busy = await work(cdp);
  frameFigures('following', following);
  const each = (of: keyof typeof busy) => ((busy[of] - idle[of]) / SECONDS).toFixed(0);
  note(
    `  processor time of the page's thread in a second: ${each('task')} ms, scripts ${each('script')}, layout ${each('layout')}`,
  );
  const longest = await longestTask(surface, () => page.waitForTimeout(3000));
  if (longest !== undefined) {
    figure('following: longest task, processor time', [longest], 'ms', { atMost: 50 }, 0);
  }

  const arrows = await recorded(page, async () => {
    await page.locator('#pane-rows').focus();
    await keys(page, (n) => (n % 8 === 7 ? 'End' : n % 2 === 0 ? 'ArrowUp' : 'PageUp'));
  });
  keyFigures('arrows in the rows', arrows.keys);
  frameFigures('arrows in the rows', arrows);

  const typed = 'health && length > 5';
  const typing = await recorded(page, async () => {
    await page.locator('#filter').focus();
    await keys(page, (n) => (n % 40 < typed.length ? typed[n % 40]! : 'Backspace'));
  });
  keyFigures('typing in the filter', typing.keys);
  frameFigures('typing in the filter', typing);

  const seconds = (Date.now() - from.at) / 1000;
  const rate = ((await framesSeen(page)) - from.frames) / seconds;
  figure('frames a second shown over the run', [rate], '', { atLeast: RATE * 0.95 }, 0);
  await page.locator('#filter').press('Escape');
  const after = await heapUsed(cdp);
  const mib = (octets: number) => (octets / 2 ** 20).toFixed(1);
  note(`  heap of the page after collection: ${mib(before)} MiB, ${seconds.toFixed(0)} s later ${mib(after)} MiB`);
  figure('heap of the page grown by', [(after - before) / 2 ** 20], 'MiB', { atMost: 4 }, 1);
  note(`  ${await page.locator('.figures').textContent()}`);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.waitForSelector('.app[data-session="open"]', { timeout: 60_000 });
  const { summaries } = await load;
  note(
    `  grpc-go had asked for ${Math.round(RATE / FRAMES_OF_A_CALL)} calls a second, and made ${summaries[0]?.callsPerSecond.toFixed(0)}`,
  );
}

async function keys(page: Surface['page'], key: (n: number) => string): Promise<void> {
  const until = Date.now() + SECONDS * 1000;
  for (let n = 0; Date.now() < until; n++) {
    await page.keyboard.press(key(n));
    await page.waitForTimeout(90);
  }
}

function keyFigures(name: string, latencies: readonly number[]): void {
  figure(`${name}: key to frame p50`, [quantile(latencies, 0.5)], 'ms', undefined, 0);
  figure(`${name}: key to frame p95`, [quantile(latencies, 0.95)], 'ms', { atMost: 100 }, 0);
  figure(`${name}: key to frame, longest of ${latencies.length}`, [Math.max(0, ...latencies)], 'ms', undefined, 0);
}

async function framesSeen(page: Surface['page']): Promise<number> {
  const text = (await page.locator('[data-figure="frames"]').textContent()) ?? '';
  return Number(text.replace(/\D/g, ''));
}
