import type { AppEvents } from '../shared/app';
import type { Platform } from './platform';
import { provide, services, sessionKey, useApp } from './state/app-store';
import { runCommand } from './state/commands';
import { resetView } from './state/view-store';
import type { AppClient } from './transport/client';
import { connectByBridge, electronBridge, pathOfFile } from './transport/electron';
import { connectBySocket, upload } from './transport/socket';

const events: AppEvents = {
  state: (state) => {
    const { state: before, progress } = useApp.getState();
    if (sessionKey(before) === sessionKey(state)) {
      useApp.setState({ state });
      return;
    }
    resetView();
    // Reading begins before the program tells of the session: what was told of this file already is of it.
    const ofIt = 'file' in state.session && progress?.file === state.session.file;
    useApp.setState({ state, progress: ofIt ? progress : null });
    // A short file may have been read before the program told of the session: then no progress comes any more.
    void learnProgress().catch(() => undefined);
  },
  progress: (progress) => useApp.setState({ progress }),
  command: (command) => runCommand(command),
};

/** Connects to the program behind this window, Electron's or a server's, and learns its state. */
export async function connect(): Promise<void> {
  const bridge = electronBridge();
  const page = new URL(document.baseURI);
  const client: AppClient =
    bridge !== undefined
      ? connectByBridge(bridge, events)
      : await connectBySocket(page, { ...events, closed: () => useApp.setState({ connection: 'closed' }) });
  const facts = await client.api.facts();
  const platform: Platform = {
    facts,
    openFile: (file) => {
      if (bridge === undefined) return upload(page, file);
      const path = pathOfFile(bridge, file);
      if (path === undefined) return Promise.resolve({ ok: false, message: `${file.name} is no file on this machine` });
      return client.api.openPath(path);
    },
    download: (address) => {
      const link = document.createElement('a');
      link.href = new URL(address, page).href;
      link.download = '';
      link.click();
    },
  };
  provide({ api: client.api, platform });
  useApp.setState({ state: await client.api.state() });
  await learnProgress();
}

/** Asks how far the engine is, unless it tells so itself meanwhile. */
async function learnProgress(): Promise<void> {
  const key = sessionKey(useApp.getState().state);
  const status = await services().api.status();
  useApp.setState(({ state, progress }) =>
    progress === null && sessionKey(state) === key ? { progress: { ...status, changedFrom: null, views: [] } } : {},
  );
}
