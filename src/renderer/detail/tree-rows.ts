import type { DetailField } from '../../shared/detail';
import { LONG_VALUE } from './visible';

/** A row of the field tree: a field, or the whole of a long value below its field. */
export interface TreeRow {
  kind: 'field' | 'value';
  field: DetailField;
  /** From 1, as `aria-level` counts. */
  level: number;
  /** Undefined for what has nothing below it. */
  expanded: boolean | undefined;
  /** Position among its siblings, from 1, and how many they are. */
  position: number;
  siblings: number;
}

/** What the user has opened or closed, by field id; the rest is as `isOpenAtFirst` says. */
export type Openings = ReadonlyMap<string, boolean>;

export function isExpandable({ children, value }: DetailField): boolean {
  return (children?.length ?? 0) > 0 || value.length > LONG_VALUE;
}

/**
 * Groups of the top level and a message's body are open, so that the fields of a frame are seen at once. Bits, and how
 * a header field is represented, are for those who ask.
 */
export function isOpenAtFirst({ id, children }: DetailField, level: number): boolean {
  const [first] = children ?? [];
  if (first === undefined || first.bit !== undefined) return false;
  return level === 1 || id.endsWith('.body');
}

/** The rows of a tree as it stands open, from top to bottom. */
export function treeRows(fields: readonly DetailField[], openings: Openings): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (siblings: readonly DetailField[], level: number) => {
    for (const [i, field] of siblings.entries()) {
      const expandable = isExpandable(field);
      const expanded = expandable ? (openings.get(field.id) ?? isOpenAtFirst(field, level)) : undefined;
      rows.push({ kind: 'field', field, level, expanded, position: i + 1, siblings: siblings.length });
      if (expanded !== true) continue;
      if (field.value.length > LONG_VALUE) {
        rows.push({ kind: 'value', field, level: level + 1, expanded: undefined, position: 1, siblings: 1 });
      }
      add(field.children ?? [], level + 1);
    }
  };
  add(fields, 1);
  return rows;
}

/** Openings with all above the last field of a path open, so that it can be seen. */
export function opened(openings: Openings, path: readonly DetailField[]): Openings {
  const above = path.slice(0, -1).filter(({ id }, i) => !(openings.get(id) ?? isOpenAtFirst(path[i]!, i + 1)));
  if (above.length === 0) return openings;
  return new Map([...openings, ...above.map(({ id }): [string, boolean] => [id, true])]);
}
