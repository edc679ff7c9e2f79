import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { _electron } from 'playwright-core';

export interface LaunchOptions {
  /** More words for the command line: a capture to open. */
  words?: string[];
  /** A data folder of an earlier launch, which is then left alone; a fresh one otherwise. */
  userData?: string;
  env?: Record<string, string>;
  /** The folder with package.json and the built `out`; the repository when not given. */
  folder?: string;
}

export interface LaunchedApp {
  app: ElectronApplication;
  page: Page;
  userData: string;
  /** Ends the program at once, and removes a fresh data folder. */
  close(): Promise<void>;
}

/**
 * Starts the built app in the test runtime (`scripts/electron-runtime.mjs`). A display is expected: run under
 * `xvfb-run -a`.
 * @throws when the runtime is not prepared
 */
export async function launchElectron(options: LaunchOptions = {}): Promise<LaunchedApp> {
  const fresh = options.userData === undefined;
  const userData = options.userData ?? mkdtempSync(join(tmpdir(), 'penstock-electron-'));
  const folder = options.folder ?? resolve(__dirname, '../..');
  const app = await _electron.launch({
    executablePath: await electronExecutable(),
    args: [...switches(), `--user-data-dir=${userData}`, folder, ...(options.words ?? [])],
    env: { ...plainEnvironment(), ...options.env },
  });
  const page = await app.firstWindow();
  return {
    app,
    page,
    userData,
    async close() {
      const ended = new Promise<void>((done) => app.once('close', () => done()));
      app.process().kill('SIGKILL');
      await ended;
      if (fresh) rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** ELECTRON_OVERRIDE_DIST_PATH, else the prepared test runtime. */
export async function electronExecutable(): Promise<string> {
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (chosen !== undefined) return join(chosen, 'electron');
  const executable = await preparedExecutable();
  if (executable === undefined) throw new Error('no Electron for tests: run node scripts/electron-runtime.mjs');
  return executable;
}

/** The prepared test runtime, or undefined: to skip by. */
export async function preparedExecutable(): Promise<string | undefined> {
  const { preparedRuntime } = await import('../../scripts/electron-runtime.mjs');
  return preparedRuntime();
}

/** Root and containers have neither a sandbox of Chromium's nor a GPU. */
export function switches(): string[] {
  return [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'];
}

function plainEnvironment(): Record<string, string> {
  const { ELECTRON_RENDERER_URL: _, ELECTRON_RUN_AS_NODE: __, ...env } = process.env;
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
