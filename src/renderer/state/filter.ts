import { services } from './app-store';
import { useView } from './view-store';

/** Counts requests: an answer that comes late must not replace a newer one. */
let latest = 0;

/** Puts a filter in force; a wrong one is shown, and the one before stays. */
export async function applyFilter(text: string): Promise<void> {
  const request = ++latest;
  useView.setState({ filterText: text });
  const { filterView } = useView.getState();
  if (text.trim() === '') {
    useView.setState({ filterView: null, filterFault: null });
    if (filterView !== null) await services().api.dropView(filterView);
    return;
  }
  const answer = await services().api.setFilter(text, filterView ?? undefined);
  if (request !== latest) {
    if ('view' in answer) await services().api.dropView(answer.view);
    return;
  }
  if ('view' in answer) useView.setState({ filterView: answer.view, filterFault: null });
  else useView.setState({ filterFault: answer.error });
}
