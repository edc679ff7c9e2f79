import type { Socket } from 'node:net';

/**
 * Resets a connection, dropping what it has not sent. While a FIN is being handed to the kernel (a turn of the loop)
 * libuv refuses to reset; Node then forgets the socket without closing it, and the worker that owns it never ends.
 * So the reset waits for the FIN.
 */
export function resetSocket(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.connecting) {
    socket.destroy();
    return;
  }
  const shuttingDown = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (shuttingDown) socket.once('finish', () => resetSocket(socket));
  else socket.resetAndDestroy();
}
