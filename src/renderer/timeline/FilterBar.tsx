import { useEffect, useState } from 'react';
import { useFrameRows } from '../rows/use-frames';
import { useApp } from '../state/app-store';
import { applyFilter } from '../state/filter';
import { useView } from '../state/view-store';
import { ColumnMenu } from './ColumnMenu';
import { FollowButton } from './FollowButton';
import { grouped } from './format';

/** Time after the last key before a filter is tried. */
const PAUSE_MS = 250;

/** The filter of the rows: tried while it is typed, at once with Enter, gone with Escape. */
export function FilterBar() {
  const applied = useView((state) => state.filterText);
  const fault = useView((state) => state.filterFault);
  const filterView = useView((state) => state.filterView);
  const inForce = filterView !== null;
  const passing = useApp((app) => app.progress?.views.find(({ view }) => view === filterView)?.filter);
  const { count, total, evaluated } = useFrameRows();
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  useEffect(() => {
    if (text === applied) return;
    const timer = setTimeout(() => void applyFilter(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, applied]);
  return (
    <div>
      <search className="filter-bar" id="pane-filter">
        <label htmlFor="filter">Filter</label>
        <input
          id="filter"
          className="field wire filter-input"
          value={text}
          placeholder="conn == 1 && stream in {0, 1, 3}    type == PING    health"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : 'filter-fault'}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void applyFilter(text);
            else if (event.key === 'Escape') void applyFilter('');
            else if (event.key === 'ArrowDown') document.getElementById('pane-rows')?.focus();
            else return;
            event.preventDefault();
          }}
        />
        <span
          className="filter-count wire"
          aria-live="polite"
          data-filter={passing ?? ''}
          data-evaluated={evaluated === total}
        >
          {inForce ? `${grouped(count)} of ${grouped(total)}` : grouped(total)}
          {inForce && evaluated < total ? ' …' : ''}
        </span>
        <FollowButton />
        <ColumnMenu />
      </search>
      {fault === null ? null : (
        <div id="filter-fault" className="filter-fault" role="alert">
          <code className="wire">
            {text.slice(0, fault.at)}
            <mark>{text.slice(fault.at, fault.at + Math.max(1, fault.length)) || ' '}</mark>
            {text.slice(fault.at + Math.max(1, fault.length))}
          </code>{' '}
          {fault.message}
        </div>
      )}
    </div>
  );
}
