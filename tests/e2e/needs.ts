import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { preparedRuntime } from '../../scripts/electron-runtime.mjs';
import { chromiumExecutable } from '../support/browser';
import { requireThing } from '../support/require';

/** The two places that the window is for: one scenario runs in both. */
export type WindowKind = 'electron' | 'chromium';

/** The repository, built. */
export const ROOT = resolve(__dirname, '../..');

/** Whether windows of a kind can be opened here; where not, the reason is recorded. @throws when nothing is built */
export function canOpen(kind: WindowKind): boolean {
  if (!existsSync(join(ROOT, 'out/renderer/index.html'))) throw new Error('the app is not built: run npm run build');
  switch (kind) {
    case 'electron':
      return hasRuntime() && hasDisplay();
    case 'chromium':
      return requireThing('chromium', chromiumExecutable() !== undefined, 'there is no Chromium on the PATH');
    default:
      return kind satisfies never;
  }
}

function hasRuntime(): boolean {
  const isHere = process.env.ELECTRON_OVERRIDE_DIST_PATH !== undefined || preparedRuntime() !== undefined;
  return requireThing('electron', isHere, 'no Electron for tests: run node scripts/electron-runtime.mjs');
}

/** `npm test` brings a display of its own where xvfb is installed. */
function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const isHere = process.platform !== 'linux' || (DISPLAY ?? WAYLAND_DISPLAY ?? '') !== '';
  return requireThing('xvfb', isHere, 'there is no display: run under xvfb-run -a');
}
