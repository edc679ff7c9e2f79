/** Entry of the tap's thread: it only moves bytes, so that nothing else falsifies its delays. */
import { parentPort, workerData } from 'node:worker_threads';
import { Nice, setThreadPriority } from '../thread-priority';
import type { FromWorker, TapOptions, ToWorker } from './messages';
import { Tap } from './tap';

const port = parentPort;
if (!port) throw new Error('the tap worker was started outside a worker thread');

function send(message: FromWorker): void {
  port?.postMessage(message);
}

/** What went wrong, in the one line that the user gets. */
function line(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function run(options: TapOptions): Promise<void> {
  setThreadPriority(Nice.tap);
  let tap: Tap;
  try {
    tap = await Tap.start(options, {
      committed: (length) => send({ kind: 'committed', length }),
      notice: (notice) => send({ kind: 'notice', notice }),
    });
  } catch (error) {
    send({ kind: 'failed', message: line(error) });
    port?.close();
    return;
  }
  port?.on('message', (message: ToWorker) => {
    answer(tap, message).catch((error) => send({ kind: 'refused', id: message.id, message: line(error) }));
  });
  send({ kind: 'started', listening: tap.listening });
}

async function answer(tap: Tap, message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'update':
      tap.update(message.tap, message.settings);
      return send({ kind: 'updated', id: message.id });
    case 'stats':
      return send({ kind: 'stats', id: message.id, stats: tap.stats() });
    case 'stop':
      send({ kind: 'stopped', id: message.id, summary: await tap.stop() });
      port?.close();
      return;
    default:
      return assertNever(message);
  }
}

function assertNever(message: never): never {
  throw new Error(`unknown message to the tap worker: ${JSON.stringify(message)}`);
}

void run(workerData as TapOptions);
