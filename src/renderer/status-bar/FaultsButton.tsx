import { TriangleAlert } from 'lucide-react';
import { hasSession, useApp } from '../state/app-store';
import { goToFault } from '../state/faults';
import { faultsText } from './status';

/** Faults of peers, counted; pressing it walks through their frames. */
export function FaultsButton() {
  const session = useApp((app) => hasSession(app.state));
  const count = useApp((app) => app.progress?.faults ?? 0);
  if (!session) return null;
  if (count === 0) return <span className="muted">{faultsText(0)}</span>;
  return (
    <button
      type="button"
      className="status-button error"
      title="Next frame with a fault (F8; Shift+F8: the one before)"
      onClick={(event) => goToFault(event.shiftKey ? -1 : 1)}
    >
      <TriangleAlert size={12} aria-hidden /> {faultsText(count)}
    </button>
  );
}
