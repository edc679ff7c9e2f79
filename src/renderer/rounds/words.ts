import type { RoundRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { grouped } from '../timeline/format';

export function windowWords(window: number | null): string {
  return window === null ? 'unknown' : grouped(window);
}

/** What the rounds come to: how many, their round trip, and what became of the window of who measures. */
export function roundsSentence(rounds: readonly RoundRecord[], total: number): string {
  if (total === 0) return 'No rounds on this connection.';
  const times = rounds.flatMap(({ rtt }) => (rtt === null ? [] : [rtt])).sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)];
  const count = `${grouped(total)} ${total === 1 ? 'round' : 'rounds'}`;
  const trip = middle === undefined ? 'none answered' : `${formatDuration(middle)} at the median`;
  return `${[`${count}, ${trip}`, ...growthWords(rounds)].join('; ')}.`;
}

/** Of each side that measures: from what to what its window went, and since when it has not. */
function growthWords(rounds: readonly RoundRecord[]): string[] {
  const words: string[] = [];
  for (const by of ['client', 'server'] as const) {
    const own = rounds.filter((round) => round.by === by && round.purpose === 'bdp');
    const first = own[0];
    const last = own.at(-1);
    if (first === undefined || last === undefined) continue;
    const grown = own.filter(({ growth }) => growth !== undefined);
    if (grown.length === 0) {
      words.push(`the ${by}’s window stayed at ${windowWords(first.windowBefore)}`);
      continue;
    }
    const after = own.length - 1 - own.lastIndexOf(grown.at(-1)!);
    const since = after === 0 ? 'the last one too' : `not in the last ${after === 1 ? 'one' : grouped(after)}`;
    const change = `from ${windowWords(first.windowBefore)} to ${windowWords(last.windowAfter)}`;
    words.push(`the ${by}’s window went ${change} in ${grouped(grown.length)} of ${grouped(own.length)}, ${since}`);
  }
  return words;
}
