import type { Span } from '../../../shared/detail';

/** A piece of something larger, as it stands in one frame. */
export interface Piece extends Span {
  /** Where it begins in the whole. */
  at: number;
}

/** The octets `[start, end)` of a whole that stands in pieces. */
export function spansOf(pieces: readonly Piece[], start: number, end: number): Span[] {
  const spans: Span[] = [];
  for (const piece of pieces) {
    const length = piece.end - piece.start;
    const from = Math.max(start, piece.at);
    const to = Math.min(end, piece.at + length);
    if (to > from)
      spans.push({ n: piece.n, start: piece.start + (from - piece.at), end: piece.start + (to - piece.at) });
  }
  return spans;
}
