import type { CaptureSettings, Outcome } from '../../shared/app';

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export const DONE: Outcome = { ok: true, value: null };

export function refused(message: string, field?: keyof CaptureSettings): Outcome<never> {
  return { ok: false, message, ...(field !== undefined && { field }) };
}
