import { useEffect, useRef, useState } from 'react';
import { useApp } from '../state/app-store';
import { Refresher } from './refresher';

/**
 * What the engine answers, asked for anew as the capture goes on; the old answer stands until the new one has come.
 * @param key the question: another one is asked at once. Null asks nothing
 * @param of answers of another subject are no answers: null until the first has come
 */
export function useAnswer<T>(key: string | null, of: string, ask: () => Promise<T>): T | null {
  const [answer, setAnswer] = useState<{ of: string; value: T } | null>(null);
  const progress = useApp((app) => app.progress);
  const refresher = useRef<Refresher<T> | null>(null);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) return;
    const own = new Refresher<T>(
      () => latest.current(),
      (value) => setAnswer({ of, value }),
    );
    refresher.current = own;
    own.touch();
    return () => own.end();
  }, [key, of]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: progress is a reason to ask again
  useEffect(() => refresher.current?.touch(), [progress]);
  return key !== null && answer?.of === of ? answer.value : null;
}
