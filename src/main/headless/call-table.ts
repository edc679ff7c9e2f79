import type { CallRecord } from '../../shared/records';
import { formatDuration, formatSize } from '../../shared/units';
import { grouped, visible } from '../session/text';
import type { Style } from './style';
import { type Cell, Table } from './table';

const COLUMNS = [
  { title: 'Conn', align: 'right' },
  { title: 'Stream', align: 'right' },
  { title: 'Method' },
  { title: 'Status' },
  { title: 'Start s', align: 'right' },
  { title: 'Duration', align: 'right' },
  { title: 'Messages →', align: 'right' },
  { title: '←', align: 'right' },
  { title: 'Bytes →', align: 'right' },
  { title: '←', align: 'right' },
  { title: 'Notes' },
] as const;

/** Calls as a table, its header first. */
export function callLines(calls: readonly CallRecord[], style: Style, width: number | undefined): string[] {
  const rows = calls.map((call) => cells(call, style));
  const table = new Table(COLUMNS, style.dim, width).fit(rows);
  return [table.header(), ...rows.map((row) => table.row(row))];
}

function cells(call: CallRecord, style: Style): (string | Cell)[] {
  return [
    { text: String(call.conn), paint: style.dim },
    String(call.stream),
    visible(call.method ?? '(request not seen)'),
    statusCell(call, style),
    call.start.toFixed(6),
    call.end === null ? '' : formatDuration(call.end - call.start),
    grouped(call.requestMessages),
    grouped(call.responseMessages),
    formatSize(call.requestBytes),
    formatSize(call.responseBytes),
    notes(call),
  ];
}

function statusCell(call: CallRecord, style: Style): Cell {
  if (call.kind === 'grpc') {
    if (call.statusName === null) return { text: 'open', paint: style.dim };
    return { text: call.statusName, paint: call.status === 0 ? style.green : style.red };
  }
  if (call.httpStatus === null) return { text: call.state === 'reset' ? 'reset' : '', paint: style.red };
  return { text: String(call.httpStatus), paint: call.httpStatus < 400 ? style.green : style.red };
}

function notes(call: CallRecord): string {
  const words: string[] = [];
  if (call.statusMessage && call.statusMessage !== call.statusName) words.push(visible(call.statusMessage));
  if (call.resetCode !== null) words.push(`reset: ${call.resetCode}`);
  if (call.statusInferred === true && call.resetCode === null) words.push('no grpc-status on the wire');
  if (call.unprocessed) words.push('not processed: can be retried');
  if (call.kind === 'grpc' && call.httpStatus !== null && call.httpStatus !== 200)
    words.push(`HTTP ${call.httpStatus}`);
  if (call.state === 'open') words.push('open at the end');
  for (const { code, message } of call.faults ?? []) words.push(`! ${code}: ${visible(message)}`);
  return words.join(' · ');
}
