/** What a user feels of the window, beside its goals. Arguments name places and parts; none means all that are there. */
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

async function withFile(open: (view?: object) => Promise<Surface>): Promise<void> {
  const surface = await open();
  try {
    section(`A capture of a million frames in ${surface.name}`);
    await file(surface);
    await baseline(surface.page, surface.cdp);
  } finally {
    await surface.close();
  }
}

async function withTraffic(open: (view?: object) => Promise<Surface>): Promise<void> {
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

const PARTS: Record<string, typeof withFile> = { file: withFile, live: withTraffic };

async function run(words: string[]): Promise<void> {
  if (words.includes('--profile')) wantProfiles();
  const unknown = words.filter((word) => !['--profile', ...Object.keys(PLACES), ...Object.keys(PARTS)].includes(word));
  if (unknown.length > 0) throw new Error(`neither a place nor a part: ${unknown.join(', ')}`);
  const chosen = (of: object) => {
    const named = Object.keys(of).filter((name) => words.includes(name));
    return named.length === 0 ? Object.keys(of) : named;
  };
  const load = loadavg()[0]!.toFixed(1);
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, load ${load}; drawn by software, without a GPU.`,
  );
  for (const place of chosen(PLACES)) {
    const reason = await available(place);
    if (reason !== undefined) note(`${place} left out: ${reason}`);
    else for (const part of chosen(PARTS)) await PARTS[part]!(PLACES[place]!);
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
