/** How exact the delays are, as the tap knows it and as a client sees it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fixture, startTap } from './fixtures';
import { figure, note, quantile, section } from './report';

/** Milliseconds, in each direction. */
const DELAYS = [0, 2.5, 10, 32];
const ECHOES = 400;
const RUNS = 3;
/** Milliseconds between two echoes, at random: several may be on their way at once. */
const LEAST_PAUSE = 1;
const MOST_PAUSE = 8;
const MESSAGE = 64;

export async function delays(): Promise<void> {
  const { path } = await fixture('unique');
  for (const busy of [false, true]) {
    section(`Delays, ${busy ? 'a thread beside it decoding a capture in a loop' : 'nothing else of ours running'}`);
    const worker = busy ? new Worker(join(__dirname, 'busy.js'), { workerData: { path } }) : undefined;
    if (worker) await once(worker, 'message');
    for (const delay of DELAYS) await oneDelay(delay);
    await worker?.terminate();
  }
}

async function oneDelay(delay: number): Promise<void> {
  const own = { p50: [] as number[], p99: [] as number[], max: [] as number[] };
  const seen = { min: [] as number[], p50: [] as number[], p99: [] as number[], max: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    const { errors, excess } = await measure(delay);
    own.p50.push(errors.p50);
    own.p99.push(errors.p99);
    own.max.push(errors.max);
    seen.min.push(Math.min(...excess));
    seen.p50.push(quantile(excess, 0.5));
    seen.p99.push(quantile(excess, 0.99));
    seen.max.push(Math.max(...excess));
  }
  note(`${delay} ms a direction`);
  if (delay > 0) {
    figure('written after its due time, p50', own.p50, 'ms', { atMost: 0.1 }, 3);
    figure('written after its due time, p99', own.p99, 'ms', { atMost: 1 }, 3);
    figure('written after its due time, max', own.max, 'ms', undefined, 3);
  }
  figure('round trip of an echo beyond the delays, least', seen.min, 'ms', { atLeast: -0.05 }, 3);
  figure('round trip of an echo beyond the delays, p50', seen.p50, 'ms', undefined, 3);
  figure('round trip of an echo beyond the delays, p99', seen.p99, 'ms', undefined, 3);
}

/** Echoes through a new tap: its own delay errors, and by how much each round trip was longer than the two delays (ms). */
async function measure(delay: number) {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined).on('data', (octets) => socket.write(octets));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings = { delayToServer: delay, delayToClient: delay, delayConnect: false };
  const upstream = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const tap = await startTap(join(folder, 'capture.pcapng'), upstream, 0, settings);
  const client = connect({ host: '127.0.0.1', port: tap.listening[0]!.port, noDelay: true });
  await once(client, 'connect');
  try {
    const excess = await echoes(client, 2 * delay);
    return { errors: (await tap.stats()).delayError, excess };
  } finally {
    client.destroy();
    await tap.stop();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends messages at random times and takes the time until all octets of each are back, less what it must be. */
function echoes(client: Socket, expected: number): Promise<number[]> {
  const sent: number[] = [];
  const excess: number[] = [];
  let received = 0;
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.on('data', (octets) => {
      const now = performance.now();
      received += octets.length;
      while ((excess.length + 1) * MESSAGE <= received) excess.push(now - sent[excess.length]! - expected);
      if (excess.length === ECHOES) resolve(excess);
    });
    const send = () => {
      sent.push(performance.now());
      client.write(Buffer.alloc(MESSAGE, sent.length));
      if (sent.length < ECHOES) setTimeout(send, LEAST_PAUSE + Math.random() * (MOST_PAUSE - LEAST_PAUSE));
    };
    send();
  });
}
