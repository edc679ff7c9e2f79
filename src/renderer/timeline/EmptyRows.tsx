import { useApp } from '../state/app-store';
import { applyFilter } from '../state/filter';
import { useView } from '../state/view-store';

/** Why there are no rows, and the one thing to do next. */
export function EmptyRows() {
  const session = useApp((app) => app.state.session);
  const total = useApp((app) => app.progress?.frames ?? 0);
  const reading = useApp((app) => app.progress === null || app.progress.state === 'reading');
  const filtered = useView((state) => state.filterView !== null);
  if (filtered && total > 0) {
    return (
      <div className="rows-empty">
        <p>No frame passes this filter.</p>
        <button type="button" className="button" onClick={() => void applyFilter('')}>
          Show all frames
        </button>
      </div>
    );
  }
  if (session.kind === 'capturing') {
    return (
      <div className="rows-empty">
        <p>
          Listening on <span className="wire">{session.listening}</span>, forwarding to{' '}
          <span className="wire">{session.settings.upstream}</span>.
        </p>
        <p>Point a client at the first address: its frames appear here as they pass.</p>
      </div>
    );
  }
  return <div className="rows-empty">{reading ? 'Reading the capture…' : 'This capture holds no TCP connection.'}</div>;
}
