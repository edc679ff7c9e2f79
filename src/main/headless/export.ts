import { stat } from 'node:fs/promises';
import { FRAMES_CSV_HEADER, frameCsvLine } from '../export/csv';
import { isSameFile, OutputFile } from '../export/output-file';
import { pcapngPieces } from '../export/pcapng';
import { PacketSelection } from '../export/selection';
import type { Filter } from '../session/filter/types';
import type { Session } from '../session/session';
import { grouped, visible } from '../session/text';
import { explain } from '../tap/errors';
import { type Command, FILE, FILTER_OPTION } from './command';
import type { Context } from './context';
import { failure, OutputClosed, usage } from './errors';
import { map } from './frames';
import { filterOf, withSession } from './open';

const FORMATS = ['pcapng', 'jsonl', 'csv'] as const;
type Format = (typeof FORMATS)[number];
/** Announced, not written yet. */
const FORMATS_TO_COME = ['har', 'html'];

/** UTF-16 units put together for one write. */
const BATCH = 256 * 1024;

export const exportCommand: Command = {
  name: 'export',
  operands: [FILE],
  description: 'the capture, or the frames that pass a filter, in another format',
  options: [
    { name: 'to', value: 'FORMAT', description: `${FORMATS.join(', ')} (jsonl and csv: the frames)` },
    { name: 'output', short: 'o', value: 'OUT', description: 'the file to write; - is standard output' },
    FILTER_OPTION,
  ],
  help: [
    'pcapng with a filter keeps whole connections: all those that a passing frame belongs to, so that the file',
    'can be decoded from its beginning.',
  ],
  async run(given, context) {
    const format = formatOf(given.values.get('to'));
    const path = given.values.get('output');
    if (path === undefined) throw usage('export: -o OUT is missing (- is standard output)');
    const filter = filterOf('export', given.values.get('filter'));
    const file = given.operands[0]!;
    if (path === '-' && format === 'pcapng' && process.stdout.isTTY) {
      throw usage('export: pcapng is not written to a terminal; name a file with -o');
    }
    if (path !== '-' && (await isSameFile(file, path))) {
      throw usage(`export: ${visible(path)} is the capture itself; name another file with -o`);
    }
    await withSession(context, file, async (session) => {
      const pieces = piecesOf(session, format, filter, context);
      if (path === '-') for (const piece of pieces) await context.out.octets(piece);
      else await writeFile(path, pieces, context);
    });
  },
};

function formatOf(text: string | undefined): Format {
  const format = FORMATS.find((one) => one === text);
  if (format !== undefined) return format;
  if (text === undefined) throw usage(`export: --to FORMAT is missing; it is one of ${FORMATS.join(', ')}`);
  if (FORMATS_TO_COME.includes(text))
    throw usage(`export: --to ${text} is not in this version; --to takes ${FORMATS.join(', ')}`);
  throw usage(`export: --to must be one of ${FORMATS.join(', ')}, not "${text}"`);
}

function piecesOf(
  session: Session,
  format: Format,
  filter: Filter | undefined,
  context: Context,
): Iterable<Uint8Array> {
  switch (format) {
    case 'pcapng':
      return pcapngPieces(session.source, filter && selectionOf(session, filter, context));
    case 'jsonl':
      return batches(map(session.select(filter), (n) => JSON.stringify(session.frame(n))));
    case 'csv':
      return batches(
        withHeader(
          FRAMES_CSV_HEADER,
          map(session.select(filter), (n) => frameCsvLine(session.frame(n))),
        ),
      );
    default:
      return assertNever(format);
  }
}

function selectionOf(session: Session, filter: Filter, { note }: Context): PacketSelection {
  const { capture } = session;
  const chosen = new Set(session.select(filter).map((n) => capture.frames.conn.get(capture.rowOf(n))));
  note(
    `${grouped(chosen.size)} of ${grouped(capture.connections.length)} connections have frames that pass: kept whole`,
  );
  return new PacketSelection(capture, chosen);
}

function* withHeader(header: string, lines: Iterable<string>): Iterable<string> {
  yield header;
  yield* lines;
}

function* batches(lines: Iterable<string>): Iterable<Uint8Array> {
  let waiting = '';
  for (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length < BATCH) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

async function writeFile(path: string, pieces: Iterable<Uint8Array>, { note }: Context): Promise<void> {
  let file: OutputFile | undefined;
  try {
    if (await isDevice(path)) throw new Error('it is no regular file');
    file = await OutputFile.create(path);
    for (const piece of pieces) await file.write(piece);
    await file.finish();
  } catch (error) {
    await file?.discard();
    if (error instanceof OutputClosed) throw error;
    throw failure(`cannot write ${visible(path)}: ${explain(error)}`);
  }
  note(`wrote ${visible(path)}`);
}

/** A rename would replace a device or a pipe by a file. */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

function assertNever(format: never): never {
  throw new Error(`unknown format: ${format}`);
}
