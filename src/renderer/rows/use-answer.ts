import { useEffect, useRef, useState } from 'react';
import { useApp } from '../state/app-store';

/** Whole captures are gone through for an answer: not more often than that while one grows. */
const REFRESH_MS = 1000;

/**
 * What the engine answers, asked for anew as the capture goes on; the old answer stands until the new one has come.
 * @param key the question: another one is asked at once. Null asks nothing
 * @param of answers of another subject are no answers: null until the first has come
 */
export function useAnswer<T>(key: string | null, of: string, ask: () => Promise<T>): T | null {
  const [answer, setAnswer] = useState<{ key: string; of: string; value: T } | null>(null);
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const lastTime = useApp((app) => app.progress?.lastTime ?? 0);
  const last = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more frames are a reason to ask again
  useEffect(() => {
    if (key === null) return;
    let current = true;
    const wait = answer?.key === key ? Math.max(0, last.current + REFRESH_MS - performance.now()) : 0;
    const timer = setTimeout(() => {
      last.current = performance.now();
      latest.current().then(
        (value) => current && setAnswer({ key, of, value }),
        () => undefined,
      );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, of, frames, lastTime]);
  return key !== null && answer?.of === of ? answer.value : null;
}
