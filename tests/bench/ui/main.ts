/** What a user feels of the window, beside its goals. Arguments name places; none means all that are there. */
import { cpus, loadavg } from 'node:os';
import { chromiumExecutable } from '../../support/browser';
import { preparedExecutable } from '../../support/electron';
import { note, section } from '../report';
import { file } from './file';
import { live, startGoServer, viewFor } from './live';
import { wantProfiles } from './profile';
import { baseline } from './scrolling';
import { inChromium, inElectron, type Surface } from './surface';

const PLACES: Record<string, (view?: object) => Promise<Surface>> = { chromium: inChromium, electron: inElectron };

async function available(place: string): Promise<string | undefined> {
  if (place === 'chromium') return chromiumExecutable() === undefined ? 'chromium is not installed' : undefined;
  if (process.env.DISPLAY === undefined) return 'no display: run it under xvfb-run -a';
  return (await preparedExecutable()) === undefined ? 'no runtime: run node scripts/electron-runtime.mjs' : undefined;
}

async function measured(open: (view?: object) => Promise<Surface>): Promise<void> {
  const surface = await open();
  try {
    section(`A capture of a million frames in ${surface.name}`);
    await file(surface);
    await baseline(surface.page, surface.cdp);
  } finally {
    await surface.close();
  }
  const server = await startGoServer();
  const second = await open(viewFor(server));
  try {
    section(`Live: grpc-go health checks through the window's tap, in ${second.name}`);
    await live(second);
  } finally {
    await second.close();
    await server.close();
  }
}

async function run(words: string[]): Promise<void> {
  if (words.includes('--profile')) wantProfiles();
  const names = words.filter((word) => !word.startsWith('--'));
  const unknown = names.filter((name) => !(name in PLACES));
  if (unknown.length > 0) throw new Error(`no such place: ${unknown.join(', ')} (${Object.keys(PLACES).join(', ')})`);
  const load = loadavg()[0]!.toFixed(1);
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, load ${load}; drawn by software, without a GPU.`,
  );
  for (const [name, open] of Object.entries(PLACES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const reason = await available(name);
    if (reason !== undefined) note(`${name} left out: ${reason}`);
    else await measured(open);
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
