/**
 * Runs before the window's page, sandboxed: hands the page the one channel to the program and the paths of dropped
 * files, and nothing else of Electron.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { PenstockBridge } from '../shared/bridge';

/** Both directions; `src/main/electron/ipc.ts` has the other end. */
const CHANNEL = 'penstock';
/** Messages kept until the page listens: it does so while it starts. */
const MAX_EARLY = 64;

let listener: ((message: Uint8Array) => void) | undefined;
const early: Uint8Array[] = [];

ipcRenderer.on(CHANNEL, (_event, message: unknown) => {
  if (!(message instanceof Uint8Array)) return;
  if (listener !== undefined) listener(message);
  else if (early.length < MAX_EARLY) early.push(message);
});

const bridge: PenstockBridge = {
  send(message) {
    ipcRenderer.send(CHANNEL, message);
  },
  onMessage(given) {
    listener = given;
    for (const message of early.splice(0)) given(message);
  },
  pathForFile(file) {
    // Electron before 32 has no webUtils: there the file itself tells its path.
    const utilities = webUtils as typeof webUtils | undefined;
    return utilities?.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0]) ?? '';
  },
};

contextBridge.exposeInMainWorld('penstock', bridge);
