/** Entry of an export's thread: a long capture is read and written without holding up a window or the engine. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseFilter } from '../session/filter/filter';
import { openCapture } from '../session/open';
import { explain } from '../tap/errors';
import type { ExportReply, ExportTask } from './export-task';
import { OutputFile } from './output-file';
import { exportPieces } from './pieces';

/** Milliseconds between two words on progress at least. */
const INTERVAL = 100;
/** Of the whole, what reading the capture is taken for. */
const READING = 0.6;

const port = parentPort;
if (port === null) throw new Error('the export worker was started outside a worker thread');

const cancelled = new AbortController();
port.on('message', () => cancelled.abort());

function send(reply: ExportReply): void {
  port?.postMessage(reply);
}

let told = Number.NEGATIVE_INFINITY;
function progress(value: number): void {
  if (performance.now() - told < INTERVAL) return;
  told = performance.now();
  send({ kind: 'progress', value });
}

async function run({ file, format, filter: text, output }: ExportTask): Promise<ExportReply> {
  const parsed = text === null ? undefined : parseFilter(text);
  if (parsed !== undefined && 'error' in parsed) throw new Error(`the filter is wrong: ${parsed.error.message}`);
  const { signal } = cancelled;
  const session = await openCapture(file, {
    signal,
    onProgress: (read, total) => progress(READING * (total === undefined ? 0 : read / total)),
  });
  let target: OutputFile | undefined;
  try {
    let share = 0;
    const frames = (written: number, total: number) => {
      share = written / total;
    };
    target = await OutputFile.create(output);
    for (const piece of exportPieces(session, format, parsed?.filter, { frames })) {
      signal.throwIfAborted();
      await target.write(piece);
      progress(READING + (1 - READING) * share);
    }
    await target.finish();
    return { kind: 'done' };
  } catch (error) {
    await target?.discard();
    throw error;
  } finally {
    session.close();
  }
}

run(workerData as ExportTask)
  .then(send, (error: unknown) => {
    send(cancelled.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', message: explain(error) });
  })
  .finally(() => port.close());
