/** A thread that decodes one capture again and again, to keep a core as busy as Penstock's own engine would. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Capture } from '../../../src/core/capture/capture';
import { Nice, setThreadPriority } from '../../../src/main/thread-priority';

const octets = readFileSync((workerData as { path: string }).path);

function decode(): void {
  const capture = new Capture();
  capture.push(octets);
  capture.end();
  setImmediate(decode);
}

setThreadPriority(Nice.following);
decode();
parentPort?.postMessage('busy');
