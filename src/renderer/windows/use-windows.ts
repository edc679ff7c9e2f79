import { useEffect, useRef, useState } from 'react';
import type { WindowsQuery } from '../../shared/contract';
import type { WindowsAnswer } from '../../shared/series';
import { services, useApp } from '../state/app-store';

const REFRESH_MS = 500;

/** The windows of a query, asked for anew as the capture goes on; the old ones stand until the new have come. */
export function useWindows(query: WindowsQuery | null): WindowsAnswer | null {
  const [answer, setAnswer] = useState<{ key: string; answer: WindowsAnswer } | null>(null);
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const lastTime = useApp((app) => app.progress?.lastTime ?? 0);
  const last = useRef(0);
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the query; more frames are a reason to ask again
  useEffect(() => {
    if (query === null) return;
    let current = true;
    const wait = answer?.key === key ? Math.max(0, last.current + REFRESH_MS - performance.now()) : 0;
    const timer = setTimeout(() => {
      last.current = performance.now();
      services()
        .api.windows(query)
        .then(
          (given) => current && setAnswer({ key, answer: given }),
          () => undefined,
        );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, frames, lastTime]);
  return answer?.answer ?? null;
}
