import { join } from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import type { WindowHost } from '../app/window-channel';
import { serveByIpc } from './ipc';
import { loadWindowState, saveWindowState } from './window-state';

/** The page's grounds, so that a window never flashes in the other one. */
const DARK = '#14161a';
const LIGHT = '#f7f8fa';

export interface WindowOptions {
  host: WindowHost;
  /** Address of the page. */
  page: string;
  preload: string;
  dataFolder: string;
}

/** Opens the window; its page can do nothing but show, and ask the program. */
export function openWindow({ host, page, preload, dataFolder }: WindowOptions): BrowserWindow {
  const stateFile = join(dataFolder, 'window.json');
  const { bounds, maximized } = loadWindowState(stateFile);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 800,
    minHeight: 500,
    show: false,
    title: 'Penstock',
    backgroundColor: nativeTheme.shouldUseDarkColors ? DARK : LIGHT,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
      // What a hidden window is told, it shows when it comes back.
      backgroundThrottling: true,
    },
  });
  if (maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => saveWindowState(stateFile, window));
  let end = serveByIpc(host, window, page);
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    // The program goes on; a page that has crashed is loaded anew.
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    end();
    end = serveByIpc(host, window, page);
    void window.loadURL(page);
  });
  window.on('closed', () => end());
  void window.loadURL(page);
  return window;
}
