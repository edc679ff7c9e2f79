import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowserWindow } from './browser-window';
import { openDesktopWindow } from './desktop-window';
import type { WindowKind } from './needs';

/** A running program with its window; what differs between Electron and a browser stays behind this. */
export interface RunningWindow {
  page: Page;
  /** In good order, as a signal does. */
  end(): Promise<void>;
  /** SIGKILL: no good-byes. */
  kill(): Promise<void>;
  /** Keeps the session with the window's own command, at `path`. */
  save(path: string): Promise<void>;
  /** Opens a capture with the window's own command. */
  open(path: string): Promise<void>;
}

export interface TestWindow {
  readonly kind: WindowKind;
  readonly page: Page;
  readonly dataFolder: string;
  save(path: string): Promise<void>;
  open(path: string): Promise<void>;
  /** Ends the program if it still runs, and starts it with the same data folder. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  /** Ends everything and removes the data folder. */
  dispose(): Promise<void>;
}

/** Milliseconds that a page may take for one step: two cores may be busy with other things. */
const PATIENCE = 20_000;

/** Starts the program with a data folder of its own. */
export async function openWindow(kind: WindowKind): Promise<TestWindow> {
  const dataFolder = mkdtempSync(join(tmpdir(), `penstock-${kind}-`));
  let running: RunningWindow | undefined = await start(kind, dataFolder);
  const now = () => {
    if (running === undefined) throw new Error('the program has ended');
    return running;
  };
  return {
    kind,
    dataFolder,
    get page() {
      return now().page;
    },
    save: (path) => now().save(path),
    open: (path) => now().open(path),
    async restart() {
      await running?.end();
      running = await start(kind, dataFolder);
    },
    async kill() {
      await now().kill();
      running = undefined;
    },
    async dispose() {
      await running?.kill();
      running = undefined;
      rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function start(kind: WindowKind, dataFolder: string): Promise<RunningWindow> {
  const running = await (kind === 'electron' ? openDesktopWindow(dataFolder) : openBrowserWindow(dataFolder));
  running.page.setDefaultTimeout(PATIENCE);
  await running.page.locator('.app').waitFor();
  return running;
}
