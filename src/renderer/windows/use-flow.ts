import { useEffect, useRef, useState } from 'react';
import type { FlowAnswer, FlowQuery } from '../../shared/flow';
import { services, useApp } from '../state/app-store';

/** Whole connections are looked at for an answer: not more often than that while a capture goes on. */
const REFRESH_MS = 1000;

/** Stalls, marks, rates and limits of a query, asked for anew as the capture goes on; the old stand until the new come. */
export function useFlow(query: FlowQuery | null): FlowAnswer | null {
  const [answer, setAnswer] = useState<{ key: string; of: string; answer: FlowAnswer } | null>(null);
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const lastTime = useApp((app) => app.progress?.lastTime ?? 0);
  const last = useRef(0);
  const key = JSON.stringify(query);
  const of = `${query?.conn} ${query?.dir}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the query; more frames are a reason to ask again
  useEffect(() => {
    if (query === null) return;
    let current = true;
    const wait = answer?.key === key ? Math.max(0, last.current + REFRESH_MS - performance.now()) : 0;
    const timer = setTimeout(() => {
      last.current = performance.now();
      services()
        .api.flow(query)
        .then(
          (given) => current && setAnswer({ key, of, answer: given }),
          () => undefined,
        );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, frames, lastTime]);
  // Another connection's, or another direction's, is no answer to this.
  return answer?.of === of ? answer.answer : null;
}
