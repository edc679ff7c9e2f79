import { quoted, withCommas } from './words';

/** Names told apart; the others are counted together. */
const MAX_NAMES = 64;
const OTHERS = 'others';

/** How often names came up: methods, HTTP statuses. Bounded, whatever a peer sends. */
export class NamedCounts {
  private readonly counts = new Map<string, number>();

  add(name: string): void {
    const key = this.counts.has(name) || this.counts.size < MAX_NAMES ? name : OTHERS;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  get size(): number {
    return this.counts.size;
  }

  /** The most frequent, with their counts: `“/a.B/C” (3), “/a.B/D” (1)`. */
  words(limit = 3): string {
    const sorted = [...this.counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const named = sorted.slice(0, limit).map(([name, count]) => `${quoted(name, 80)} (${withCommas(count)})`);
    return `${named.join(', ')}${sorted.length > limit ? ' and more' : ''}`;
  }
}
