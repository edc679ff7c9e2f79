import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { FrameRecord } from '../../shared/records';
import type { ColumnName, TimeMode } from '../state/view-store';
import { clockText, deltaText, grouped, secondsText } from './format';

/** A row of the table: what came for the position, and the row before it for the time between. */
export interface TimelineRow {
  position: number;
  frame: FrameRecord | undefined;
  before: FrameRecord | undefined;
}

export const features = tableFeatures({ columnSizingFeature, columnResizingFeature, columnVisibilityFeature });

const helper = createColumnHelper<typeof features, TimelineRow>();

export const COLUMN_LABELS: Readonly<Record<ColumnName, string>> = {
  n: '#',
  t: 'Time s',
  delta: 'Δ ms',
  conn: 'Conn',
  dir: 'Dir',
  stream: 'Stream',
  type: 'Type',
  flags: 'Flags',
  length: 'Length',
  info: 'Info',
};

/** Columns whose numbers stand to the right. */
export const RIGHT_ALIGNED: ReadonlySet<string> = new Set(['n', 't', 'delta', 'conn', 'stream', 'length']);

/** Columns that stand back behind the others. */
const MUTED: ReadonlySet<string> = new Set(['n', 'delta', 'conn', 'flags']);

const WIDTHS: Readonly<Record<ColumnName, number>> = {
  n: 84,
  t: 132,
  delta: 84,
  conn: 48,
  dir: 36,
  stream: 60,
  type: 132,
  flags: 176,
  length: 92,
  info: 500,
};

export const columns = helper.columns(
  (Object.keys(WIDTHS) as ColumnName[]).map((name) =>
    helper.display({ id: name, header: COLUMN_LABELS[name], size: WIDTHS[name], minSize: 32, maxSize: 1200 }),
  ),
);

export interface CellContext {
  timeMode: TimeMode;
  /** Of the capture's first packet; undefined until it is known. */
  firstTime: bigint | undefined;
}

/** What a cell shows. Captured text is text only: React puts it into the page as such. */
export function cellContent(name: ColumnName, row: TimelineRow, context: CellContext): ReactNode {
  const { frame, before } = row;
  if (frame === undefined) return name === 'info' ? <span className="muted">…</span> : null;
  switch (name) {
    case 'n':
      return grouped(frame.n);
    case 't':
      return timeText(frame, context);
    case 'delta':
      return before === undefined ? null : deltaText(frame.t - before.t);
    case 'conn':
      return frame.conn;
    case 'dir':
      return frame.dir === 'toServer' ? (
        <span className="to-server" title="to the server">
          →
        </span>
      ) : (
        <span className="to-client" title="to the client">
          ←
        </span>
      );
    case 'stream':
      return frame.typeId === null ? null : frame.stream;
    case 'type':
      return frame.type;
    case 'flags':
      return frame.flags.join(' ');
    case 'length':
      return grouped(frame.length);
    case 'info':
      return <InfoCell frame={frame} />;
  }
}

/** How a cell looks: on the cell itself, since an element less in each is felt when rows are scrolled. */
export function cellClass(name: ColumnName, frame: FrameRecord | undefined): string {
  const side = RIGHT_ALIGNED.has(name) ? ' right' : '';
  const colour = MUTED.has(name) ? ' muted' : name === 'type' && frame !== undefined ? ` type-${frame.type}` : '';
  return `rows-cell ${name}${side}${colour}`;
}

function timeText(frame: FrameRecord, { timeMode, firstTime }: CellContext): string {
  if (timeMode === 'absolute' && firstTime !== undefined) return clockText(firstTime, frame.t);
  return secondsText(frame.t);
}

function InfoCell({ frame }: { frame: FrameRecord }) {
  const fault = frame.faults?.[0];
  if (fault === undefined) return frame.info;
  return (
    <>
      <span className="row-fault" title={`${fault.code}, ${fault.clause}`}>
        {fault.message}
      </span>
      {frame.info === '' ? null : <span className="muted"> · {frame.info}</span>}
    </>
  );
}
