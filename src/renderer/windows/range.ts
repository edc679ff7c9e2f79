import type { KeyboardEvent } from 'react';

/** What of the time axis is shown, seconds. */
export interface TimeRange {
  from: number;
  to: number;
}

/** Ten microseconds: closer than that no step is told from another. */
const SHORTEST = 1e-5;

/** `factor` below 1 shows less; `centre` stays where it is. Never more than `full`; null when all of it is shown. */
export function zoomed(range: TimeRange, full: TimeRange, centre: number, factor: number): TimeRange | null {
  const span = Math.max(SHORTEST, (range.to - range.from) * factor);
  if (span >= full.to - full.from) return null;
  const part = Math.min(1, Math.max(0, (centre - range.from) / Math.max(SHORTEST, range.to - range.from)));
  return within({ from: centre - part * span, to: centre + (1 - part) * span }, full);
}

/** Moves by a part of what is shown: 1 is a whole screen to the right. */
export function panned(range: TimeRange, full: TimeRange, part: number): TimeRange | null {
  const span = range.to - range.from;
  if (span >= full.to - full.from) return null;
  return within({ from: range.from + part * span, to: range.to + part * span }, full);
}

/** A stretch of time with as much again around it. */
export function around(stretch: TimeRange, full: TimeRange): TimeRange | null {
  const span = Math.max(SHORTEST, stretch.to - stretch.from);
  return within({ from: stretch.from - span, to: stretch.to + span }, full);
}

/** Moved so that it lies in `full`; cut where it is longer. */
function within({ from, to }: TimeRange, full: TimeRange): TimeRange | null {
  const span = to - from;
  if (span >= full.to - full.from) return null;
  const start = Math.min(Math.max(from, full.from), full.to - span);
  return { from: start, to: start + span };
}

/** A key pressed on a graph: one that zooms or moves is taken. */
export function takeRangeKey(
  event: KeyboardEvent,
  range: TimeRange,
  full: TimeRange,
  onRange: (range: TimeRange | null) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const moved = movedByKey(event.key, range, full);
  if (moved === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  onRange(moved);
}

/** What a key does to the range: undefined for keys that do nothing to it, null for all of it. */
export function movedByKey(key: string, range: TimeRange, full: TimeRange): TimeRange | null | undefined {
  const centre = (range.from + range.to) / 2;
  switch (key) {
    case '+':
    case '=':
      return zoomed(range, full, centre, 0.5);
    case '-':
      return zoomed(range, full, centre, 2);
    case 'ArrowLeft':
      return panned(range, full, -0.2);
    case 'ArrowRight':
      return panned(range, full, 0.2);
    case 'PageUp':
      return panned(range, full, -0.9);
    case 'PageDown':
      return panned(range, full, 0.9);
    case 'Home':
    case '0':
      return null;
    default:
      return undefined;
  }
}
