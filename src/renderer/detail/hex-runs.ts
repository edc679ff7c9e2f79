import { type HexSource, type OctetRange, partAt } from './hex-source';

/** Octets in a row of the hex view. */
export const OCTETS_PER_ROW = 16;

/** Neighbouring octets of a row that look the same. Columns count from 0. */
export interface HexRun {
  from: number;
  to: number;
  /** Index of the source's part that they belong to; -1 for none. */
  part: number;
  lit: boolean;
  hovered: boolean;
}

export function rowCount(total: number): number {
  return Math.ceil(total / OCTETS_PER_ROW);
}

/**
 * A row, taken apart into runs.
 * @param lit octets of the chosen field, in order
 * @param hovered octets of what the pointer is on, in order
 */
export function hexRuns(
  row: number,
  source: HexSource,
  lit: readonly OctetRange[],
  hovered: readonly OctetRange[],
): HexRun[] {
  const start = row * OCTETS_PER_ROW;
  const end = Math.min(start + OCTETS_PER_ROW, source.total);
  const runs: HexRun[] = [];
  for (let position = start; position < end; position++) {
    const column = position - start;
    const part = partAt(source.parts, position);
    const isLit = within(lit, position);
    const isHovered = within(hovered, position);
    const last = runs.at(-1);
    if (last !== undefined && last.part === part && last.lit === isLit && last.hovered === isHovered) {
      last.to = column + 1;
    } else {
      runs.push({ from: column, to: column + 1, part, lit: isLit, hovered: isHovered });
    }
  }
  return runs;
}

function within(ranges: readonly OctetRange[], position: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  return low > 0 && position < ranges[low - 1]!.end;
}

/** An octet as ASCII; what has no glyph there is a dot. */
export function asciiOf(octet: number): string {
  return octet >= 0x20 && octet < 0x7f ? String.fromCharCode(octet) : '.';
}

export function hexOf(octet: number): string {
  return octet.toString(16).padStart(2, '0');
}

/** Digits that all offsets of a source need; four at least, an even number. */
export function offsetDigits(total: number): number {
  const needed = Math.max(1, total - 1).toString(16).length;
  return Math.max(4, needed + (needed % 2));
}
