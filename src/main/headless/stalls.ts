import { NON_FRAME_TYPE } from '../../core/capture/rows';
import { NON_FRAME_KINDS } from '../../shared/names';
import type { StallRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { stallRecords } from '../session/records/stalls';
import type { Session } from '../session/session';
import { grouped } from '../session/text';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { map } from './frames';
import { withSession } from './open';
import type { Style } from './style';
import { type Cell, Table } from './table';

export const stalls: Command = {
  name: 'stalls',
  operands: [FILE],
  description: 'when senders had data and no credit, for which window, and what released them',
  options: [JSON_OPTION],
  async run(given, context) {
    await withSession(context, given.operands[0]!, async (session) => {
      const records = stallRecords(session.capture, session.analysis);
      if (given.switches.has('json')) await context.out.lines(map(records, (record) => JSON.stringify(record)));
      else await print(records, context, session);
      await context.out.flush();
      tellLimits(session, context);
    });
  },
};

async function print(records: Iterable<StallRecord>, context: Context, session: Session): Promise<void> {
  const { style } = context;
  let table: Table | undefined;
  for (const record of records) {
    if (table === undefined) {
      table = new Table(columns(session.capture.lastTime / 1e9), style.dim, context.width);
      await context.out.line(table.header());
    }
    await context.out.line(table.row(cells(record, style)));
  }
  if (table === undefined) context.note('no sender stood still for want of credit');
  for (const line of limits(session)) await context.out.line(line);
}

/** A sentence for each direction of a connection in which a sender stood still. */
function* limits({ capture, analysis }: Session): Iterable<string> {
  for (const { id, clientSide } of capture.connections) {
    if (analysis.stalls(id).count === 0) continue;
    for (const side of [0, 1] as const) {
      const limit = analysis.limit(id, side);
      if (limit === undefined || limit.stalls === 0) continue;
      yield `\nConnection ${id} ${side === clientSide ? '→' : '←'}  ${limit.sentence}.\n  ${limit.detail}`;
    }
  }
}

const columns = (lastTime: number) =>
  [
    { title: 'From s', align: 'right', width: lastTime.toFixed(9).length },
    { title: 'Lasted', align: 'right', width: 8 },
    { title: 'Of call', align: 'right' },
    { title: 'Conn', align: 'right' },
    { title: ' ' },
    { title: 'Stream', align: 'right' },
    { title: 'Cause', width: 'connection-window'.length },
    { title: 'Released by', align: 'right' },
    { title: 'Held by' },
  ] as const;

function cells(record: StallRecord, style: Style): (string | Cell)[] {
  const toServer = record.dir === 'toServer';
  const { heldBy, releasedBy, share } = record;
  return [
    record.from.toFixed(9),
    formatDuration(record.to - record.from),
    share === null ? '' : `${(share * 100).toFixed(1)} %`,
    { text: String(record.conn), paint: style.dim },
    { text: toServer ? '→' : '←', paint: toServer ? style.green : style.blue },
    String(record.stream),
    record.cause,
    releasedBy === null ? { text: 'never', paint: style.red } : grouped(releasedBy),
    heldBy === undefined
      ? ''
      : heldBy.map((stream) => (stream === record.stream ? 'itself' : `stream ${stream}`)).join(', '),
  ];
}

/** What the intervals cannot know. */
function tellLimits({ capture, flow, analysis }: Session, context: Context): void {
  const http2 = capture.connections.filter(({ protocol }) => protocol === 'h2' || protocol === 'h2c-upgrade');
  if (http2.length === 0) return;
  if (!capture.hasDeliveries) {
    context.note(
      'the file does not tell when octets were delivered: stalls are those that the capture point saw; near a receiver its sender’s may not show',
    );
  }
  const relative = http2.filter(({ id }) => flow.sender.connection(id).relative).length;
  if (relative > 0) {
    context.note(
      `${grouped(relative)} ${relative === 1 ? 'connection was' : 'connections were'} joined in the middle: their windows, and so their stalls, are not known`,
    );
  }
  const gap = NON_FRAME_TYPE + NON_FRAME_KINDS.indexOf('GAP');
  const holed = http2.filter(({ sides }) => sides.some(({ rowsByType }) => rowsByType.has(gap))).length;
  if (holed > 0) {
    context.note(
      `octets are missing of ${grouped(holed)} ${holed === 1 ? 'connection' : 'connections'}: windows and stalls after them may be wrong`,
    );
  }
  for (const { id } of http2) {
    const { leftOut } = analysis.stalls(id);
    if (leftOut > 0) context.note(`connection ${id}: ${grouped(leftOut)} stalls are left out`);
  }
}
