import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Nice values (setpriority(2); lower goes first). A thread that decodes competes with the tap for a core, and Linux lets
 * a thread that was woken wait for one that computes, for some milliseconds when both weigh the same.
 */
export const Nice = {
  /** The tap sleeps or waits for a due time. Only root, or who has RLIMIT_NICE, may go below 0. */
  tap: -10,
  /** The engine follows a live capture: it may lag behind. */
  following: 10,
} as const;

/**
 * Sets the priority of the calling thread alone. Only Linux has threads with priorities of their own there.
 * @returns whether it was set: false elsewhere, and without the right to
 */
export function setThreadPriority(nice: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(threadId(), nice);
    return true;
  } catch {
    return false;
  }
}

/** The kernel's id of the calling thread, which Node does not tell; /proc/thread-self is a link to PID/task/TID. */
function threadId(): number {
  const id = Number(readlinkSync('/proc/thread-self').split('/').pop());
  // 0 would be the whole process.
  if (!Number.isInteger(id) || id <= 0) throw new Error('the thread has no id of its own');
  return id;
}
