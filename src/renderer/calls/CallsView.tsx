import './calls.css';
import { useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type { CallOrder } from '../../shared/contract';
import { usePages } from '../rows/use-pages';
import { services, sessionKey, useApp } from '../state/app-store';
import { rememberedLayout, rememberLayout } from '../state/layout';
import { useView } from '../state/view-store';
import { CallDetailPane } from './CallDetailPane';
import { CallList } from './CallList';

export interface CallSort {
  order: CallOrder;
  descending: boolean;
}

/** Every call: its method, what came of it, how long it took and with what; errors stand out. */
export function CallsView() {
  const key = useApp((app) => sessionKey(app.state));
  const [sort, setSort] = useState<CallSort>({ order: 'start', descending: false });
  const [method, setMethod] = useState('');
  const calls = usePages(`${key} ${sort.order} ${sort.descending} ${method}`, (from, count) =>
    services().api.calls({ from, count, ...sort, ...(method !== '' && { method }) }),
  );
  const chosen = useView((state) => state.call);
  return (
    <div className="calls">
      <search className="filter-bar" id="pane-filter">
        <label htmlFor="call-filter">Method</label>
        <input
          id="call-filter"
          className="field wire filter-input"
          value={method}
          placeholder="part of a method's name"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setMethod(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setMethod('');
            if (event.key === 'ArrowDown') document.getElementById('pane-rows')?.focus();
          }}
        />
        <span className="calls-legend">
          <span>
            <i style={{ background: 'var(--headers)' }} />
            sending
          </span>
          <span>
            <i style={{ background: 'var(--muted)', height: 2 }} />
            waiting
          </span>
          <span>
            <i style={{ background: 'var(--data)' }} />
            receiving
          </span>
        </span>
      </search>
      <Group
        orientation="vertical"
        className="timeline-panels"
        defaultLayout={rememberedLayout('calls')}
        onLayoutChanged={(layout) => rememberLayout('calls', layout)}
      >
        <Panel id="calls" minSize={120} defaultSize="60%">
          <CallList calls={calls} sort={sort} onSort={setSort} filtered={method !== ''} />
        </Panel>
        <Separator className="separator horizontal" aria-label="Height of the list" />
        <Panel id="call" minSize={90}>
          <CallDetailPane call={chosen} />
        </Panel>
      </Group>
    </div>
  );
}
