import type { ElectronApplication } from 'playwright-core';
import { launchElectron } from '../support/electron';
import { ROOT } from './needs';
import type { RunningWindow } from './window';

export interface DesktopWindow extends RunningWindow {
  app: ElectronApplication;
}

/** Electron with the built app. Native dialogs are answered by the test: nobody is there to do it. */
export async function openDesktopWindow(dataFolder: string): Promise<DesktopWindow> {
  const { app, page } = await launchElectron({ userData: dataFolder, folder: ROOT });
  const endBy = async (signal: NodeJS.Signals) => {
    const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
    app.process().kill(signal);
    await ended;
  };
  return {
    app,
    page,
    end: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
    async save(path) {
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, path);
      await page.keyboard.press('Control+s');
      await page.locator('.app:not([data-unsaved])').waitFor();
    },
    async open(path) {
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
      }, path);
      await page.getByRole('button', { name: 'Open a file…' }).click();
      await page.locator('.app[data-session="open"]').waitFor();
    },
  };
}
