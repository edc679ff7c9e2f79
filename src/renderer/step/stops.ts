import type { GuideStop } from '../../shared/examples';

/** The last stop that is not behind frame `n`; -1 before the first. */
export function stopAt(guide: readonly GuideStop[], n: number): number {
  let at = -1;
  for (const [i, stop] of guide.entries()) if (stop.n <= n) at = i;
  return at;
}
