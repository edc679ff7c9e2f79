import type { TreeRow } from './tree-rows';

/** What a key does in the tree: choose a row, or open or close the chosen one. */
export type TreeAction = { choose: number } | { open: string; expanded: boolean };

/**
 * Keys of a tree, as the ARIA practices have them.
 * @param at the chosen row; -1 for none
 * @param page rows that fit into sight
 */
export function treeAction(key: string, rows: readonly TreeRow[], at: number, page: number): TreeAction | undefined {
  if (rows.length === 0) return undefined;
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return step(rows, at, 1, 1);
    case 'ArrowUp':
      return at === -1 ? step(rows, rows.length, -1, 1) : step(rows, at, -1, 1);
    case 'PageDown':
      return step(rows, at, 1, page);
    case 'PageUp':
      return step(rows, Math.max(at, 0), -1, page);
    case 'Home':
      return { choose: 0 };
    case 'End':
      return step(rows, rows.length, -1, 1);
    case 'ArrowRight':
      if (row?.expanded === undefined) return undefined;
      return row.expanded ? step(rows, at, 1, 1) : { open: row.field.id, expanded: true };
    case 'ArrowLeft':
      if (row === undefined) return undefined;
      if (row.expanded === true) return { open: row.field.id, expanded: false };
      return parentOf(rows, at);
    case 'Enter':
    case ' ':
      return row?.expanded === undefined ? undefined : { open: row.field.id, expanded: !row.expanded };
    default:
      return undefined;
  }
}

/** `count` rows that can be chosen further on, or as far as there are any. */
function step(rows: readonly TreeRow[], from: number, direction: 1 | -1, count: number): TreeAction | undefined {
  let chosen: number | undefined;
  let left = count;
  for (let at = from + direction; at >= 0 && at < rows.length && left > 0; at += direction) {
    if (rows[at]!.kind !== 'field') continue;
    chosen = at;
    left--;
  }
  return chosen === undefined ? undefined : { choose: chosen };
}

function parentOf(rows: readonly TreeRow[], at: number): TreeAction | undefined {
  const { level } = rows[at]!;
  for (let above = at - 1; above >= 0; above--) if (rows[above]!.level < level) return { choose: above };
  return undefined;
}
