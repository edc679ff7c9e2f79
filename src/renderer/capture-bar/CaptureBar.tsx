import './capture-bar.css';
import { Pause, Play } from 'lucide-react';
import { useEffect } from 'react';
import { useApp } from '../state/app-store';
import { togglePause, useView } from '../state/view-store';
import { Addresses } from './Addresses';
import { Figures } from './Figures';
import { RateControl } from './RateControl';
import { RttControl } from './RttControl';
import { StartStop } from './StartStop';

/** What is captured and how it is delayed, in one row; what it comes to, on the right. */
export function CaptureBar() {
  return (
    <header className="capture-bar">
      <h1 className="bar-name">Penstock</h1>
      <StartStop />
      <Addresses />
      <RttControl />
      <RateControl />
      <PauseButton />
      <Figures />
    </header>
  );
}

/** Of the display alone: neither forwarding nor capturing ever waits for it. */
function PauseButton() {
  const capturing = useApp((app) => app.state.session.kind === 'capturing');
  const paused = useView((state) => state.paused);
  // Nothing new comes any more: what has come is to be seen.
  useEffect(() => {
    if (!capturing) useView.setState({ paused: false });
  }, [capturing]);
  if (!capturing) return null;
  const Icon = paused ? Play : Pause;
  const words = paused ? 'Go on showing new frames' : 'Pause the display; capturing and forwarding go on';
  return (
    <button
      type="button"
      className="button bar-icon"
      aria-label="Pause the display"
      aria-pressed={paused}
      title={`${words} (F9)`}
      onClick={togglePause}
    >
      <Icon size={13} fill="currentColor" strokeWidth={1} aria-hidden />
    </button>
  );
}
