import { useEffect, useRef, useState } from 'react';
import type { FindingsAnswer } from '../../shared/contract';
import { services, sessionKey, useApp } from '../state/app-store';

/** While a capture runs: all of it is looked at each time. */
const REFRESH_MS = 2000;

/** Null until the first answer has come. What is known stands until the next has. */
export function useFindings(): FindingsAnswer | null {
  const session = useApp((app) => sessionKey(app.state));
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const state = useApp((app) => app.progress?.state);
  const [known, setKnown] = useState<{ session: string; answer: FindingsAnswer } | null>(null);
  const last = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more frames, or the end of them, are a reason to ask again
  useEffect(() => {
    let current = true;
    const wait = state === 'complete' ? 0 : Math.max(0, last.current + REFRESH_MS - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      services()
        .api.findings()
        .then(
          (answer) => current && setKnown({ session, answer }),
          () => undefined,
        );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [session, frames, state]);
  return known?.session === session ? known.answer : null;
}
