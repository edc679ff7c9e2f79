/** A stretch of time as it stands in two inputs; empty is no bound. */
export interface TimeTexts {
  from: string;
  to: string;
}

export const WHOLE: TimeTexts = { from: '', to: '' };

/** Seconds; null for no bound; undefined for what is no time. */
export function timeOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^(\d{1,10}(\.\d*)?|\.\d+)$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** A stretch as inputs show it, to the microsecond. What reaches the capture's end has no bound there. */
export function textsOf(stretch: { from: number; to: number }, lastTime: number): TimeTexts {
  return {
    from: stretch.from <= 0 ? '' : shortTime(stretch.from),
    to: stretch.to >= lastTime ? '' : shortTime(stretch.to),
  };
}

/** What a column's head says of its time. */
export function timeWords({ from, to }: TimeTexts): string {
  if (from.trim() === '' && to.trim() === '') return 'whole capture';
  if (to.trim() === '') return `from ${from.trim()} s`;
  if (from.trim() === '') return `before ${to.trim()} s`;
  return `${from.trim()} to ${to.trim()} s`;
}

function shortTime(seconds: number): string {
  return String(Number(seconds.toFixed(6)));
}
