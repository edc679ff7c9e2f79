import type { RoundRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { roundRecords } from '../session/records/rounds';
import type { Session } from '../session/session';
import { grouped, octetsInWords } from '../session/text';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { map } from './frames';
import { withSession } from './open';
import type { Style } from './style';
import { type Cell, Table } from './table';

export const rounds: Command = {
  name: 'rounds',
  operands: [FILE],
  description: 'PINGs and their answers: round trips, what an estimator sampled, windows that grew',
  options: [JSON_OPTION],
  async run(given, context) {
    await withSession(context, given.operands[0]!, async (session) => {
      const records = roundRecords(session.capture, session.payloads);
      if (given.switches.has('json')) await context.out.lines(map(records, (record) => JSON.stringify(record)));
      else await print(records, context, session);
      await context.out.flush();
      if (!session.capture.hasDeliveries) {
        context.note(
          'the file does not tell when octets were delivered: round trips are the way beyond the capture point',
        );
      }
    });
  },
};

async function print(records: Iterable<RoundRecord>, context: Context, { capture }: Session): Promise<void> {
  const { style } = context;
  let table: Table | undefined;
  const growths = new Map<string, Growth>();
  for (const record of records) {
    if (table === undefined) {
      table = new Table(columns(capture.lastTime / 1e9), style.dim, context.width);
      await context.out.line(table.header());
    }
    await context.out.line(table.row(cells(record, style)));
    note(growths, record);
  }
  if (table === undefined) context.note('there is no PING in this capture');
  for (const [who, growth] of growths) await context.out.line(`\n${who} ${growthWords(growth)}`);
}

/** How a side's window grew over its rounds. */
interface Growth {
  rounds: number;
  grew: number;
  first: number | null;
  last: number | null;
  /** Of the round after which it grew last. */
  lastFrame: number;
  after: number;
}

function note(growths: Map<string, Growth>, { conn, by, ping, windowBefore, windowAfter, growth }: RoundRecord): void {
  const who = `Connection ${conn}: the ${by}'s window`;
  let known = growths.get(who);
  if (known === undefined) {
    known = { rounds: 0, grew: 0, first: windowBefore, last: windowAfter, lastFrame: 0, after: 0 };
    growths.set(who, known);
  }
  known.rounds++;
  known.last = windowAfter;
  if (growth === undefined) {
    known.after++;
    return;
  }
  known.grew++;
  known.lastFrame = ping;
  known.after = 0;
}

function growthWords({ rounds, grew, first, last, lastFrame, after }: Growth): string {
  const size = (window: number | null) => (window === null ? 'unknown' : octetsInWords(window));
  const count = `${grouped(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`;
  if (grew === 0) return `stayed at ${size(first)} over ${count}.`;
  const still = after === 0 ? 'and was growing to the end' : `and not in the ${grouped(after)} after that`;
  return `went from ${size(first)} to ${size(last)} in ${grouped(grew)} of ${count}; last after frame ${grouped(lastFrame)}, ${still}.`;
}

const columns = (lastTime: number) =>
  [
    { title: 'Time s', align: 'right', width: lastTime.toFixed(9).length },
    { title: 'Conn', align: 'right' },
    { title: 'By' },
    { title: 'Ping', align: 'right', width: 7 },
    { title: 'Ack', align: 'right', width: 7 },
    { title: 'RTT', align: 'right', width: 8 },
    { title: 'Bytes', align: 'right', width: 9 },
    { title: 'Calls', align: 'right' },
    { title: 'Window', align: 'right', width: 10 },
    { title: 'then', align: 'right', width: 10 },
    { title: 'Notes' },
  ] as const;

function cells(record: RoundRecord, style: Style): (string | Cell)[] {
  const { windowBefore, windowAfter, rtt, ack, calls } = record;
  return [
    record.t.toFixed(9),
    { text: String(record.conn), paint: style.dim },
    { text: record.by, paint: record.by === 'client' ? style.green : style.blue },
    grouped(record.ping),
    ack === null ? { text: 'none', paint: style.red } : grouped(ack),
    rtt === null ? '' : formatDuration(rtt),
    grouped(record.bytes),
    calls === null ? '' : grouped(calls),
    windowBefore === null ? '' : grouped(windowBefore),
    windowAfter === null || windowAfter === windowBefore ? '' : grouped(windowAfter),
    notes(record),
  ];
}

function notes({ implementation, purpose, sameChunk, growth, sinceAnswer = 0 }: RoundRecord): string {
  const words = [purpose === 'unknown' ? 'ping' : `${purpose} (${implementation})`];
  if (sameChunk !== null) words.push(`in one chunk with ${sameChunk}`);
  if (growth !== undefined) {
    const connection = growth.connectionIncrement;
    words.push(connection > 0 ? `connection +${grouped(connection)}` : `by frame ${grouped(growth.frame)}`);
  }
  if (sinceAnswer > 1) words.push(`${grouped(sinceAnswer)} since the server's last HEADERS or DATA`);
  return words.join(' · ');
}
