import { decode, encode } from '@msgpack/msgpack';
import { createBirpc } from 'birpc';
import type { AppApi, AppEvents } from '../../shared/app';

/** Something that carries messages of octets to the program and back. */
export interface Carrier {
  send(message: Uint8Array): void;
  onMessage(listener: (message: Uint8Array) => void): void;
}

export interface AppClient {
  /** Calls reject with an Error of one line when the program refuses, or is gone. */
  api: AppApi;
  /** No answers will come any more: refuses what waits for one, and what is asked from now on. */
  close(reason: string): void;
}

/** The program behind the window, over any carrier. */
export function createClient(carrier: Carrier, events: AppEvents): AppClient {
  const rpc = createBirpc<AppApi, AppEvents>(events, {
    post: (message: Uint8Array) => carrier.send(message),
    on: (listener) => carrier.onMessage(listener),
    serialize: (message: unknown) => encode(message, { ignoreUndefined: true }),
    deserialize: (octets: Uint8Array) => withError(decode(octets)),
    // Opening a dialog or exporting a long capture takes as long as it takes.
    timeout: -1,
  });
  return { api: rpc, close: (reason) => rpc.$close(new Error(reason)) };
}

/** A refusal travels as its message alone; here it becomes an Error again. */
function withError(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('e' in message)) return message;
  const { e } = message;
  const words = typeof e === 'object' && e !== null && 'message' in e ? String(e.message) : 'refused without a reason';
  return { ...message, e: new Error(words) };
}
