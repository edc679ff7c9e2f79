import type { AppCommand } from '../../shared/app';

export interface Shortcut {
  /** As `KeyboardEvent.key` says it. */
  key: string;
  /** With the platform's command key: ⌘ on macOS, Ctrl elsewhere. */
  mod?: boolean;
  shift?: boolean;
  words: string;
  run: AppCommand | (() => void);
  /** Also while an input has the focus. */
  inInputs?: boolean;
}

/** What of a KeyboardEvent matters. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/**
 * The shortcut that was pressed, if it is one.
 * @param mac the command key is ⌘ and not Ctrl
 * @param inInput something that takes text has the focus
 */
export function shortcutOf(
  shortcuts: readonly Shortcut[],
  press: Press,
  mac: boolean,
  inInput: boolean,
): Shortcut | undefined {
  const mod = mac ? press.metaKey : press.ctrlKey;
  // The other of the two is nobody's here: Ctrl+1 on a Mac is not 1.
  if (mac ? press.ctrlKey : press.metaKey) return undefined;
  return shortcuts.find((shortcut) => {
    const { key, mod: wanted = false, shift, inInputs = false } = shortcut;
    if (mod !== wanted || (inInput && !inInputs)) return false;
    // Whether a character needs Shift is the keyboard's matter; for a letter with the command key it never does.
    const free = key.length === 1 && !mod;
    if (!(free && shift === undefined) && press.shiftKey !== (shift ?? false)) return false;
    return key === press.key || (mod && key === press.key.toLowerCase());
  });
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  Escape: 'Esc',
};

/** As it is written for people: `Ctrl+K`, on a Mac `⌘K`. */
export function keyText(
  { key, mod = false, shift = false }: Pick<Shortcut, 'key' | 'mod' | 'shift'>,
  mac: boolean,
): string {
  const name = NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (mac) return `${shift ? '⇧' : ''}${mod ? '⌘' : ''}${name}`;
  return `${mod ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${name}`;
}
