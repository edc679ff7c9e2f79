import './timeline.css';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { DetailPane } from '../detail/DetailPane';
import { rememberedLayout, rememberLayout } from '../state/layout';
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
