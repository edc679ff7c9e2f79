import { useMemo, useSyncExternalStore } from 'react';
import type { FrameRecord } from '../../shared/records';
import { services, sessionKey, useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { PAGE, PageCache } from './page-cache';

export interface FrameRows {
  /** Rows that pass the filter in force; while the display is paused, as many as there were then. */
  count: number;
  /** The frame at a position, from 0; undefined until it has come. */
  get(position: number): FrameRecord | undefined;
  /** Frames that the filter has looked at, of all there are. */
  evaluated: number;
  total: number;
}

let version = 0;
const listeners = new Set<() => void>();

let scheduled = false;

/** Pages and progress come in no step with the screen: what comes between two of its frames is drawn once. */
function changed(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    version++;
    for (const listener of listeners) listener();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let cache = makeCache(null);
let cacheKey = '';
let revision = 0;
let pausedCount: number | null = null;
/** Behind the last row that has come of this cache; 0 before any has. */
let reached = 0;

function makeCache(view: number | null): PageCache<FrameRecord> {
  reached = 0;
  return new PageCache(async (from, count) => {
    const answer = await services().api.frames({ from, count, ...(view !== null && { view }) });
    reached = Math.max(reached, from + answer.items.length);
    return answer;
  }, changed);
}

/**
 * Rows that are shown of those there are. Where the newest are followed they are shown once they have come: to make
 * room for them first would draw everything twice.
 */
function shownCount(live: number): number {
  if (pausedCount !== null) return pausedCount;
  return isFollowing() && reached > 0 ? Math.min(live, reached) : live;
}

function isFollowing(): boolean {
  return useView.getState().follow && useApp.getState().state.session.kind === 'capturing';
}

/** Brings the cache to what is now shown. */
function refresh(): void {
  const { state, progress } = useApp.getState();
  const { filterView, paused } = useView.getState();
  const key = `${sessionKey(state)} ${filterView}`;
  if (key !== cacheKey) {
    cacheKey = key;
    cache = makeCache(filterView);
    pausedCount = null;
  }
  if (progress === null) return;
  const view = progress.views.find((each) => each.view === filterView);
  if (view !== undefined && view.revision !== revision) {
    revision = view.revision;
    cache.invalidate(0);
  }
  // Positions of a filter's rows are not their numbers: there, what has changed may stand anywhere.
  if (progress.changedFrom !== null) cache.invalidate(filterView === null ? progress.changedFrom - 1 : 0);
  const live = view?.count ?? progress.frames;
  pausedCount = paused ? (pausedCount ?? live) : null;
  if (isFollowing() && !paused && live > 0) {
    cache.get(Math.max(0, live - PAGE));
    cache.get(live - 1);
  }
  changed();
}

useApp.subscribe(refresh);
useView.subscribe((now, before) => {
  const differs = now.filterView !== before.filterView || now.paused !== before.paused || now.follow !== before.follow;
  if (differs) refresh();
});

/** The rows of the timeline, as they stand now. */
export function useFrameRows(): FrameRows {
  const now = useSyncExternalStore(subscribe, () => version);
  const filterView = useView((state) => state.filterView);
  const progress = useApp((state) => state.progress);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` stands for what the cache holds
  return useMemo(() => {
    const total = progress?.frames ?? 0;
    const view = progress?.views.find((each) => each.view === filterView);
    const live = filterView === null ? total : (view?.count ?? 0);
    return {
      count: shownCount(live),
      evaluated: filterView === null ? total : (view?.evaluated ?? 0),
      total,
      get: (position: number) => cache.get(position),
    };
  }, [now, filterView, progress]);
}
