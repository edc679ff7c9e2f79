import './timeline.css';
import { ArrowDownToLine } from 'lucide-react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { DetailPane } from '../detail/DetailPane';
import { useApp } from '../state/app-store';
import { rememberedLayout, rememberLayout } from '../state/layout';
import { useView } from '../state/view-store';
import { FilterBar } from './FilterBar';
import { OverviewStrip } from './OverviewStrip';
import { Rows } from './Rows';

/** Every frame in order, with the one that is selected taken apart below. */
export function TimelineView() {
  return (
    <div className="timeline">
      <OverviewStrip />
      <FilterBar />
      <Group
        orientation="vertical"
        className="timeline-panels"
        defaultLayout={rememberedLayout('timeline')}
        onLayoutChanged={(layout) => rememberLayout('timeline', layout)}
      >
        <Panel id="rows" minSize={120} defaultSize="56%">
          <div style={{ position: 'relative', height: '100%' }}>
            <Rows />
            <FollowButton />
          </div>
        </Panel>
        <Separator className="separator horizontal" aria-label="Height of the rows" />
        <Panel id="detail" minSize={90}>
          <DetailPane />
        </Panel>
      </Group>
    </div>
  );
}

/** Shown while new frames come and the rows stand still. */
function FollowButton() {
  const follow = useView((state) => state.follow);
  const capturing = useApp((app) => app.state.session.kind === 'capturing');
  if (follow || !capturing) return null;
  return (
    <button
      type="button"
      className="button follow-button"
      onClick={() => useView.setState({ follow: true, paused: false })}
    >
      <ArrowDownToLine size={14} aria-hidden /> Follow
    </button>
  );
}
