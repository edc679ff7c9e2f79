import type { RecentSession } from '../../shared/app';
import { formatSize } from '../../shared/units';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`; beyond a week the day itself, `2026-11-30`. */
export function ageText(modified: number, now: number): string {
  const age = now - modified;
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  const days = Math.floor(age / DAY);
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  const date = new Date(modified);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** What is told of a session beside its name: `118 MiB · 5 min ago`. */
export function factsText({ size, modified }: RecentSession, now: number): string {
  return `${formatSize(size)} · ${ageText(modified, now)}`;
}

/** Captures that nobody saved, and files that were opened before. */
export function byKind(recent: readonly RecentSession[]): { left: RecentSession[]; opened: RecentSession[] } {
  return { left: recent.filter(({ recovered }) => recovered), opened: recent.filter(({ recovered }) => !recovered) };
}
