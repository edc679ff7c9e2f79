import './start.css';
import { Play } from 'lucide-react';
import { sentence } from '../capture-bar/way-out';
import { useApp } from '../state/app-store';
import { runCommand } from '../state/commands';
import { useRefusal } from '../state/refusals';
import { Examples } from './Examples';
import { OpenFile } from './OpenFile';
import { PointClients } from './PointClients';
import { RecentList } from './RecentList';

/** The first minute: what this is, the one thing to do next, and the ways on. */
export function StartPage() {
  const session = useApp((app) => app.state.session);
  if (session.kind === 'opening') {
    return (
      <main className="start-opening" aria-busy>
        <p className="muted">Opening {session.name}…</p>
      </main>
    );
  }
  return (
    <main className="start">
      <div className="start-page">
        <section className="start-first">
          <h2 className="start-title">See every frame of your gRPC traffic</h2>
          <p className="muted">
            Penstock stands between a client and its server, hands every octet on, and shows what they say: frames,
            calls, and the windows that hold them up.
          </p>
          <div className="start-actions">
            <button type="button" className="button primary start-demo" onClick={() => runCommand('demo')}>
              <Play size={13} fill="currentColor" aria-hidden /> Run the demo
            </button>
            <span className="muted small">Real gRPC calls through a real tap, at a round trip of 20 ms.</span>
          </div>
        </section>
        <section className="start-section" aria-labelledby="start-open">
          <h2 id="start-open">A capture file</h2>
          <OpenFile />
          <Refused />
          <p className="muted small">
            pcapng or pcap, gzip-compressed or not, from Penstock, Wireshark or tcpdump. Or drop one anywhere on this
            window.
          </p>
        </section>
        <RecentList />
        <Examples />
        <PointClients />
      </div>
    </main>
  );
}

/** What was refused and is about no field of the capture bar: here, that is a file, or the demo. */
function Refused() {
  const refusal = useRefusal((state) => (state.refusal?.field === null ? state.refusal : null));
  if (refusal === null) return null;
  return (
    <p className="start-refused" role="alert">
      {sentence(refusal.message)}
    </p>
  );
}
