import './status-bar.css';
import { isUnsaved, useApp } from '../state/app-store';
import { runCommand } from '../state/commands';
import { useView } from '../state/view-store';
import { FaultsButton } from './FaultsButton';
import { JobList } from './JobList';
import { Notices } from './Notices';
import { readingRemark, sizeText } from './status';
import { Troubles } from './Troubles';

/** The session's file, what is being done with it, and what is wrong. */
export function StatusBar() {
  return (
    <footer className="status-bar">
      <FileName />
      <Reading />
      <JobList />
      <Notices />
      <span className="status-wrong">
        <Troubles />
        <FaultsButton />
      </span>
    </footer>
  );
}

function FileName() {
  const session = useApp((app) => app.state.session);
  const unsaved = useApp((app) => isUnsaved(app.state));
  const size = useApp((app) => sizeText(app.state.session, app.progress));
  if (session.kind === 'none' || session.kind === 'opening') {
    return <span className="muted">No session</span>;
  }
  return (
    <>
      <span className="status-file wire" title={session.file}>
        {session.name}
      </span>
      {unsaved ? (
        <button
          type="button"
          className="status-button"
          title="Save the session: it is kept in Penstock's own folder until then"
          onClick={() => runCommand('save-as')}
        >
          not saved
        </button>
      ) : null}
      {size === '' ? null : <span className="status-size">{size}</span>}
    </>
  );
}

function Reading() {
  const session = useApp((app) => app.state.session);
  const engine = useApp((app) => app.progress);
  const follow = useView((state) => state.follow);
  const paused = useView((state) => state.paused);
  const remark = readingRemark(session, engine, { follow, paused });
  if (remark === null) return null;
  return (
    <span role="status" className={`status-remark ${remark.severity}`} title={remark.text}>
      {remark.text}
    </span>
  );
}
