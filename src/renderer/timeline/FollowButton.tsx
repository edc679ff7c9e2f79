import { ArrowDownToLine } from 'lucide-react';
import { useApp } from '../state/app-store';
import { useView } from '../state/view-store';

/** Shown while new frames come and the rows stand still. */
export function FollowButton() {
  const follow = useView((state) => state.follow);
  const capturing = useApp((app) => app.state.session.kind === 'capturing');
  if (follow || !capturing) return null;
  return (
    <button
      type="button"
      className="button"
      title="Go on showing the newest frames (End)"
      onClick={() => useView.setState({ follow: true, paused: false })}
    >
      <ArrowDownToLine size={14} aria-hidden /> Follow
    </button>
  );
}
