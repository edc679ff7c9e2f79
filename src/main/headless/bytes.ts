import { describeFrame } from '../../core/http2/fields';
import type { Field } from '../../shared/fields';
import type { FrameRecord } from '../../shared/records';
import { type BlockEntry, type HeaderBlock, headerBlockOf } from '../session/header-block';
import { representationWords, tableEntry } from '../session/representation-words';
import type { Session } from '../session/session';
import { octetsInWords, visible } from '../session/text';
import { readValue } from './args';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { failure, usage } from './errors';
import { hexDump } from './hex-dump';
import { withSession } from './open';
import { type Cell, Table } from './table';

export const bytes: Command = {
  name: 'bytes',
  operands: [FILE],
  description: 'one frame, octet by octet, with its fields',
  options: [{ name: 'frame', value: 'N', description: "the frame's number" }, JSON_OPTION],
  async run(given, context) {
    const n = readValue('bytes', given, 'frame', readNumber, "a frame's number, from 1");
    if (n === undefined) throw usage('bytes: --frame N is missing');
    await withSession(context, given.operands[0]!, async (session) => {
      if (n > session.frameCount) throw failure(`there is no frame ${n}: the file has ${session.frameCount}`);
      const frame = session.frame(n);
      // Nothing of a gap is in the file.
      const octets = frame.type === 'GAP' ? new Uint8Array() : session.frameOctets(n);
      const fields = frame.typeId === null ? [] : describeFrame(octets);
      const block = headerBlockOf(session.capture, session.payloads, session.rowOf(n));
      if (given.switches.has('json')) await printJson(context, frame, octets, fields, block);
      else await print(context, session, frame, octets, fields, block);
    });
  },
};

function readNumber(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

async function printJson(
  { out }: Context,
  frame: FrameRecord,
  octets: Uint8Array,
  fields: Field[],
  block: HeaderBlock | undefined,
): Promise<void> {
  const headerBlock = block && {
    frames: framesOf(block),
    octets: Buffer.from(block.octets).toString('hex'),
    entries: block.entries.map(({ representation, field }) => ({
      start: representation.start,
      end: representation.end,
      representation: representationText(representation),
      ...(field !== undefined && { field }),
    })),
  };
  const hex = Buffer.from(octets).toString('hex');
  await out.line(JSON.stringify({ frame, fields, octets: hex, ...(headerBlock !== undefined && { headerBlock }) }));
}

async function print(
  context: Context,
  session: Session,
  frame: FrameRecord,
  octets: Uint8Array,
  fields: Field[],
  block: HeaderBlock | undefined,
): Promise<void> {
  const { out, style } = context;
  await out.line(`${style.bold(frame.type)}  ${style.dim(subtitle(frame, octets.length))}`);
  await out.line(style.dim(arrival(session, frame, octets.length)));
  if (frame.info !== '') await out.line(visible(frame.info));
  for (const { code, scope, clause, message } of frame.faults ?? []) {
    await out.line(style.yellow(`! ${code} (${scope}): ${visible(message)} · ${clause}`));
  }
  await out.line('');
  await out.lines(hexDump(octets));
  if (fields.length > 0) {
    await out.line('');
    await out.lines(fieldLines(context, fields));
  }
  if (block !== undefined) {
    await out.line('');
    await out.lines(blockLines(context, block, frame.n));
  }
}

function subtitle(frame: FrameRecord, length: number): string {
  return [
    `frame ${frame.n}`,
    frame.dir === 'toServer' ? 'to server' : 'to client',
    `connection ${frame.conn}`,
    ...(frame.typeId === null ? [] : [`stream ${frame.stream}`]),
    octetsInWords(length),
  ].join(' · ');
}

/** When it came, and with what. */
function arrival(session: Session, { t, delivered, chunks: [first, last] }: FrameRecord, length: number): string {
  const words = [`arrived ${t.toFixed(9)} s`];
  if (typeof delivered === 'number') words.push(`delivered +${((delivered - t) * 1000).toFixed(3)} ms`);
  const whole = session.capture.chunks.length.get(last);
  if (first !== last) words.push(`chunks ${first} to ${last}`);
  else words.push(`chunk ${last}${whole > length ? `, with others in its ${octetsInWords(whole)}` : ''}`);
  return words.join(' · ');
}

function fieldLines({ style, width }: Context, fields: readonly Field[]): string[] {
  const rows = [...fieldRows(fields, 0)].map((row): (string | Cell)[] => [
    { text: row.range, paint: style.dim },
    row.label,
    visible(row.value),
    { text: visible(row.note), paint: style.dim },
  ]);
  const columns = [
    { title: 'Octets', align: 'right' },
    { title: 'Field' },
    { title: 'Value' },
    { title: 'Meaning' },
  ] as const;
  const table = new Table(columns, style.dim, width).fit(rows);
  return [table.header(), ...rows.map((row) => table.row(row))];
}

interface FieldRow {
  range: string;
  label: string;
  value: string;
  note: string;
}

/** Flag bits that are unset say nothing that the flags' own line does not. */
function* fieldRows(fields: readonly Field[], depth: number): Iterable<FieldRow> {
  for (const field of fields) {
    if (field.bit !== undefined && field.value === 0) continue;
    yield {
      range: field.bit === undefined ? rangeText(field.start, field.end) : bitText(field.bit),
      label: `${'  '.repeat(depth)}${field.label}`,
      value: String(field.value),
      note: [field.note, field.clause].filter(Boolean).join(' · '),
    };
    yield* fieldRows(field.children ?? [], depth + 1);
  }
}

function rangeText(start: number, end: number): string {
  return end - start <= 1 ? String(start) : `${start} to ${end - 1}`;
}

function bitText({ from, to }: { from: number; to: number }): string {
  return from === to ? `bit ${from}` : `bits ${from} to ${to}`;
}

function blockLines({ style, width }: Context, block: HeaderBlock, n: number): string[] {
  const frames = framesOf(block);
  const where = frames.length === 1 && frames[0] === n ? '' : `, of frames ${frames.join(', ')}`;
  const title = `${style.bold('Header block')}  ${style.dim(`${octetsInWords(block.octets.length)}${where}`)}`;
  const rows = block.entries.map(({ representation, field }): (string | Cell)[] => [
    { text: rangeText(representation.start, representation.end), paint: style.dim },
    visible(field?.[0] ?? ''),
    field === undefined ? '' : visible(field[1] ?? '(never seen)'),
    { text: representationText(representation), paint: style.dim },
  ]);
  const { length } = block.octets;
  if (block.untold > 0) rows.push([rangeText(length - block.untold, length), '…', '', 'left out: there are too many']);
  const columns = [
    { title: 'Octets', align: 'right' },
    { title: 'Name' },
    { title: 'Value' },
    { title: 'Representation' },
  ] as const;
  const table = new Table(columns, style.dim, width).fit(rows);
  return [title, table.header(), ...rows.map((row) => table.row(row))];
}

/** Numbers of the frames that carry it. */
function framesOf({ pieces }: HeaderBlock): number[] {
  return pieces.map(({ n }) => n);
}

/** In one line, with what is coded how. */
function representationText(representation: BlockEntry['representation']): string {
  const words = representationWords(representation);
  switch (representation.kind) {
    case 'indexed':
      return words;
    case 'size-update':
      return `table size ${representation.sizeUpdate}: ${words}`;
    case 'error':
      return `${representation.code}: ${words} (${representation.clause})`;
    default: {
      const { index, name, value } = representation;
      const huffman = [name?.huffman === true && 'name', value.huffman && 'value'].filter(Boolean).join(' and ');
      const named = index === 0 ? '' : `, name of ${tableEntry(index)}`;
      return `${words}${named}${huffman === '' ? '' : `; Huffman: ${huffman}`}`;
    }
  }
}
