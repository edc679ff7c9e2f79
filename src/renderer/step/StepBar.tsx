import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { StepBy, StepState } from '../../shared/step';
import { keyText } from '../app/shortcut-match';
import { services } from '../state/app-store';
import { outcome } from '../state/commands';
import { showFrame } from '../state/go';
import { grouped } from '../timeline/format';
import { goStep } from './moves';

const MOVES: readonly { by: StepBy; label: string; words: [string, string]; shift?: boolean; mod?: boolean }[] = [
  { by: 'frame', label: 'Frame', words: ['Frame before', 'Next frame'] },
  { by: 'chunk', label: 'Chunk', words: ['End of the chunk before', 'End of the next chunk'], shift: true },
  { by: 'call', label: 'Call', words: ['Call before', 'Next call'], mod: true },
  {
    by: 'interesting',
    label: 'Of note',
    words: [
      'Thing of note before',
      'Next thing of note: a fault, a reset, GOAWAY, a failed call, a window without credit',
    ],
    shift: true,
    mod: true,
  },
];

/** Ways to step, and where the step stands. */
export function StepBar({ state }: { state: StepState | null }) {
  const mac = services().platform.facts.os === 'darwin';
  return (
    <div className="step-bar" role="toolbar" aria-label="Steps">
      {MOVES.map(({ by, label, words, shift = false, mod = false }) => (
        <span key={by} className="step-move" role="group" aria-label={label}>
          {([-1, 1] as const).map((direction) => {
            const name = words[direction === 1 ? 1 : 0];
            const key = keyText({ key: direction === 1 ? 'ArrowRight' : 'ArrowLeft', shift, mod }, mac);
            return (
              <button
                key={direction}
                type="button"
                className="step-button"
                aria-label={name}
                title={`${name} (${key})`}
                data-by={by}
                data-direction={direction}
                onClick={() => goStep(by, direction)}
              >
                {direction === -1 ? <ChevronLeft size={14} aria-hidden /> : null}
                {direction === -1 ? label : null}
                {direction === 1 ? <ChevronRight size={14} aria-hidden /> : null}
              </button>
            );
          })}
        </span>
      ))}
      <span className="spacer" />
      {state === null ? null : (
        <>
          <span className="muted">
            Frame <b className="wire">{grouped(state.frame.n)}</b> · {grouped(state.position)} of {grouped(state.count)}{' '}
            on connection {state.frame.conn}
          </span>
          <button
            type="button"
            className="button quiet"
            onClick={() => outcome(showFrame(state.frame.n).then(() => ({ ok: true, value: null })))}
          >
            Show on the timeline
          </button>
        </>
      )}
    </div>
  );
}
