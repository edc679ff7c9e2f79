import { stat } from 'node:fs/promises';
import { isSameFile, OutputFile } from '../export/output-file';
import {
  type ExportNotes,
  exportPieces,
  EXPORT_FORMATS as FORMATS,
  type ExportFormat as Format,
} from '../export/pieces';
import { grouped, visible } from '../session/text';
import { explain } from '../tap/errors';
import { type Command, FILE, FILTER_OPTION } from './command';
import type { Context } from './context';
import { failure, OutputClosed, usage } from './errors';
import { filterOf, withSession } from './open';

/** Announced, not written yet. */
const FORMATS_TO_COME = ['har', 'html'];

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
      const pieces = exportPieces(session, format, filter, notesFor(context));
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

/** Says what a filter means for a capture file. */
function notesFor({ note }: Context): ExportNotes {
  return {
    connections: (kept, total) =>
      note(`${grouped(kept)} of ${grouped(total)} connections have frames that pass: kept whole`),
  };
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
