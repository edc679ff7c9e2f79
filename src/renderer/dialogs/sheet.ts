import { keyText, type Shortcut } from '../app/shortcut-match';

/** Shortcuts for the sheet: what two keys do stands once, with both. */
export function byWords(shortcuts: readonly Shortcut[], mac: boolean): { words: string; keys: string[] }[] {
  const rows = new Map<string, string[]>();
  for (const shortcut of shortcuts) {
    const key = keyText(shortcut, mac);
    const keys = rows.get(shortcut.words);
    if (keys === undefined) rows.set(shortcut.words, [key]);
    else keys.push(key);
  }
  return [...rows].map(([words, keys]) => ({ words, keys }));
}
