import { parseFilter } from '../session/filter/filter';
import type { Filter } from '../session/filter/types';
import { openCapture } from '../session/open';
import type { Session } from '../session/session';
import { visible } from '../session/text';
import type { Context } from './context';
import { failure, usage } from './errors';

/** Begins the trouble after which nothing of a file is read: see core/pcapng. */
const DAMAGED = /^damaged/;
/** Longer files show how far the reading is, octets. */
const LONG_FILE = 64 << 20;

/**
 * Opens FILE (`-`: standard input), lets `use` print what it holds, and closes it. Trouble with the file is noted
 * after that; a file so damaged that its rest could not be read is a failure, though what came before was printed.
 */
export async function withSession(
  context: Context,
  file: string,
  use: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await open(context, file);
  try {
    await use(session);
    await context.out.flush();
    const { troubles } = session.capture;
    const damage = troubles.find(({ message }) => DAMAGED.test(message));
    const name = file === '-' ? 'standard input' : visible(file);
    for (const trouble of troubles) if (trouble !== damage) context.note(`${name}: ${visible(trouble.message)}`);
    if (damage !== undefined) throw failure(`${name}: ${visible(damage.message)}`);
  } finally {
    session.close();
  }
}

async function open(context: Context, file: string): Promise<Session> {
  try {
    return await openCapture(file, {
      onProgress: (read, total) => {
        if (total !== undefined && total > LONG_FILE)
          context.progress(`reading: ${Math.floor((100 * read) / total)} %`);
      },
    });
  } catch (error) {
    throw failure(visible((error as Error).message));
  } finally {
    context.progress('');
  }
}

/** The filter of `--filter`; undefined without. @throws CommandError that points at the place */
export function filterOf(command: string, text: string | undefined): Filter | undefined {
  if (text === undefined) return undefined;
  const result = parseFilter(text);
  if ('filter' in result) return result.filter;
  const { message, at, length } = result.error;
  const expression = visible(text);
  // What is made visible takes more columns than it had.
  const column = visible(text.slice(0, at)).length;
  const caret = `${' '.repeat(column)}^${'~'.repeat(Math.max(0, Math.min(length, text.length - at) - 1))}`;
  throw usage(`${command}: --filter, character ${at + 1}: ${visible(message)}\n  ${expression}\n  ${caret}`);
}
