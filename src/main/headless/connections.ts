import type { ConnectionRecord } from '../../shared/records';
import { formatDuration, formatSize } from '../../shared/units';
import { grouped, visible } from '../session/text';
import { type Command, FILE, JSON_OPTION } from './command';
import { withSession } from './open';
import { type Cell, Table } from './table';

export const connections: Command = {
  name: 'connections',
  operands: [FILE],
  description: 'the TCP connections, and what they speak',
  options: [JSON_OPTION],
  async run(given, context) {
    await withSession(context, given.operands[0]!, async (session) => {
      const records = session.connections();
      if (given.switches.has('json')) return context.out.lines(records.map((record) => JSON.stringify(record)));
      if (records.length === 0) return context.note('no TCP connections');
      const rows = records.map(cells);
      const table = new Table(COLUMNS, context.style.dim, context.width).fit(rows);
      await context.out.line(table.header());
      await context.out.lines(rows.map((row) => table.row(row)));
    });
  },
};

const COLUMNS = [
  { title: 'Conn', align: 'right' },
  { title: 'Client' },
  { title: 'Server' },
  { title: 'Protocol' },
  { title: 'Start s', align: 'right' },
  { title: 'Lasted', align: 'right' },
  { title: 'Frames →', align: 'right' },
  { title: 'Frames ←', align: 'right' },
  { title: 'Bytes →', align: 'right' },
  { title: 'Bytes ←', align: 'right' },
  { title: 'Notes' },
] as const;

function cells(record: ConnectionRecord): (string | Cell)[] {
  return [
    String(record.conn),
    record.client,
    record.server,
    record.protocol,
    record.start.toFixed(6),
    formatDuration(record.end - record.start),
    grouped(total(record.frames.toServer)),
    grouped(total(record.frames.toClient)),
    formatSize(record.bytes.toServer),
    formatSize(record.bytes.toClient),
    connectionNotes(record),
  ];
}

/** How it began and ended, and whose software speaks. */
export function connectionNotes(record: ConnectionRecord): string {
  const { closed, clientImplementation: client, serverImplementation: server } = record;
  const notes: string[] = [];
  if (record.joined === 'middle') notes.push('joined in the middle');
  if (client !== undefined || server !== undefined) {
    notes.push(`${visible(client ?? 'unknown')} → ${visible(server ?? 'unknown')}`);
  }
  if (closed?.how === 'reset') notes.push(`reset by the ${closed.by}`);
  else if (closed?.how === 'fin') notes.push(`closed by the ${closed.by}`);
  else notes.push('open at the end');
  return notes.join(' · ');
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
