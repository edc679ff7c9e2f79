/**
 * What carries the contract of `app.ts` between a window and the program: messages of octets, both ways. Each message
 * is MessagePack of one of birpc's envelopes, so that octets stay octets over Electron's bridge and over a WebSocket.
 */

/** As the preload script puts it into the window's world: `window.penstock`. */
export interface PenstockBridge {
  send(message: Uint8Array): void;
  /** One listener: a later one takes the place of an earlier one. What came before the first is handed to it. */
  onMessage(listener: (message: Uint8Array) => void): void;
  /** The path of a dropped or chosen file (a DOM `File`); empty for a file that has none. */
  pathForFile(file: object): string;
}

/** Octets of one message from a window at most: requests are small. */
export const MAX_REQUEST = 1 << 20;

/** Where `penstock serve` has its parts, relative to the address of the window. */
export const SERVE_PATHS = {
  /** The WebSocket. */
  socket: 'socket',
  /** POST with the file as its body and `?name=`: opens it. Answers an Outcome as JSON. */
  upload: 'upload',
  /** Before the id and the name of what `saveAs` or `exportAs` has made. */
  download: 'download',
} as const;
