import { useTable } from '@tanstack/react-table';
import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { keyShift, type RowWindow } from '../rows/fixed-rows';
import { useFrameRows } from '../rows/use-frames';
import { useRowWindow } from '../rows/use-row-window';
import { services, useApp } from '../state/app-store';
import { type ColumnName, select, useView } from '../state/view-store';
import {
  type CellContext,
  cellClass,
  cellContent,
  columns,
  features,
  RIGHT_ALIGNED,
  type TimelineRow,
} from './columns';
import { EmptyRows } from './EmptyRows';
import { useFirstTime } from './use-first-time';

const ROW_HEIGHT = 22;

/** The timeline's rows: only those in sight are asked for and drawn. */
export function Rows() {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useFrameRows();
  const selected = useView((state) => state.selected);
  const filterView = useView((state) => state.filterView);
  const follow = useView((state) => state.follow);
  // A file is read from its beginning; what is being captured, from its end.
  const capturing = useApp((app) => app.state.session.kind === 'capturing');
  const scroll = useRowWindow(scroller, rows.count, ROW_HEIGHT, follow && capturing);
  const keys = useRowKeys(scroll);
  const hidden = useView((state) => state.hiddenColumns);
  const widths = useView((state) => state.columnWidths);
  const timeMode = useView((state) => state.timeMode);
  const firstTime = useFirstTime();
  const context = useMemo<CellContext>(() => ({ timeMode, firstTime }), [timeMode, firstTime]);
  const position = useSelectedPosition(selected, filterView, rows.count);

  const data = useMemo<TimelineRow[]>(() => {
    const list: TimelineRow[] = [];
    for (let at = scroll.first; at < scroll.first + scroll.count; at++) {
      list.push({ position: at, frame: rows.get(at), before: at === 0 ? undefined : rows.get(at - 1) });
    }
    return list;
  }, [rows, scroll.first, scroll.count]);

  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((name) => [name, false])), [hidden]);
  const table = useTable({
    features,
    columns,
    data,
    columnResizeMode: 'onChange',
    state: { columnSizing: widths as Record<string, number>, columnVisibility },
    onColumnSizingChange: (update) => {
      const now = useView.getState().columnWidths as Record<string, number>;
      useView.setState({ columnWidths: typeof update === 'function' ? update(now) : update });
    },
  });
  const leaves = table.getVisibleLeafColumns();
  const names = useMemo(() => leaves.map((column) => column.id as ColumnName), [leaves]);
  const sizes = Object.fromEntries(leaves.map((column) => [`--w-${column.id}`, `${column.getSize()}px`]));

  const latest = useRef(scroll);
  latest.current = scroll;
  // What was chosen elsewhere (a call, a fault, the palette) comes into sight.
  useEffect(() => {
    if (position !== null) latest.current.reveal(position);
  }, [position]);

  const choose = useCallback((n: number) => select(n), []);
  return (
    <div className="rows" style={sizes} data-resized={Object.keys(widths).length > 0}>
      <div className="rows-head" role="presentation">
        {table.getHeaderGroups()[0]!.headers.map((header) => (
          <div
            key={header.id}
            className={`rows-head-cell ${header.id} ${RIGHT_ALIGNED.has(header.id) ? 'right' : ''}`}
            style={header.id === 'info' ? undefined : { width: `var(--w-${header.id})` }}
          >
            <table.FlexRender header={header} />
            {header.id === 'info' ? null : (
              // biome-ignore lint/a11y/noStaticElementInteractions: widths can do without a keyboard
              <span
                className="rows-resizer"
                onMouseDown={header.getResizeHandler()}
                onTouchStart={header.getResizeHandler()}
                onDoubleClick={() => header.column.resetSize()}
              />
            )}
          </div>
        ))}
      </div>
      <div
        ref={scroller}
        id="pane-rows"
        className="rows-scroller"
        role="grid"
        aria-label="Frames"
        aria-rowcount={rows.count}
        aria-colcount={names.length}
        aria-activedescendant={position === null ? undefined : `row-${position}`}
        tabIndex={0}
        data-follow={follow}
        onScroll={() => {
          if (!scroll.onScroll() && useView.getState().follow) useView.setState({ follow: false });
        }}
        onKeyDown={(event) => onRowKey(event, rows, position, scroll.page)}
      >
        <div style={{ height: scroll.height }} role="presentation" />
        {table.getRowModel().rows.map(({ original }, i) => (
          <Row
            key={original.position + keys}
            row={original}
            names={names}
            top={scroll.top + i * ROW_HEIGHT}
            selected={original.frame !== undefined && original.frame.n === selected}
            context={context}
            onChoose={choose}
          />
        ))}
        {rows.count === 0 ? <EmptyRows /> : null}
      </div>
    </div>
  );
}

/** What to add to a row's position for its key (`keyShift`). */
function useRowKeys({ first, count }: RowWindow): number {
  const before = useRef({ first, count, shift: 0 });
  const shift = keyShift(before.current, { first, count });
  before.current = { first, count, shift };
  return shift;
}

interface RowProps {
  row: TimelineRow;
  names: readonly ColumnName[];
  top: number;
  selected: boolean;
  context: CellContext;
  onChoose(n: number): void;
}

const Row = memo(
  function Row({ row, names, top, selected, context, onChoose }: RowProps) {
    const { frame, position } = row;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys of all its rows
      <div
        id={`row-${position}`}
        className={`rows-row wire ${frame?.faults === undefined ? '' : 'faulty'}`}
        role="row"
        aria-rowindex={position + 1}
        aria-selected={selected}
        data-n={frame?.n}
        style={{ top }}
        onClick={() => frame !== undefined && onChoose(frame.n)}
      >
        {names.map((name) => (
          <div
            key={name}
            role="gridcell"
            className={cellClass(name, frame)}
            style={name === 'info' ? undefined : { width: `var(--w-${name})` }}
          >
            {cellContent(name, row, context)}
          </div>
        ))}
      </div>
    );
  },
  (a, b) =>
    a.row.frame === b.row.frame &&
    a.row.before?.t === b.row.before?.t &&
    a.names === b.names &&
    a.top === b.top &&
    a.selected === b.selected &&
    a.context === b.context,
);

/** Where the selected frame stands among the rows; null while that is not known, or nothing is selected. */
function useSelectedPosition(selected: number | null, filterView: number | null, count: number): number | null {
  const [found, setFound] = useState<{ selected: number; view: number; position: number } | null>(null);
  useEffect(() => {
    if (selected === null || filterView === null) return;
    let current = true;
    services()
      .api.positionOf(selected, filterView)
      .then(
        (position) => current && setFound({ selected, view: filterView, position }),
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [selected, filterView]);
  if (selected === null) return null;
  if (filterView === null) return selected - 1 < count ? selected - 1 : null;
  return found !== null && found.selected === selected && found.view === filterView ? found.position : null;
}

function onRowKey(
  event: KeyboardEvent,
  rows: ReturnType<typeof useFrameRows>,
  position: number | null,
  page: number,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || rows.count === 0) return;
  const at = position ?? -1;
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: position === null ? rows.count - 1 : at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows.count - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  const next = Math.max(0, Math.min(rows.count - 1, target));
  useView.setState({ follow: event.key === 'End' });
  void chooseAt(next, rows);
}

/** A row far away may still have to come. */
async function chooseAt(position: number, rows: ReturnType<typeof useFrameRows>): Promise<void> {
  const frame = rows.get(position);
  if (frame !== undefined) {
    select(frame.n);
    return;
  }
  const view = useView.getState().filterView;
  const { items } = await services().api.frames({ from: position, count: 1, ...(view !== null && { view }) });
  if (items[0] !== undefined) select(items[0].n);
}
