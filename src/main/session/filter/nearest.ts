/** Longer words are no slips of the pen, and would make the table below large. */
const LONGEST = 64;

/**
 * The name that was probably meant: one that `word` begins (from two characters on), else the one with the fewest
 * slips, at most one in three characters. Case does not matter.
 */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  if (typed.length > LONGEST) return undefined;
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const candidate = name.toLowerCase();
    if (typed.length >= 2 && candidate.startsWith(typed)) return name;
    const count = slips(typed, candidate);
    if (count < fewest) {
      fewest = count;
      best = name;
    }
  }
  return best;
}

/** Characters left out, added, mistaken, or swapped with their neighbour (optimal string alignment distance). */
function slips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const mistaken = a[i - 1] === b[j - 1] ? 0 : 1;
      let count = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + mistaken);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        count = Math.min(count, beforeLast[j - 2]! + 1);
      row.push(count);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** `Did you mean X?` with a blank before it, or what there is to choose from, or nothing where that is too much. */
export function suggestion(word: string, names: readonly string[], what: string): string {
  const nearest = nearestName(word, names);
  if (nearest !== undefined) return `. Did you mean ${nearest}?`;
  return `; ${what}: ${names.join(', ')}`;
}
