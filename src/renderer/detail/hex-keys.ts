import { OCTETS_PER_ROW } from './hex-runs';

/** What of a key event matters here. */
export interface KeyStroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * Where a key takes the cursor among `total` octets; undefined for keys that are not its own. The first key only shows
 * the cursor, where it is.
 * @param started the cursor is shown
 * @param page rows that fit into sight
 */
export function cursorTarget(
  { key, ctrlKey, metaKey, altKey }: KeyStroke,
  cursor: number,
  started: boolean,
  total: number,
  page: number,
): number | undefined {
  if (altKey || total === 0) return undefined;
  const whole = ctrlKey || metaKey;
  const rowStart = cursor - (cursor % OCTETS_PER_ROW);
  const target = ((): number | undefined => {
    switch (key) {
      case 'Home':
        return whole ? 0 : rowStart;
      case 'End':
        return whole ? total - 1 : rowStart + OCTETS_PER_ROW - 1;
      case 'ArrowRight':
        return cursor + 1;
      case 'ArrowLeft':
        return cursor - 1;
      case 'ArrowDown':
        return cursor + OCTETS_PER_ROW;
      case 'ArrowUp':
        return cursor - OCTETS_PER_ROW;
      case 'PageDown':
        return cursor + page * OCTETS_PER_ROW;
      case 'PageUp':
        return cursor - page * OCTETS_PER_ROW;
      default:
        return undefined;
    }
  })();
  if (target === undefined || (whole && key !== 'Home' && key !== 'End')) return undefined;
  if (!started && key.startsWith('Arrow')) return cursor;
  // Up and down keep their column, at the ends too.
  if (target < 0) return key === 'ArrowLeft' ? 0 : cursor % OCTETS_PER_ROW;
  if (target >= total) return key === 'ArrowDown' ? cursor : total - 1;
  return target;
}
