import { applyFilter } from '../state/filter';
import { useView } from '../state/view-store';

const STRETCH = /(?:^|\s*&&\s*)t >= [\d.]+ && t <= [\d.]+\s*$/;

/** A filter's text with a stretch of time at its end, in place of one that was there. */
export function withStretch(text: string, stretch: { from: number; to: number } | null): string {
  const rest = text.replace(STRETCH, '').trim();
  if (stretch === null) return rest;
  const time = `t >= ${stretch.from.toFixed(6)} && t <= ${stretch.to.toFixed(6)}`;
  if (rest === '') return time;
  const needsParentheses = /\|\||\bor\b/i.test(rest) && !(rest.startsWith('(') && rest.endsWith(')'));
  return `${needsParentheses ? `(${rest})` : rest} && ${time}`;
}

/** Shows the frames of a stretch of time only; all with null. The filter says so, and can be changed there. */
export function brushedFilter(stretch: { from: number; to: number } | null): void {
  void applyFilter(withStretch(useView.getState().filterText, stretch));
}
