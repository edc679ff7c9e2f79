/**
 * A process that indexes one capture file and says how long that took and what memory it holds:
 * `node [--expose-gc] read-file.js FILE [times]`, one JSON object a line for each time.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { Capture } from '../../../src/core/capture/capture';

/** One reading of a file. Memory is there with --expose-gc only, in octets over the process before it. */
export interface Reading {
  /** Milliseconds, from opening the file to the complete index. */
  ms: number;
  frames: number;
  calls: number;
  octets: number;
  memory?: { heap: number; arrayBuffers: number; rss: number };
}

const PIECE = 1024 * 1024;

function read(path: string): [Capture, number] {
  const start = performance.now();
  const file = openSync(path, 'r');
  const piece = Buffer.allocUnsafeSlow(PIECE);
  const capture = new Capture();
  for (;;) {
    const count = readSync(file, piece, 0, PIECE, null);
    if (count === 0) break;
    capture.push(piece.subarray(0, count));
  }
  capture.end();
  closeSync(file);
  return [capture, performance.now() - start];
}

function memory(): NonNullable<Reading['memory']> {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed, arrayBuffers, rss };
}

const [path = '', times = '1'] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  const before = globalThis.gc ? memory() : undefined;
  const [capture, ms] = read(path);
  const reading: Reading = { ms, frames: capture.frames.count, calls: capture.calls.count, octets: capture.size };
  if (before) {
    const after = memory();
    reading.memory = {
      heap: after.heap - before.heap,
      arrayBuffers: after.arrayBuffers - before.arrayBuffers,
      rss: after.rss - before.rss,
    };
  }
  console.log(JSON.stringify(reading));
  if (capture.frames.count < 0) throw new Error('the index must outlive the measurement');
}
