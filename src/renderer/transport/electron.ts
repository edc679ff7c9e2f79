import type { AppEvents } from '../../shared/app';
import type { PenstockBridge } from '../../shared/bridge';
import { type AppClient, createClient } from './client';

/** The preload script's bridge, where the window is Electron's. */
export function electronBridge(): PenstockBridge | undefined {
  return (globalThis as { penstock?: PenstockBridge }).penstock;
}

export function connectByBridge(bridge: PenstockBridge, events: AppEvents): AppClient {
  return createClient(
    {
      // A message is part of an encoder's larger buffer: only its own octets are to cross.
      send: (message) => bridge.send(message.slice()),
      onMessage: (listener) => bridge.onMessage(listener),
    },
    events,
  );
}

/** Path of a file that was dropped on the window; undefined when it has none. */
export function pathOfFile(bridge: PenstockBridge, file: File): string | undefined {
  // Electron before 32 puts the path on the file itself; later ones tell it to the preload script alone.
  const own = (file as { path?: unknown }).path;
  const path = typeof own === 'string' && own !== '' ? own : bridge.pathForFile(file);
  return path === '' ? undefined : path;
}
