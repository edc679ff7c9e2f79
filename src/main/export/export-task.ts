import { Worker } from 'node:worker_threads';
import type { ExportFormat } from './pieces';

export interface ExportTask {
  /** The capture; of one that grows, what is there when the export reads it. */
  file: string;
  format: ExportFormat;
  /** A filter's text; null for all. */
  filter: string | null;
  output: string;
}

export type ExportReply =
  | { kind: 'progress'; value: number }
  | { kind: 'done' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; message: string };

export interface ExportOptions {
  /** The built worker. */
  worker: string;
  signal: AbortSignal;
  /** From 0 to 1. */
  progress(value: number): void;
}

/**
 * Exports in a thread of its own. @returns false when it was cancelled; nothing is left of the output then
 * @throws an Error of one line
 */
export function runExport(task: ExportTask, { worker: path, signal, progress }: ExportOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(path, { workerData: task });
    const cancel = () => worker.postMessage('cancel');
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    worker.on('message', (reply: ExportReply) => {
      switch (reply.kind) {
        case 'progress':
          return progress(reply.value);
        case 'done':
          return resolve(true);
        case 'cancelled':
          return resolve(false);
        case 'failed':
          return reject(new Error(reply.message));
        default:
          return assertNever(reply);
      }
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      signal.removeEventListener('abort', cancel);
      reject(new Error('the export ended before it was done'));
    });
  });
}

function assertNever(reply: never): never {
  throw new Error(`unknown from the export worker: ${JSON.stringify(reply)}`);
}
