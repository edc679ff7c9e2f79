import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { CallOrder } from '../../shared/contract';
import type { CallRecord } from '../../shared/records';
import { formatDuration, formatSize } from '../../shared/units';
import { visibleText } from '../detail/visible';
import type { Pages } from '../rows/use-pages';
import { useRowWindow } from '../rows/use-row-window';
import { useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { causeWords, percentText } from '../windows/words';
import type { CallSort } from './CallsView';
import { type Axis, axisOf, isFailed, outcomeOf, phasesOf } from './phases';
import { showFrames } from './show-frames';

const ROW_HEIGHT = 22;
/** Calls that stood still for this part of their time have windows that are worth a look. */
const NOTABLE = 0.2;
const SHORT = { 'stream-window': 'stream', 'connection-window': 'conn', both: 'both' } as const;

const HEADINGS: { label: string; order?: CallOrder; right?: boolean }[] = [
  { label: 'Conn', right: true },
  { label: 'Stream', order: 'start', right: true },
  { label: 'Method', order: 'method' },
  { label: 'Status', order: 'status' },
  { label: 'Duration', order: 'duration', right: true },
  { label: 'Stalled', right: true },
  { label: 'Messages', right: true },
  { label: 'Octets', order: 'bytes', right: true },
];

export interface CallListProps {
  calls: Pages<CallRecord>;
  sort: CallSort;
  onSort(sort: CallSort): void;
  filtered: boolean;
}

/** The calls in sight, with their bars on one axis: that of the calls that are seen. */
export function CallList({ calls, sort, onSort, filtered }: CallListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = useRowWindow(scroller, calls.total, ROW_HEIGHT);
  const chosen = useView((state) => state.call);
  const now = useApp((app) => app.progress?.lastTime ?? 0);
  const rows = useMemo(() => {
    const list: { position: number; call: CallRecord | undefined }[] = [];
    for (let at = scroll.first; at < scroll.first + scroll.count; at++)
      list.push({ position: at, call: calls.get(at) });
    return list;
  }, [calls, scroll.first, scroll.count]);
  const axis = axisOf(
    rows.flatMap(({ call }) => (call === undefined ? [] : [call])),
    now,
  );
  const position = rows.find(({ call }) => call !== undefined && isChosen(call, chosen))?.position;
  return (
    <div className="calls-list">
      <div className="calls-row calls-head" role="presentation">
        {HEADINGS.map((heading) => (
          <Heading key={heading.label} {...heading} sort={sort} onSort={onSort} />
        ))}
        <span className="wire">
          {axis.from.toFixed(3)} s to {axis.to.toFixed(3)} s
        </span>
      </div>
      <div
        ref={scroller}
        id="pane-rows"
        className="calls-scroller"
        role="grid"
        aria-label="Calls"
        aria-rowcount={calls.total}
        aria-activedescendant={position === undefined ? undefined : `call-${position}`}
        tabIndex={0}
        onScroll={scroll.onScroll}
        onKeyDown={(event) => {
          const next = target(event, position, calls.total, scroll.page);
          if (event.key === 'Enter' && chosen !== null) showFrames(chosen);
          if (next === undefined) return;
          event.preventDefault();
          scroll.reveal(next);
          const call = calls.get(next);
          if (call !== undefined) useView.setState({ call: { conn: call.conn, stream: call.stream } });
        }}
      >
        <div style={{ height: scroll.height }} role="presentation" />
        {rows.map(({ position: at, call }, i) => (
          <CallRow
            key={at}
            position={at}
            call={call}
            top={scroll.top + i * ROW_HEIGHT}
            axis={axis}
            now={now}
            selected={call !== undefined && isChosen(call, chosen)}
          />
        ))}
        {calls.total === 0 ? (
          <div className="rows-empty">
            {filtered ? 'No call has a method like this.' : 'Calls appear here with the first request.'}
          </div>
        ) : null}
      </div>
    </div>
  );
}

function isChosen(call: CallRecord, chosen: { conn: number; stream: number } | null): boolean {
  return chosen !== null && call.conn === chosen.conn && call.stream === chosen.stream;
}

function Heading({
  label,
  order,
  right = false,
  sort,
  onSort,
}: (typeof HEADINGS)[number] & Pick<CallListProps, 'sort' | 'onSort'>) {
  const className = right ? 'right' : '';
  if (order === undefined) return <span className={className}>{label}</span>;
  const active = sort.order === order;
  // What is looked for first: the slowest, the largest, the failed.
  const first = order === 'duration' || order === 'bytes' || order === 'status';
  return (
    <button
      type="button"
      className={className}
      aria-pressed={active}
      title={`Order by ${label.toLowerCase()}`}
      onClick={() => onSort({ order, descending: active ? !sort.descending : first })}
    >
      {label}
      {active ? (sort.descending ? ' ↓' : ' ↑') : ''}
    </button>
  );
}

interface CallRowProps {
  position: number;
  call: CallRecord | undefined;
  top: number;
  axis: Axis;
  now: number;
  selected: boolean;
}

function CallRow({ position, call, top, axis, now, selected }: CallRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys of all its rows
    <div
      id={`call-${position}`}
      className="calls-row wire"
      role="row"
      aria-rowindex={position + 1}
      aria-selected={selected}
      data-stream={call?.stream}
      style={{ top }}
      onClick={() => call !== undefined && useView.setState({ call: { conn: call.conn, stream: call.stream } })}
      onDoubleClick={() => call !== undefined && showFrames(call)}
    >
      {call === undefined ? <span className="muted">…</span> : <Cells call={call} axis={axis} now={now} />}
    </div>
  );
}

function Cells({ call, axis, now }: { call: CallRecord; axis: Axis; now: number }) {
  const failed = isFailed(call);
  const end = call.end ?? now;
  return (
    <>
      <span className="right muted" role="gridcell">
        {call.conn}
      </span>
      <span className="right" role="gridcell">
        {call.stream}
      </span>
      <span role="gridcell" title={shownText(call.method)}>
        {shownText(call.method) ?? <span className="muted">request not seen</span>}
      </span>
      <span role="gridcell" className={failed ? 'call-failed' : ''} title={shownText(call.statusMessage)}>
        {outcomeOf(call)}
        {call.statusInferred === true ? <span className="muted"> inferred</span> : null}
      </span>
      <span className="right" role="gridcell">
        {call.end === null ? <span className="muted">open</span> : formatDuration(call.end - call.start)}
      </span>
      <StalledCell call={call} />
      <span className="right" role="gridcell">
        {call.requestMessages} / {call.responseMessages}
      </span>
      <span className="right" role="gridcell">
        {formatSize(call.requestBytes + call.responseBytes)}
      </span>
      <span className="call-bar" role="gridcell">
        <span style={{ position: 'absolute', inset: '0 8px' }}>
          {phasesOf(call, axis, now).map(({ kind, from, to }) => (
            <span
              key={kind}
              className={`call-phase ${kind}`}
              style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
            />
          ))}
          {failed ? (
            <span className="call-mark" style={{ left: `${((end - axis.from) / (axis.to - axis.from)) * 100}%` }} />
          ) : null}
        </span>
      </span>
    </>
  );
}

/** The part of its time for which the call had no credit; what is worth a look stands out. */
function StalledCell({ call: { stalled } }: { call: CallRecord }) {
  if (stalled === undefined) return <span className="right" role="gridcell" />;
  const title = `${formatDuration(stalled.seconds)} without credit, for ${causeWords(stalled.cause)}`;
  return (
    <span className={`right ${stalled.share >= NOTABLE ? 'call-stalled' : 'muted'}`} role="gridcell" title={title}>
      {percentText(stalled.share)} {SHORT[stalled.cause]}
    </span>
  );
}

/** Captured text as it can be shown. */
function shownText(text: string | null): string | undefined {
  return text === null ? undefined : visibleText(text);
}

function target(event: KeyboardEvent, position: number | undefined, total: number, page: number): number | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || total === 0) return undefined;
  const at = position ?? -1;
  const next = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: total - 1,
  }[event.key];
  return next === undefined ? undefined : Math.max(0, Math.min(total - 1, next));
}
