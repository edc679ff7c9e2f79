import type { WebSocket } from 'ws';
import { serveWindow, type WindowHost } from '../../app/window-channel';

/** Octets that a browser has not taken: from here on events are left out … */
const CONGESTED = 4 << 20;
/** … and from here on it is given up. */
const HOPELESS = 64 << 20;

/** Serves one browser window over its WebSocket until that closes. */
export function serveSocket(host: WindowHost, socket: WebSocket): void {
  socket.binaryType = 'nodebuffer';
  const end = serveWindow(host, {
    post: (message) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > HOPELESS) socket.terminate();
      else socket.send(message);
    },
    on: (listener) => {
      socket.on('message', (message, isBinary) => {
        if (isBinary && Buffer.isBuffer(message)) listener(message);
      });
    },
    congested: () => socket.bufferedAmount > CONGESTED,
  });
  socket.on('close', end);
  // What goes wrong on the way ends in a close.
  socket.on('error', () => socket.terminate());
}
