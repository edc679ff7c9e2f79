import './step.css';
import { type ReactNode, useEffect } from 'react';
import type { StepState } from '../../shared/step';
import { Sentence } from '../detail/FrameLink';
import { services, useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { secondsText } from '../timeline/format';
import { Gauges } from './Gauges';
import { Guide } from './Guide';
import { HeaderTables } from './HeaderTables';
import { goStep, stepFrame, stepOfKey } from './moves';
import { OpenPings } from './OpenPings';
import { Settings } from './Settings';
import { StateDiagram } from './StateDiagram';
import { StepBar } from './StepBar';
import { Streams } from './Streams';
import { useStep } from './use-step';

/** One connection, frame by frame: what each does, and the state that it leaves. */
export function StepView() {
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const reading = useApp((app) => app.progress === null || app.progress.state === 'reading');
  const selected = useView((view) => view.selected);
  const { state, busy, failure } = useStep(stepFrame(selected));
  useArrows();
  if (frames === 0) {
    return (
      <div className="rows-empty">
        <p>{reading ? 'Reading the capture…' : 'Nothing to step through yet.'}</p>
        <p>Each frame stands here with the state that it leaves: point a client at the tap, or open a capture.</p>
      </div>
    );
  }
  return (
    <div className="step" aria-busy={busy} data-step={state?.frame.n}>
      <div>
        <StepBar state={state} />
        <Guide />
        {failure === null ? null : (
          <p className="step-failure" role="alert">
            {failure}
          </p>
        )}
      </div>
      {state === null ? (
        <p className="step-waiting muted">Working out the state at this frame…</p>
      ) : (
        <>
          <Words state={state} />
          <div className="step-panes">
            <Pane label="Streams">
              <StateDiagram change={state.stream} />
              <Streams state={state} />
            </Pane>
            <Pane label="Windows and settings">
              <Gauges state={state} />
              <OpenPings state={state} />
              <Settings state={state} />
            </Pane>
            <Pane label="Header tables">
              <HeaderTables tables={state.tables} />
            </Pane>
          </div>
        </>
      )}
    </div>
  );
}

/** It scrolls, so that keys must reach it. */
function Pane({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
    <section className="step-pane" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

function Words({ state }: { state: StepState }) {
  const { frame, words, meanwhile } = state;
  const { faults = [] } = frame;
  return (
    <section className="step-words" aria-live="polite" aria-label="This step">
      <h2>
        <span className={`wire type-${frame.type}`}>{frame.type}</span>
        {frame.stream === 0 ? null : <span> on stream {frame.stream}</span>}
        <span className="muted">
          {' '}
          {frame.dir === 'toServer' ? 'to the server' : 'to the client'} at {secondsText(frame.t)} s
        </span>
      </h2>
      {frame.info === '' ? null : <p className="muted">{frame.info}</p>}
      {words.length === 0 ? <p>Changes nothing of what is shown below.</p> : null}
      {words.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences never change places
        <Sentence key={i} text={text} />
      ))}
      {faults.map(({ code, clause, message }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: faults never change places
        <p key={i} className="step-fault">
          {code}: {message} <span className="muted">{clause}</span>
        </p>
      ))}
      {meanwhile.length === 0 ? null : (
        <div className="step-meanwhile">
          <span className="muted">Before it, since the frame before:</span>
          {meanwhile.map((text, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences never change places
            <Sentence key={i} text={text} />
          ))}
        </div>
      )}
      {state.relative || state.lost ? (
        <p className="step-unsure">
          {state.relative
            ? 'The connection was joined in the middle: windows count from 0, and what was agreed before is not known. '
            : ''}
          {state.lost ? 'Octets were lost before this frame: streams and settings may have changed in them.' : ''}
        </p>
      ) : null}
    </section>
  );
}

/** Arrows step wherever the focus is, but for what takes text and for dialogs. */
function useArrows(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || useView.getState().dialog !== null) return;
      if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
      const step = stepOfKey(event, services().platform.facts.os === 'darwin');
      if (step === undefined) return;
      event.preventDefault();
      goStep(step.by, step.direction);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
