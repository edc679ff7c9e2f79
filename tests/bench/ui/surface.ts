/** The window where it is measured: Chromium over `penstock serve`, or Electron. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumExecutable } from '../../support/browser';
import { launchElectron, switches } from '../../support/electron';
import { rememberView } from './in-page';
import { countWork } from './recorder';

const app = resolve('.cache/bench/app');
const SIZE = { width: 1280, height: 800 };

export interface Surface {
  name: string;
  /** At the start page. */
  page: Page;
  cdp: CDPSession;
  /** Where there is one apart from the page. */
  browser?: Browser;
  /** Asks for a capture as a user would, up to the deed that opens it. @returns the deed */
  readyToOpen(path: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** @param view what the window remembers of the last session: `penstock-view` in its local storage */
export async function inChromium(view: object = {}): Promise<Surface> {
  const data = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
  const server = spawn(process.execPath, [join(app, 'out/main/cli.js'), 'serve', '--no-open'], {
    env: { ...process.env, XDG_DATA_HOME: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const [address] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const executablePath = chromiumExecutable();
  if (executablePath === undefined) throw new Error('chromium is not installed');
  // Scroll bars are what is measured.
  const browser = await chromium.launch({
    executablePath,
    args: [...switches(), '--enable-precise-memory-info'],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  const page = await browser.newPage({ viewport: SIZE });
  await page.addInitScript(rememberView, JSON.stringify({ state: view, version: 1 }));
  await page.goto(address);
  return {
    name: `Chromium ${browser.version()} over penstock serve`,
    page,
    browser,
    cdp: await counting(page),
    async readyToOpen(path) {
      await page.getByLabel('Path of a capture file').fill(path);
      return () => page.getByLabel('Path of a capture file').press('Enter');
    },
    async close() {
      await browser.close();
      server.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export async function inElectron(view: object = {}): Promise<Surface> {
  const { app: electron, page, close } = await launchElectron({ folder: app });
  await electron.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]!.setContentSize(width, height);
  }, SIZE);
  await page.evaluate(rememberView, JSON.stringify({ state: view, version: 1 }));
  await page.reload();
  await page.waitForSelector('.app');
  return {
    name: `Electron ${await electron.evaluate(() => process.versions.electron)} under Xvfb`,
    page,
    cdp: await counting(page),
    async readyToOpen(path) {
      await electron.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
      }, path);
      return () => page.getByRole('button', { name: 'Open a file' }).click();
    },
    close,
  };
}

async function counting(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await countWork(cdp);
  return cdp;
}
