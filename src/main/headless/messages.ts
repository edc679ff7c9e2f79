import type { RawField } from '../../core/protobuf/raw-types';
import type { MessageRecord } from '../../shared/records';
import type { Session } from '../session/session';
import { grouped, shortened, visible } from '../session/text';
import { type Arguments, readValue } from './args';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { failure } from './errors';
import { map } from './frames';
import { withSession } from './open';
import { rawText } from './raw-text';
import { type Cell, Table } from './table';

/** Characters of a message's contents in its line. */
const PREVIEW = 200;

export const messages: Command = {
  name: 'messages',
  operands: [FILE],
  description: "the calls' messages",
  options: [{ name: 'call', value: 'CONN:STREAM', description: "only this call's, the client's first" }, JSON_OPTION],
  async run(given, context) {
    const call = readValue('messages', given, 'call', readCall, 'CONN:STREAM, such as 1:3');
    await withSession(context, given.operands[0]!, (session) => print(given, context, session, call));
  },
};

export interface CallId {
  conn: number;
  stream: number;
}

/** `1:3`. */
export function readCall(text: string): CallId | undefined {
  const match = /^(\d{1,10}):(\d{1,10})$/.exec(text);
  return match === null ? undefined : { conn: Number(match[1]), stream: Number(match[2]) };
}

async function print(given: Arguments, context: Context, session: Session, call: CallId | undefined): Promise<void> {
  const records = call === undefined ? all(session) : session.messagesOf(find(session, call));
  if (given.switches.has('json')) {
    return context.out.lines(map(records, (message) => JSON.stringify(message)));
  }
  const table = new Table(COLUMNS, context.style.dim, context.width);
  if (session.messageCount === 0) return context.note('no messages');
  await context.out.line(table.header());
  await context.out.lines(map(records, (message) => table.row(cells(message, context))));
}

function* all(session: Session): Iterable<MessageRecord> {
  for (let index = 0; index < session.messageCount; index++) yield session.message(index);
}

function find({ capture }: Session, { conn, stream }: CallId): number {
  const known = conn >= 1 && conn <= capture.connections.length;
  const call = known ? capture.callAt(conn, stream) : -1;
  if (call === -1) throw failure(`there is no call on stream ${stream} of connection ${conn}`);
  return call;
}

const COLUMNS = [
  { title: 'Conn', align: 'right' },
  { title: 'Stream', align: 'right', width: 6 },
  { title: ' ' },
  { title: 'Index', align: 'right' },
  { title: 'Length', align: 'right', width: 9 },
  { title: 'On the wire', align: 'right' },
  { title: 'Encoding', width: 8 },
  { title: 'Frames', width: 9 },
  { title: 'Contents' },
] as const;

function cells(message: MessageRecord, { style }: Context): (string | Cell)[] {
  const toServer = message.dir === 'toServer';
  return [
    { text: String(message.conn), paint: style.dim },
    String(message.stream),
    { text: toServer ? '→' : '←', paint: toServer ? style.green : style.blue },
    String(message.index),
    message.length === null ? '?' : grouped(message.length),
    grouped(message.wireLength),
    { text: message.compressed ? visible(message.encoding) : '', paint: style.dim },
    { text: framesText(message.frames), paint: style.dim },
    contents(message, style.yellow),
  ];
}

function framesText(frames: readonly number[]): string {
  const first = frames[0];
  const last = frames[frames.length - 1];
  if (first === undefined || last === undefined) return '';
  return first === last ? String(first) : `${first} to ${last}`;
}

function contents(message: MessageRecord, warning: Cell['paint'] & {}): Cell {
  const words: string[] = [];
  for (const { code, message: what } of message.faults ?? []) words.push(`! ${code}: ${visible(what)}`);
  if (!message.complete) words.push(`cut short: ${grouped(message.captured ?? 0)} of ${grouped(message.wireLength)}`);
  if (message.assumed) words.push('its start is supposed');
  const warned = words.length > 0;
  if (message.type !== undefined) words.push(message.type);
  if (message.value !== undefined) words.push(visible(JSON.stringify(message.value)));
  else if (message.fields !== undefined) words.push(rawText(message.fields as RawField[]) || 'empty');
  const text = shortened(words.join(' · '), PREVIEW);
  return warned ? { text, paint: warning } : { text };
}
