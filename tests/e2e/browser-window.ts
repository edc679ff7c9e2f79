import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchBrowser } from '../support/browser';
import { ROOT } from './needs';
import type { RunningWindow } from './window';

/** `penstock serve`, and a browser at the address that it prints. */
export async function openBrowserWindow(dataFolder: string): Promise<RunningWindow> {
  const program = spawn(process.execPath, [join(ROOT, 'out/main/cli.js'), 'serve', '--no-open'], {
    env: { ...process.env, XDG_DATA_HOME: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [address, browser] = await Promise.all([addressOf(program), launchBrowser()]);
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  const endBy = async (signal: NodeJS.Signals) => {
    const ended = once(program, 'exit');
    if (program.exitCode === null && program.signalCode === null) {
      program.kill(signal);
      await ended;
    }
    await browser.close();
  };
  return {
    page,
    end: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
    async save(path) {
      const coming = page.waitForEvent('download');
      await page.keyboard.press('Control+s');
      await (await coming).saveAs(path);
    },
    async open(path) {
      await page.getByLabel('Path of a capture file').fill(path);
      await page.keyboard.press('Enter');
      await page.locator('.app[data-session="open"]').waitFor();
    },
  };
}

/** The first line of its output. @throws with what it said when it ends before */
async function addressOf(program: ChildProcess): Promise<string> {
  let said = '';
  program.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for await (const line of createInterface({ input: program.stdout! })) return line;
  throw new Error(`penstock serve ended: ${said}`);
}
