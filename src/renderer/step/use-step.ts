import { useEffect, useRef, useState } from 'react';
import type { StepState } from '../../shared/step';
import { services, sessionKey, useApp } from '../state/app-store';

/** A state is asked for anew as often as this while the capture goes on: what is under way may have arrived. */
const REFRESH_MS = 500;

export interface Step {
  state: StepState | null;
  /** Another one is being worked out. */
  busy: boolean;
  failure: string | null;
}

/** The state at frame `n`; the one before stands until it has come. */
export function useStep(n: number): Step {
  const [step, setStep] = useState<{ key: string; n: number; state: StepState } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const key = useApp((app) => sessionKey(app.state));
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const engine = useApp((app) => app.progress?.state);
  const last = useRef(0);
  const there = n <= frames;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more frames, and the end of reading, are reasons to ask again
  useEffect(() => {
    if (!there) return;
    let current = true;
    const again = step?.key === key && step.n === n;
    const wait = again ? Math.max(0, last.current + REFRESH_MS - performance.now()) : 0;
    const timer = setTimeout(() => {
      last.current = performance.now();
      services()
        .api.step(n)
        .then(
          (state) => {
            if (!current) return;
            setStep({ key, n, state });
            setFailure(null);
          },
          (error: Error) => current && setFailure(error.message),
        );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, n, there, frames, engine]);
  const shown = step?.key === key ? step : null;
  return { state: shown?.state ?? null, busy: there && shown?.n !== n, failure };
}
