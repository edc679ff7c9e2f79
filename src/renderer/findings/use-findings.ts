import { useEffect, useRef, useState } from 'react';
import type { FindingsAnswer } from '../../shared/contract';
import { services, sessionKey, useApp } from '../state/app-store';

/** While a capture runs: all of it is looked at each time, and the engine shall have most of its time for reading. */
const REFRESH_MS = 2000;
const REST = 10;

/** Null until the first answer has come. What is known stands until the next has. */
export function useFindings(): FindingsAnswer | null {
  const session = useApp((app) => sessionKey(app.state));
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const state = useApp((app) => app.progress?.state);
  const [known, setKnown] = useState<{ session: string; answer: FindingsAnswer } | null>(null);
  const next = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more frames, or the end of them, are a reason to ask again
  useEffect(() => {
    let current = true;
    const wait = state === 'complete' ? 0 : Math.max(0, next.current - performance.now());
    const timer = setTimeout(() => {
      const asked = performance.now();
      next.current = asked + REFRESH_MS;
      services()
        .api.findings()
        .then(
          (answer) => {
            const now = performance.now();
            next.current = now + Math.max(REFRESH_MS, REST * (now - asked));
            if (current) setKnown({ session, answer });
          },
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
