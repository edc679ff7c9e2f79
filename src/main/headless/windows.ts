import { NON_FRAME_TYPE } from '../../core/capture/rows';
import { FlowIndex } from '../../core/flow/flow-index';
import type { WindowView } from '../../core/flow/window-tracker';
import { NON_FRAME_KINDS } from '../../shared/names';
import type { WindowRecord } from '../../shared/records';
import { windowRecords } from '../session/records/windows';
import type { Session } from '../session/session';
import { grouped } from '../session/text';
import { readValue } from './args';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { map } from './frames';
import { withSession } from './open';
import type { Style } from './style';
import { type Cell, Table } from './table';

const VIEWS: readonly WindowView[] = ['sender', 'receiver'];

export const windows: Command = {
  name: 'windows',
  operands: [FILE],
  description: 'flow-control windows: each change, in the order of time',
  options: [
    {
      name: 'view',
      value: 'sender|receiver',
      description: 'whose books: the peer that spends (default) or that grants',
    },
    JSON_OPTION,
  ],
  async run(given, context) {
    const view = readValue('windows', given, 'view', viewOf, 'sender or receiver') ?? 'sender';
    await withSession(context, given.operands[0]!, async (session) => {
      const flow = new FlowIndex(session.capture, view);
      const records = windowRecords(session.capture, flow);
      if (given.switches.has('json')) await context.out.lines(map(records, (record) => JSON.stringify(record)));
      else await print(records, context, session);
      await context.out.flush();
      tellLimits(session, flow, context);
    });
  },
};

function viewOf(text: string): WindowView | undefined {
  return VIEWS.find((view) => view === text);
}

async function print(records: Iterable<WindowRecord>, context: Context, { capture }: Session): Promise<void> {
  const { style } = context;
  let table: Table | undefined;
  for (const record of records) {
    if (table === undefined) {
      table = new Table(columns(capture.lastTime / 1e9), style.dim, context.width);
      await context.out.line(table.header());
    }
    await context.out.line(table.row(cells(record, style)));
  }
  if (table === undefined) context.note('no HTTP/2 stream was opened and no window changed');
}

const columns = (lastTime: number) =>
  [
    { title: 'Time s', align: 'right', width: lastTime.toFixed(9).length },
    { title: 'Conn', align: 'right' },
    { title: ' ' },
    { title: 'Stream', align: 'right' },
    { title: 'Cause', width: 'WINDOW_UPDATE'.length },
    { title: 'Change', align: 'right', width: '+1,048,576'.length },
    { title: 'Window', align: 'right', width: '1,048,576'.length },
    { title: 'Frame', align: 'right' },
    { title: 'Notes' },
  ] as const;

function cells(record: WindowRecord, style: Style): (string | Cell)[] {
  const toServer = record.dir === 'toServer';
  const { change, window } = record;
  return [
    record.t.toFixed(9),
    { text: String(record.conn), paint: style.dim },
    { text: toServer ? '→' : '←', paint: toServer ? style.green : style.blue },
    record.stream === 0 ? 'conn' : String(record.stream),
    record.cause,
    change === 0 ? '' : `${change > 0 ? '+' : ''}${grouped(change)}`,
    window > 0 || record.relative === true ? grouped(window) : { text: grouped(window), paint: style.red },
    { text: grouped(record.frame), paint: style.dim },
    { text: record.relative === true ? 'relative' : '', paint: style.dim },
  ];
}

/** What the numbers cannot know. */
function tellLimits({ capture }: Session, flow: FlowIndex, context: Context): void {
  const http2 = capture.connections.filter(({ protocol }) => protocol === 'h2' || protocol === 'h2c-upgrade');
  if (http2.length === 0) return;
  if (!capture.hasDeliveries) {
    context.note(
      'the file does not tell when octets were delivered: these are the windows as the capture point saw them; near a receiver its sender’s stalls may not show',
    );
  }
  const gap = NON_FRAME_TYPE + NON_FRAME_KINDS.indexOf('GAP');
  const holed = http2.filter(({ sides }) => sides.some(({ rowsByType }) => rowsByType.has(gap)));
  if (holed.length > 0) {
    context.note(
      `octets are missing of ${list(holed.map(({ id }) => id))}: what they spent and granted is not in the windows after them`,
    );
  }
  for (const { id } of http2) {
    const { unsampled } = flow.connection(id);
    if (unsampled > 0) context.note(`connection ${id}: ${grouped(unsampled)} changes by SETTINGS are left out`);
  }
}

function list(connections: readonly number[]): string {
  const shown = connections.slice(0, 5).join(', ');
  const more = connections.length > 5 ? ' …' : '';
  return `${connections.length === 1 ? 'connection' : 'connections'} ${shown}${more}`;
}
