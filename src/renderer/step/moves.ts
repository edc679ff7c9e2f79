import type { StepBy } from '../../shared/step';
import { services } from '../state/app-store';
import { outcome } from '../state/commands';
import { select, useView } from '../state/view-store';

/** The frame whose step is shown: the one that is selected, or the capture's first. */
export function stepFrame(selected: number | null): number {
  return selected ?? 1;
}

/** Keys may come quicker than answers: each step starts from where the one before has led. */
let turn: Promise<unknown> = Promise.resolve();

/** Selects the frame that a step leads to; at the end there is nowhere to go. */
export function goStep(by: StepBy, direction: 1 | -1): void {
  const gone = turn.then(async () => {
    const to = await services().api.stepTo(stepFrame(useView.getState().selected), by, direction);
    if (to === null) return;
    useView.setState({ follow: false });
    select(to);
  });
  turn = gone.catch(() => undefined);
  outcome(gone.then(() => ({ ok: true, value: null })));
}

/** What matters of a KeyboardEvent. */
export interface StepPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * Arrows to the left and to the right: alone by frame, with Shift by chunk, with the command key by call, with both to
 * what is of note.
 * @param mac the command key is ⌘ and not Ctrl
 */
export function stepOfKey(press: StepPress, mac: boolean): { by: StepBy; direction: 1 | -1 } | undefined {
  const { key, shiftKey, altKey } = press;
  const mod = mac ? press.metaKey : press.ctrlKey;
  if (altKey || (mac ? press.ctrlKey : press.metaKey)) return undefined;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const direction = key === 'ArrowRight' ? 1 : -1;
  if (mod) return { by: shiftKey ? 'interesting' : 'call', direction };
  return { by: shiftKey ? 'chunk' : 'frame', direction };
}
