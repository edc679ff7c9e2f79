import { X } from 'lucide-react';
import { services, useApp } from '../state/app-store';
import { isUpstreamTrouble, sentence, UPSTREAM_WAY_OUT } from './way-out';

/** Under the bar, and over nothing: a running tap cannot reach its server, and rows may still be looked at. */
export function UpstreamTrouble() {
  const capturing = useApp((app) => app.state.session.kind === 'capturing');
  const trouble = useApp((app) => app.state.notices.find(isUpstreamTrouble));
  if (!capturing || trouble === undefined) return null;
  return (
    <div className="upstream-trouble" role="alert" id="upstream-fault">
      <p>
        <strong>{sentence(trouble.message)}</strong> {UPSTREAM_WAY_OUT}
      </p>
      <button
        type="button"
        className="button quiet bar-icon"
        aria-label="Dismiss"
        onClick={() => void services().api.dismissNotice(trouble.id)}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
