import type { TapSettings } from './messages';

/** Ten minutes: beyond it a typing mistake is likelier than a wish. */
const LONGEST_DELAY = 600_000;

/**
 * `current` with `change` applied; a rate that is there but undefined lifts the limit.
 * @throws an Error of one line when a value makes no sense
 */
export function changeSettings(current: TapSettings, change: Partial<TapSettings>): TapSettings {
  const settings = { ...current, ...change };
  checkDelay('to the server', settings.delayToServer);
  checkDelay('to the client', settings.delayToClient);
  checkRate('to the server', settings.rateToServer);
  checkRate('to the client', settings.rateToClient);
  return settings;
}

function checkDelay(direction: string, delay: number): void {
  if (delay >= 0 && delay <= LONGEST_DELAY) return;
  throw new Error(`the delay ${direction} must be from 0 to ${LONGEST_DELAY} ms, not ${delay}`);
}

function checkRate(direction: string, rate: number | undefined): void {
  if (rate === undefined || (rate >= 1 && Number.isFinite(rate))) return;
  throw new Error(`the rate ${direction} must be at least 1 octet a second, not ${rate}`);
}
