import { useApp } from '../state/app-store';
import { startOrStop } from '../state/commands';

export function StartStop() {
  const kind = useApp((app) => app.state.session.kind);
  const capturing = kind === 'capturing';
  return (
    <button
      type="button"
      className={`button start-stop ${capturing ? 'danger' : ''}`}
      disabled={kind === 'stopping' || kind === 'opening'}
      title={capturing ? 'Stop capturing and forwarding' : 'Listen, forward to the upstream, and capture'}
      onClick={startOrStop}
    >
      <span className="start-stop-dot" aria-hidden />
      {capturing || kind === 'stopping' ? 'Stop' : 'Start'}
    </button>
  );
}
