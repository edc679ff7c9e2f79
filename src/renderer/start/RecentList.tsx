import { X } from 'lucide-react';
import type { RecentSession } from '../../shared/app';
import { services, useApp } from '../state/app-store';
import { outcome } from '../state/commands';
import { byKind, factsText } from './recent';

/** Sessions to go on with: those that nobody saved first, so that nothing is lost by a crash. */
export function RecentList() {
  const recent = useApp((app) => app.state.recent);
  const { left, opened } = byKind(recent);
  const now = Date.now();
  return (
    <>
      {left.length === 0 ? null : (
        <section className="start-section" aria-labelledby="start-left">
          <h2 id="start-left">Not saved</h2>
          <p className="muted small">Left by a crash, or closed without being saved: open or discard them.</p>
          <ul className="recent">
            {left.map((session) => (
              <Recent key={session.id} session={session} now={now} />
            ))}
          </ul>
        </section>
      )}
      {opened.length === 0 ? null : (
        <section className="start-section" aria-labelledby="start-recent">
          <h2 id="start-recent">Recent</h2>
          <ul className="recent">
            {opened.map((session) => (
              <Recent key={session.id} session={session} now={now} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Recent({ session, now }: { session: RecentSession; now: number }) {
  const { id, name, folder, recovered } = session;
  const open = () => outcome(services().api.openRecent(id));
  const forget = () => outcome(services().api.forgetRecent(id));
  return (
    <li className="recent-item" data-recovered={recovered || undefined}>
      <button type="button" className="recent-open" onClick={open}>
        <span className="recent-name">{name}</span>
        <span className="recent-folder muted small">{folder}</span>
        <span className="recent-facts muted small">{factsText(session, now)}</span>
      </button>
      {recovered ? (
        <>
          <button type="button" className="button" onClick={open} aria-label={`Open ${name}`}>
            Open
          </button>
          <button type="button" className="button" onClick={forget} aria-label={`Discard ${name}`}>
            Discard
          </button>
        </>
      ) : (
        <button
          type="button"
          className="button quiet bar-icon"
          onClick={forget}
          aria-label={`Forget ${name}`}
          title="Take it off this list; the file stays"
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </li>
  );
}
