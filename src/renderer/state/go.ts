import { services, useApp } from './app-store';
import { applyFilter } from './filter';
import { select, useView } from './view-store';

/** Shows a frame on the timeline; a filter that hides it goes. Numbers beyond the last frame show that one. */
export async function showFrame(wanted: number): Promise<void> {
  const total = useApp.getState().progress?.frames ?? 0;
  if (total === 0) return;
  const n = Math.max(1, Math.min(total, Math.round(wanted)));
  const { filterView } = useView.getState();
  if (filterView !== null && !(await passes(n, filterView))) await applyFilter('');
  useView.setState({ view: 'timeline', follow: false });
  select(n);
}

async function passes(n: number, view: number): Promise<boolean> {
  const { api } = services();
  const from = await api.positionOf(n, view);
  const { items } = await api.frames({ from, count: 1, view });
  return items[0]?.n === n;
}
