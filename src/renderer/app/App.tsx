import './app.css';
import { AccountsView } from '../accounts/AccountsView';
import { CallsView } from '../calls/CallsView';
import { CaptureBar } from '../capture-bar/CaptureBar';
import { UpstreamTrouble } from '../capture-bar/UpstreamTrouble';
import { ConcurrencyView } from '../concurrency/ConcurrencyView';
import { Dialogs } from '../dialogs/Dialogs';
import { FindingsView } from '../findings/FindingsView';
import { RoundsView } from '../rounds/RoundsView';
import { StartPage } from '../start/StartPage';
import { hasSession, isUnsaved, useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { StatusBar } from '../status-bar/StatusBar';
import { StepView } from '../step/StepView';
import { TimelineView } from '../timeline/TimelineView';
import { WindowsView } from '../windows/WindowsView';
import { Broken } from './Broken';
import { DropTarget } from './DropTarget';
import { useShortcuts } from './shortcuts';
import { ViewRail } from './ViewRail';

const VIEWS = {
  timeline: TimelineView,
  calls: CallsView,
  windows: WindowsView,
  rounds: RoundsView,
  accounts: AccountsView,
  concurrency: ConcurrencyView,
  step: StepView,
  findings: FindingsView,
};

export function App() {
  const connection = useApp((app) => app.connection);
  const session = useApp((app) => hasSession(app.state));
  const kind = useApp((app) => app.state.session.kind);
  const unsaved = useApp((app) => isUnsaved(app.state));
  const engine = useApp((app) => app.progress?.state);
  const view = useView((state) => state.view);
  useShortcuts();
  if (connection === 'closed') {
    return (
      <Broken
        title="Penstock has ended"
        message="Start it again to go on. A capture that ran is kept, and offered at the start."
      />
    );
  }
  const View = VIEWS[view];
  return (
    <DropTarget>
      <div
        className="app"
        data-session={kind}
        data-view={session ? view : 'start'}
        data-engine={engine}
        data-unsaved={unsaved || undefined}
      >
        <CaptureBar />
        <UpstreamTrouble />
        {session ? (
          <div className="app-body">
            <ViewRail />
            <main className="app-view">
              <View />
            </main>
          </div>
        ) : (
          <StartPage />
        )}
        <StatusBar />
        <Dialogs />
      </div>
    </DropTarget>
  );
}
