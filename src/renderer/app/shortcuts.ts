import { useEffect } from 'react';
import { goInStream } from '../detail/detail-state';
import { services, useApp } from '../state/app-store';
import { runCommand } from '../state/commands';
import { goToFault } from '../state/faults';
import { focusPane } from '../state/focus';
import { togglePause, useView } from '../state/view-store';
import { type Shortcut, shortcutOf } from './shortcut-match';

/** Keys that work everywhere; those of a pane are that pane's. */
export const SHORTCUTS: readonly Shortcut[] = [
  { key: 'k', mod: true, words: 'Command palette', run: 'palette', inInputs: true },
  { key: 'o', mod: true, words: 'Open a capture file', run: 'open', inInputs: true },
  { key: 's', mod: true, words: 'Save the session', run: 'save-as', inInputs: true },
  { key: 'e', mod: true, words: 'Export', run: 'export', inInputs: true },
  { key: 'Enter', mod: true, words: 'Start or stop capturing', run: 'start-or-stop', inInputs: true },
  { key: 'F9', words: 'Pause the display, or go on', run: () => isCapturing() && togglePause(), inInputs: true },
  { key: 'f', mod: true, words: 'Filter the frames', run: 'find', inInputs: true },
  { key: '/', words: 'Filter the frames', run: 'find' },
  { key: 'g', mod: true, words: 'Go to a frame', run: 'go-to-frame', inInputs: true },
  { key: 'n', words: 'Next frame of the stream', run: () => stepInStream(1) },
  { key: 'p', words: 'Frame of the stream before', run: () => stepInStream(-1) },
  { key: 'F8', words: 'Next fault', run: () => goToFault(1), inInputs: true },
  { key: 'F8', shift: true, words: 'Fault before', run: () => goToFault(-1), inInputs: true },
  { key: 'F6', words: 'Next pane', run: () => focusPane(1), inInputs: true },
  { key: 'F6', shift: true, words: 'Pane before', run: () => focusPane(-1), inInputs: true },
  { key: '1', words: 'Timeline', run: 'view-timeline' },
  { key: '2', words: 'Calls', run: 'view-calls' },
  { key: '3', words: 'Windows', run: 'view-windows' },
  { key: '4', words: 'Rounds', run: 'view-rounds' },
  { key: '5', words: 'Accounts', run: 'view-accounts' },
  { key: '6', words: 'Concurrency', run: 'view-concurrency' },
  { key: '7', words: 'Findings', run: 'view-findings' },
  { key: '8', words: 'Step', run: 'view-step' },
  { key: '?', words: 'This sheet', run: 'shortcuts' },
];

/** At the stream's end, or without a frame selected, there is nowhere to go. */
function stepInStream(step: 1 | -1): void {
  goInStream(step).catch(() => undefined);
}

function isCapturing(): boolean {
  return useApp.getState().state.session.kind === 'capturing';
}

export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const mac = services().platform.facts.os === 'darwin';
      const inInput = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      const shortcut = shortcutOf(SHORTCUTS, event, mac, inInput);
      if (shortcut === undefined) return;
      // A key that was taken here never reaches Electron's menu, whose accelerators would do the same again.
      event.preventDefault();
      // A dialog has the keyboard to itself.
      if (useView.getState().dialog !== null) return;
      if (typeof shortcut.run === 'function') shortcut.run();
      else runCommand(shortcut.run);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
