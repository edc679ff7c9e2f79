import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { serveWindow, type WindowHost } from '../app/window-channel';
import { isOwnAddress } from './origin';

/** Both directions; `src/preload/index.ts` has the other end. */
const CHANNEL = 'penstock';

/** Serves a window's page over the one channel, and no other sender. @returns ends it */
export function serveByIpc(host: WindowHost, window: BrowserWindow, page: string): () => void {
  const { webContents } = window;
  let listener: (message: Uint8Array) => void = () => undefined;
  const receive = (event: IpcMainEvent, message: unknown) => {
    if (isFromPage(event, window, page) && message instanceof Uint8Array) listener(message);
  };
  ipcMain.on(CHANNEL, receive);
  const end = serveWindow(host, {
    post: (message) => {
      if (!webContents.isDestroyed()) webContents.send(CHANNEL, message);
    },
    on: (given) => {
      listener = given;
    },
  });
  return () => {
    ipcMain.off(CHANNEL, receive);
    end();
  };
}

/** The page itself, in the window's main frame: no frame within it, no page that took its place, no other window. */
function isFromPage({ sender, senderFrame }: IpcMainEvent, window: BrowserWindow, page: string): boolean {
  // A frame that is gone when its message arrives is null in newer Electrons.
  if (senderFrame === null || window.isDestroyed() || sender !== window.webContents) return false;
  return senderFrame.parent === null && isOwnAddress(senderFrame.url, page);
}
