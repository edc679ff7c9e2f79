import { Socket } from 'node:net';

/**
 * Makes a failed write or shutdown of `socket` a call of `failed` instead of its end. A peer that resets often leaves
 * octets behind that are still to be read, and Node would throw them away by destroying the socket: the failed write
 * only says what the next read (its end, or ECONNRESET) will say in its turn.
 */
export function keepReadingAfterWriteErrors(socket: Socket, failed: (error: Error) => void): void {
  const lenient =
    (callback: (error?: Error | null) => void) =>
    (error?: Error | null): void => {
      if (error) failed(error);
      callback();
    };
  const { _write, _writev, _final } = Socket.prototype;
  socket._write = (chunk, encoding, callback) => _write.call(socket, chunk, encoding, lenient(callback));
  socket._writev = (chunks, callback) => _writev?.call(socket, chunks, lenient(callback));
  socket._final = (callback) => _final.call(socket, lenient(callback));
}
