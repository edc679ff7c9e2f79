/**
 * Which rows of a long list are in sight, when all have one height. Browsers stop at some 33 million pixels: a longer
 * list gets a shorter scroll bar, and positions on it stand for rows in proportion.
 */
export const MAX_HEIGHT = 24_000_000;

export interface RowWindow {
  /** Position of the first row that is drawn. */
  first: number;
  /** Rows drawn. */
  count: number;
  /** Height of what is scrolled, pixels. */
  height: number;
  /** Where the first drawn row stands in it, pixels. */
  top: number;
}

/** Rows drawn above and below those in sight. */
const BEYOND = 6;

export function rowWindow(total: number, rowHeight: number, viewport: number, scrollTop: number): RowWindow {
  const natural = total * rowHeight;
  const height = Math.min(natural, MAX_HEIGHT);
  const firstInSight = firstRow(total, rowHeight, viewport, scrollTop);
  const first = Math.max(0, Math.floor(firstInSight) - BEYOND);
  const count = Math.min(total - first, Math.ceil(viewport / rowHeight) + 1 + 2 * BEYOND);
  // Where positions stand for rows in proportion, what is drawn hangs on what is in sight.
  const top = natural <= MAX_HEIGHT ? first * rowHeight : scrollTop - (firstInSight - first) * rowHeight;
  return { first, count: Math.max(0, count), height, top };
}

/** The row at the viewport's top edge, with its fraction. */
export function firstRow(total: number, rowHeight: number, viewport: number, scrollTop: number): number {
  const natural = total * rowHeight;
  if (natural <= MAX_HEIGHT) return scrollTop / rowHeight;
  const range = MAX_HEIGHT - viewport;
  return range <= 0 ? 0 : (scrollTop / range) * (total - viewport / rowHeight);
}

/** The scroll position that has `row` at the viewport's top edge. */
export function scrollTopFor(total: number, rowHeight: number, viewport: number, row: number): number {
  const natural = total * rowHeight;
  if (natural <= MAX_HEIGHT) return Math.max(0, Math.min(row * rowHeight, natural - viewport));
  const rows = total - viewport / rowHeight;
  return Math.max(0, Math.min(1, row / rows)) * (MAX_HEIGHT - viewport);
}

/** The scroll position that brings `row` into sight with the least movement; the present one when it is in sight. */
export function revealing(total: number, rowHeight: number, viewport: number, scrollTop: number, row: number): number {
  const first = firstRow(total, rowHeight, viewport, scrollTop);
  const inSight = viewport / rowHeight;
  if (row < first) return scrollTopFor(total, rowHeight, viewport, row);
  if (row + 1 > first + inSight) return scrollTopFor(total, rowHeight, viewport, row + 1 - inSight);
  return scrollTop;
}

/**
 * Keys of the rows drawn are their positions plus this. Rows that were drawn before keep theirs; where none were, the
 * new ones take over those of the old, so that a jump changes what stands in elements rather than the elements.
 */
export function keyShift(
  before: Pick<RowWindow, 'first' | 'count'> & { shift: number },
  now: Pick<RowWindow, 'first' | 'count'>,
): number {
  const apart = now.first >= before.first + before.count || before.first >= now.first + now.count;
  return apart ? before.shift + before.first - now.first : before.shift;
}
