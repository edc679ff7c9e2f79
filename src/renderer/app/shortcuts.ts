import { useEffect } from 'react';
import type { AppCommand } from '../../shared/app';
import { services } from '../state/app-store';
import { runCommand } from '../state/commands';
import { focusPane } from '../state/focus';

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

/** Keys that work everywhere; those of a pane are that pane's. */
export const SHORTCUTS: readonly Shortcut[] = [
  { key: 'k', mod: true, words: 'Command palette', run: 'palette', inInputs: true },
  { key: 'o', mod: true, words: 'Open a capture file', run: 'open', inInputs: true },
  { key: 's', mod: true, words: 'Save the session', run: 'save-as', inInputs: true },
  { key: 'e', mod: true, words: 'Export', run: 'export', inInputs: true },
  { key: 'Enter', mod: true, words: 'Start or stop capturing', run: 'start-or-stop', inInputs: true },
  { key: 'f', mod: true, words: 'Filter the frames', run: 'find', inInputs: true },
  { key: '/', words: 'Filter the frames', run: 'find' },
  { key: 'g', mod: true, words: 'Go to a frame', run: 'go-to-frame', inInputs: true },
  { key: 'F6', words: 'Next pane', run: () => focusPane(1), inInputs: true },
  { key: 'F6', shift: true, words: 'Pane before', run: () => focusPane(-1), inInputs: true },
  { key: '1', words: 'Timeline', run: 'view-timeline' },
  { key: '2', words: 'Calls', run: 'view-calls' },
  { key: '3', words: 'Windows', run: 'view-windows' },
  { key: '?', words: 'This sheet', run: 'shortcuts' },
];

export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const mac = services().platform.facts.os === 'darwin';
      const mod = mac ? event.metaKey : event.ctrlKey;
      const inInput = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const shortcut = SHORTCUTS.find(
        ({ key, mod: wanted = false, shift, inInputs = false }) =>
          event.key === key &&
          mod === wanted &&
          (shift === undefined ? key.length === 1 || !event.shiftKey : event.shiftKey === shift) &&
          (inInputs || !inInput),
      );
      if (shortcut === undefined) return;
      event.preventDefault();
      if (typeof shortcut.run === 'function') shortcut.run();
      else runCommand(shortcut.run);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
