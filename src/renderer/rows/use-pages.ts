import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '../state/app-store';
import { type Loaded, PageCache } from './page-cache';

export interface Pages<T> {
  total: number;
  get(position: number): T | undefined;
}

/** Lists that grow, or change under what is shown, are asked for anew so often at most. */
const REFRESH_MS = 400;

/**
 * A long list of the engine's by pages, asked for anew as the capture goes on.
 * @param key tells lists apart: another key is another list
 */
export function usePages<T>(key: string, load: (from: number, count: number) => Promise<Loaded<T>>): Pages<T> {
  const [version, setVersion] = useState(0);
  const [total, setTotal] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list
  const cache = useMemo(
    () =>
      new PageCache<T>(
        async (from, count) => {
          const answer = await loader.current(from, count);
          setTotal(answer.total);
          return answer;
        },
        () => setVersion((now) => now + 1),
      ),
    [key],
  );
  const progress = useApp((app) => app.progress);
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: progress is a reason to ask again
  useEffect(() => {
    const wait = Math.max(0, last.current + REFRESH_MS - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      cache.invalidate(0);
      cache.get(0);
      setVersion((now) => now + 1);
    }, wait);
    return () => clearTimeout(timer);
  }, [cache, progress]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the cache holds
  return useMemo(() => ({ total, get: (position: number) => cache.get(position) }), [cache, total, version]);
}
