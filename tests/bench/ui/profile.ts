import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CDPSession } from 'playwright-core';

const folder = resolve('.cache/bench/ui-profiles');
let wanted = false;
let count = 0;

export function wantProfiles(): void {
  wanted = true;
}

/** Leaves a CPU profile of the page while `work` ran, for the developer tools, when profiles are wanted. */
export async function profiled(cdp: CDPSession, name: string, work: () => Promise<void>): Promise<void> {
  if (!wanted) return work();
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.setSamplingInterval', { interval: 200 });
  await cdp.send('Profiler.start');
  await work();
  const { profile } = await cdp.send('Profiler.stop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${++count}-${name}.cpuprofile`), JSON.stringify(profile));
}
