import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** What flow.proto allows for `delay_ms`. */
export const longestDelay = 60_000;

/** What all four of grpc-js's server calls are. `cancelled` is also emitted. */
interface ServerCall extends EventEmitter {
  cancelled: boolean;
}

/**
 * Waits `milliseconds` within a call; false when the call was cancelled before (deadline, reset, shutdown). A
 * cancelled call leaves no timer behind, so a server can close at any time.
 */
export async function pause(call: ServerCall, milliseconds: number): Promise<boolean> {
  if (call.cancelled) return false;
  if (milliseconds === 0) return true;
  const cancelled = new AbortController();
  const abort = () => cancelled.abort();
  call.once('cancelled', abort);
  try {
    await sleep(milliseconds, undefined, { signal: cancelled.signal });
    return !call.cancelled;
  } catch {
    return false;
  } finally {
    call.removeListener('cancelled', abort);
  }
}

/** Waits until a full writing half takes more; false when the call ends first. */
export function drained(call: ServerCall): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const event of events) call.removeListener(event, settle);
      resolve(!call.cancelled);
    };
    const events = ['drain', 'cancelled', 'error', 'close'] as const;
    for (const event of events) call.on(event, settle);
  });
}
