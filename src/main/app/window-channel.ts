import { decode, encode } from '@msgpack/msgpack';
import { createBirpc } from 'birpc';
import type { AppEvents } from '../../shared/app';
import { MAX_REQUEST } from '../../shared/bridge';
import { checkArguments, checkEnvelope, isWindowMethod, type WindowApi } from './validation';

/** One window's way of sending and receiving octets. */
export interface Channel {
  post(message: Uint8Array): void;
  on(listener: (message: Uint8Array) => void): void;
  /** So much waits to be sent that events, each of which the next makes good, had better be left out. */
  congested?(): boolean;
}

/** What a channel needs of the program. */
export interface WindowHost {
  readonly api: WindowApi;
  on(events: AppEvents): void;
  off(events: AppEvents): void;
}

/** Nesting and sizes of what a window may send, beside MAX_REQUEST. */
const DECODE_LIMITS = {
  maxStrLength: 1 << 17,
  maxBinLength: 1 << 16,
  maxArrayLength: 1 << 13,
  maxMapLength: 64,
  maxExtLength: 0,
};

/**
 * Serves one window: its requests are checked, then answered; it is told what happens. What cannot be understood is
 * dropped, since there is nobody to answer to. @returns ends it
 */
export function serveWindow(host: WindowHost, channel: Channel): () => void {
  let open = true;
  const rpc = createBirpc<AppEvents, object>(
    {},
    {
      post: (message: Uint8Array) => {
        if (open) channel.post(message);
      },
      on: (listener) =>
        channel.on((message) => {
          const request = open ? understood(message) : undefined;
          if (request !== undefined) listener(request);
        }),
      serialize: (message: unknown) => encode(withPlainError(message), { ignoreUndefined: true }),
      resolver: (name) => {
        return (...given: unknown[]) => call(host.api, name, given);
      },
      timeout: -1,
    },
  );
  const events: AppEvents = {
    state: (state) => tell(() => rpc.state.asEvent(state)),
    progress: (progress) => {
      if (channel.congested?.() !== true) tell(() => rpc.progress.asEvent(progress));
    },
    command: (command) => tell(() => rpc.command.asEvent(command)),
  };
  host.on(events);
  return () => {
    open = false;
    host.off(events);
    rpc.$close();
  };
}

/** A window that is gone misses nothing. */
function tell(send: () => Promise<void>): void {
  send().catch(() => undefined);
}

function understood(message: Uint8Array): unknown {
  if (message.length > MAX_REQUEST) return undefined;
  try {
    return checkEnvelope(decode(message, DECODE_LIMITS));
  } catch {
    return undefined;
  }
}

async function call(api: WindowApi, name: string, given: readonly unknown[]): Promise<unknown> {
  if (!isWindowMethod(name)) throw new Error(`there is no method ${JSON.stringify(name)} for a window`);
  const method = api[name] as (...given: unknown[]) => Promise<unknown>;
  return method.apply(api, [...checkArguments(name, given)]);
}

/** Errors travel as their message: stacks and causes are nobody's business in a window. */
function withPlainError(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('e' in message)) return message;
  const { e } = message;
  return { ...message, e: { message: e instanceof Error ? e.message : String(e) } };
}
