import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { resetSocket } from '../../../src/main/tap/reset-socket';
import { serve } from './helpers';

for (const [when, prepare] of [
  ['open', () => undefined],
  ['just ended', (socket) => socket.end()],
  ['just ended behind a write', (socket) => socket.end('last words')],
  ['ended behind writes that nobody takes', (socket) => socket.end(Buffer.alloc(64 * 1024 * 1024))],
] satisfies [string, (socket: ReturnType<typeof connect>) => unknown][]) {
  test(`a socket that is ${when} can be reset and closes without an error`, async () => {
    const seen = new Promise<string>((resolve) => {
      void serve((socket) => {
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
        socket.on('close', () => resolve('closed'));
        socket.pause();
        setTimeout(() => socket.resume(), 50);
      }).then(({ port }) => {
        const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
        socket.on('connect', () => {
          prepare(socket);
          resetSocket(socket);
        });
        // Node reports a refused reset here, and never closes the socket.
        socket.on('error', (error) => resolve(`error: ${error.message}`));
        socket.on('close', () => resolve('closed'));
      });
    });
    expect(['ECONNRESET', 'closed']).toContain(await seen);
  });
}
