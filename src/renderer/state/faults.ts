import { services } from './app-store';
import { outcome } from './commands';
import { showFrame } from './go';
import { useView } from './view-store';

/**
 * Where the fault to go to stands in the list of frames with faults; undefined in an empty one. Behind the last comes
 * the first.
 * @param position of the first of them that is not before the selected frame
 * @param onFault the selected frame is the one at `position`
 */
export function nextPosition(position: number, total: number, onFault: boolean, step: 1 | -1): number | undefined {
  if (total === 0) return undefined;
  const next = step === 1 ? position + (onFault ? 1 : 0) : position - 1;
  return (next + total) % total;
}

/** Keys may come quicker than answers: each step starts from where the one before has led. */
let turn: Promise<unknown> = Promise.resolve();

/** Selects the next frame with a fault, or the one before, wherever the filter in force stands. */
export function goToFault(step: 1 | -1): void {
  const found = turn.then(() => find(step));
  turn = found.catch(() => undefined);
  outcome(found.then(() => ({ ok: true, value: null })));
}

async function find(step: 1 | -1): Promise<void> {
  const { api } = services();
  const answer = await api.setFilter('fault');
  if ('error' in answer) throw new Error(answer.error.message);
  const { view } = answer;
  try {
    const { total } = await api.frames({ from: 0, count: 0, view, settled: true });
    const selected = useView.getState().selected ?? 0;
    const position = await api.positionOf(selected, view);
    const at = await api.frames({ from: position, count: 1, view });
    const next = nextPosition(position, total, at.items[0]?.n === selected, step);
    if (next === undefined) return;
    const { items } = await api.frames({ from: next, count: 1, view });
    if (items[0] !== undefined) await showFrame(items[0].n);
  } finally {
    await api.dropView(view);
  }
}
