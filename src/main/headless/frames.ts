import { RowBit } from '../../core/capture/frames';
import { flagNames } from '../../shared/names';
import type { FrameRecord } from '../../shared/records';
import { FRAMES_CSV_HEADER, frameCsvLine } from '../export/csv';
import type { Session } from '../session/session';
import { type Command, FILE, FILTER_OPTION, JSON_OPTION } from './command';
import { usage } from './errors';
import { FrameTable, type FrameTableWidths } from './frame-table';
import { filterOf, withSession } from './open';

export const frames: Command = {
  name: 'frames',
  operands: [FILE],
  description: 'one row per frame',
  options: [FILTER_OPTION, JSON_OPTION, { name: 'csv', description: 'comma-separated values, with a header line' }],
  async run(given, context) {
    const json = given.switches.has('json');
    const csv = given.switches.has('csv');
    if (json && csv) throw usage('frames: --json and --csv exclude each other');
    const filter = filterOf('frames', given.values.get('filter'));
    await withSession(context, given.operands[0]!, async (session) => {
      const numbers = session.select(filter);
      if (json) return context.out.lines(map(numbers, (n) => JSON.stringify(session.frame(n))));
      if (csv) {
        await context.out.line(FRAMES_CSV_HEADER);
        return context.out.lines(map(numbers, (n) => frameCsvLine(session.frame(n))));
      }
      const table = new FrameTable(context.style, context.width, widthsOf(session, numbers));
      await context.out.line(table.header());
      await context.out.lines(map(numbers, (n) => table.row(session.frame(n))));
      if (numbers.length === 0) context.note(emptyNote(session));
    });
  },
};

/** Rows are made one by one, as they are written. */
export function* map<From, To>(items: Iterable<From>, change: (item: From) => To): Iterable<To> {
  for (const item of items) yield change(item);
}

export function frameRecords(session: Session, numbers: Iterable<number>): Iterable<FrameRecord> {
  return map(numbers, (n) => session.frame(n));
}

function emptyNote(session: Session): string {
  if (session.frameCount > 0) return `no frame passes the filter; the file has ${session.frameCount}`;
  return 'no frames: `penstock info` tells what the file holds';
}

/** From the columns, without making a record. */
function widthsOf({ capture }: Session, numbers: readonly number[]): FrameTableWidths {
  const { frames: rows } = capture;
  let highestStream = 0;
  let longestFlags = 0;
  for (const n of numbers) {
    const row = capture.rowOf(n);
    highestStream = Math.max(highestStream, rows.stream.get(row));
    const flags = rows.flags.get(row);
    if (flags === 0 || (rows.bits.get(row) & RowBit.NON_FRAME) !== 0) continue;
    longestFlags = Math.max(longestFlags, flagNames(rows.type.get(row), flags).join(' ').length);
  }
  return {
    lastNumber: numbers[numbers.length - 1] ?? 0,
    lastTime: capture.lastTime / 1e9,
    lastConnection: capture.connections.length,
    highestStream,
    longestFlags,
  };
}
