import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Milliseconds in which the host of the downloads must answer: many networks don't reach it. */
const PROBE_PATIENCE = 3000;
/** Milliseconds for the download itself, some 100 MB. */
const DOWNLOAD_PATIENCE = 10 * 60_000;
const DOWNLOADS = 'https://github.com/electron/electron/releases';

/** Where Electron's executable is inside its distribution. */
const EXECUTABLE =
  process.platform === 'darwin'
    ? 'Electron.app/Contents/MacOS/Electron'
    : process.platform === 'win32'
      ? 'electron.exe'
      : 'electron';

/** Whether a window can be shown here. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
}

/**
 * Electron's executable: where ELECTRON_OVERRIDE_DIST_PATH says, or as its npm package has fetched it, or fetched now.
 * Undefined where there is none, and none can be had.
 * @param folder of the program's package
 * @param note is told before something takes long
 */
export async function findRuntime(folder: string, note: (text: string) => void): Promise<string | undefined> {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return there(join(override, EXECUTABLE));
  const electron = packageFolder(folder);
  if (electron === undefined) return undefined;
  const fetched = fetchedBy(electron);
  if (fetched !== undefined) return fetched;
  if (!(await canDownload())) return undefined;
  note('Fetching Electron, once (some 100 MB) …');
  await download(electron);
  return fetchedBy(electron);
}

/** Of the npm package `electron`: present in a clone, absent where Penstock is installed without it. */
function packageFolder(folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, 'package.json')).resolve('electron/package.json'));
  } catch {
    return undefined;
  }
}

function fetchedBy(electron: string): string | undefined {
  try {
    return there(join(electron, 'dist', readFileSync(join(electron, 'path.txt'), 'utf8')));
  } catch {
    return undefined;
  }
}

function there(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

async function canDownload(): Promise<boolean> {
  // A mirror was set up by somebody who knows that it is reached.
  if (process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror) return true;
  try {
    const signal = AbortSignal.timeout(PROBE_PATIENCE);
    return (await fetch(DOWNLOADS, { method: 'HEAD', redirect: 'manual', signal })).status < 500;
  } catch {
    return false;
  }
}

function download(electron: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(electron, 'install.js')], {
      stdio: 'ignore',
      timeout: DOWNLOAD_PATIENCE,
    });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}
