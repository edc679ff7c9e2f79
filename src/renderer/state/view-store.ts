import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { FilterFault } from '../../shared/contract';

export type ViewName = 'timeline' | 'calls' | 'windows' | 'rounds' | 'accounts' | 'concurrency' | 'step' | 'findings';
export type TimeMode = 'relative' | 'absolute' | 'delta';
/** Whether the hex view shows the frame's octets, or those of its chunk. */
export type HexScope = 'frame' | 'chunk';

/** Columns of the timeline, in order. */
export const COLUMNS = ['n', 't', 'delta', 'conn', 'dir', 'stream', 'type', 'flags', 'length', 'info'] as const;
export type ColumnName = (typeof COLUMNS)[number];

export type DialogName = 'shortcuts' | 'palette' | 'go-to-frame' | 'export' | 'open' | 'close';

/** What the user looks at. The second part is remembered between sessions. */
export interface ViewStore {
  view: ViewName;
  /** Number of the frame in the detail pane. */
  selected: number | null;
  /** Id of the lit field in the detail. */
  field: string | null;
  /** The call that is chosen in the calls view, as connection and stream. */
  call: { conn: number; stream: number } | null;
  /** What stands in the filter's input. */
  filterText: string;
  /** The engine's view of the filter in force; null for all frames. */
  filterView: number | null;
  filterFault: FilterFault | null;
  /** New rows scroll into sight. */
  follow: boolean;
  /** Rows stand still while capturing and forwarding go on. */
  paused: boolean;
  /** Brushed on the overview strip, seconds. */
  brush: { from: number; to: number } | null;
  dialog: DialogName | null;

  timeMode: TimeMode;
  hexScope: HexScope;
  hiddenColumns: ColumnName[];
  columnWidths: Partial<Record<ColumnName, number>>;
  listen: string;
  upstream: string;
  /** Milliseconds, one way. */
  delayToServer: number;
  delayToClient: number;
  /** Octets a second; null for no limit. */
  rateToServer: number | null;
  rateToClient: number | null;
  delayConnect: boolean;
}

const START = {
  view: 'timeline',
  selected: null,
  field: null,
  call: null,
  filterText: '',
  filterView: null,
  filterFault: null,
  follow: true,
  paused: false,
  brush: null,
  dialog: null,
} satisfies Partial<ViewStore>;

export const useView = create<ViewStore>()(
  persist(
    (): ViewStore => ({
      ...START,
      timeMode: 'relative',
      hexScope: 'chunk',
      hiddenColumns: [],
      columnWidths: {},
      listen: '127.0.0.1:9800',
      upstream: '127.0.0.1:50051',
      delayToServer: 0,
      delayToClient: 0,
      rateToServer: null,
      rateToClient: null,
      delayConnect: false,
    }),
    {
      name: 'penstock-view',
      version: 1,
      partialize: ({
        timeMode,
        hexScope,
        hiddenColumns,
        columnWidths,
        listen,
        upstream,
        delayToServer,
        delayToClient,
        rateToServer,
        rateToClient,
        delayConnect,
      }) => ({
        timeMode,
        hexScope,
        hiddenColumns,
        columnWidths,
        listen,
        upstream,
        delayToServer,
        delayToClient,
        rateToServer,
        rateToClient,
        delayConnect,
      }),
    },
  ),
);

/** Another session is shown: what was chosen in the last one means nothing in it. */
export function resetView(): void {
  useView.setState({ ...START, view: useView.getState().view });
}

export function select(n: number | null): void {
  if (useView.getState().selected !== n) useView.setState({ selected: n, field: null });
}

/** Rows stand still, or follow again; what runs does not notice. */
export function togglePause(): void {
  useView.setState(({ paused }) => ({ paused: !paused }));
}
