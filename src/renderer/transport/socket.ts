import type { AppEvents, Outcome } from '../../shared/app';
import { SERVE_PATHS } from '../../shared/bridge';
import { type AppClient, createClient } from './client';

export interface SocketEvents extends AppEvents {
  /** The program has ended, or cannot be reached. */
  closed(): void;
}

/** Connects to `penstock serve`, which this page came from. @throws an Error when there is no connection */
export function connectBySocket(page: URL, events: SocketEvents): Promise<AppClient> {
  const address = new URL(SERVE_PATHS.socket, page);
  address.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = '';
  address.hash = '';
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    let client: AppClient | undefined;
    socket.onopen = () => {
      client = createClient(
        {
          send: (message) => socket.send(message.slice()),
          onMessage: (listener) => {
            socket.onmessage = ({ data }) => {
              if (data instanceof ArrayBuffer) listener(new Uint8Array(data));
            };
          },
        },
        events,
      );
      resolve(client);
    };
    socket.onclose = () => {
      if (client === undefined) return reject(new Error('Penstock cannot be reached'));
      client.close('Penstock has ended');
      events.closed();
    };
  });
}

/** Sends a file to `penstock serve`, which opens it. */
export async function upload(page: URL, file: File): Promise<Outcome> {
  const address = new URL(SERVE_PATHS.upload, page);
  address.search = new URLSearchParams({ name: file.name }).toString();
  try {
    const response = await fetch(address, { method: 'POST', body: file });
    if (response.headers.get('content-type')?.startsWith('application/json')) return (await response.json()) as Outcome;
    return { ok: false, message: (await response.text()).trim() };
  } catch {
    return { ok: false, message: 'Penstock cannot be reached' };
  }
}
