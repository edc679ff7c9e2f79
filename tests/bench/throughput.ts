/** What the tap costs: grpc-go behind nothing, behind a plain forwarder, behind the tap, behind the tap while its file is indexed. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type GoServer, type GoSummary, runGoClient, startGoServer } from '../support/go';
import { startTap, target, WINDOWS } from './fixtures';
import { followed } from './following';
import { figure, note, ratios, section } from './report';

const ROUNDS = 5;
const BYTES = 512 * 1024 * 1024;
const MESSAGE_BYTES = 256 * 1024;
const CALLS = 3000;

/** A way from the client to the server; `run` is given the address to call. */
type Way = (server: GoServer, run: (address: string) => Promise<void>) => Promise<void>;

const direct: Way = (server, run) => run(server.target);

const forwarded: Way = async ({ host, port }, run) => {
  const worker = new Worker(join(__dirname, 'forwarder.js'), { workerData: { host, port } });
  const [listening] = (await once(worker, 'message')) as [number];
  await run(`127.0.0.1:${listening}`);
  await worker.terminate();
};

const tapped: Way = (server, run) =>
  inTemporaryFile(async (file) => {
    const tap = await startTap(file, server);
    await run(target(tap));
    await tap.stop();
  });

/** The tap with the engine reading behind it; how far behind, is told by `lag` (ms after the tap's end). */
function tappedAndFollowed(lag: number[]): Way {
  return (server, run) =>
    inTemporaryFile(async (file) => {
      const tap = await startTap(file, server);
      const finish = await followed(tap, file);
      await run(target(tap));
      await tap.stop();
      const start = performance.now();
      await finish();
      lag.push(performance.now() - start);
    });
}

export async function throughput(): Promise<void> {
  section(`One download of ${BYTES >> 20} MiB in messages of ${MESSAGE_BYTES >> 10} KiB, grpc-go, windows of 4 MiB`);
  const lag: number[] = [];
  const ways = { direct, forwarded, tapped, followed: tappedAndFollowed(lag) };
  const load = { mode: 'download', bytes: BYTES, messageBytes: MESSAGE_BYTES, ...WINDOWS } as const;
  const rates = await inTurns(ways, load, (summary) => summary.mibPerSecond);
  figure('direct', rates.direct, 'MiB/s', undefined, 0);
  figure('plain Node forwarder', rates.forwarded, 'MiB/s', undefined, 0);
  figure('tap, capturing', rates.tapped, 'MiB/s', undefined, 0);
  figure('tap, capturing, engine following', rates.followed, 'MiB/s', undefined, 0);
  figure('tap / forwarder', ratios(rates.tapped, rates.forwarded), '', { atLeast: 0.6 });
  figure('tap with engine / forwarder', ratios(rates.followed, rates.forwarded), '', { atLeast: 0.4 });
  figure('engine done after the tap', lag, 'ms', undefined, 0);
}

export async function unary(): Promise<void> {
  section(`Time of one unary call, ${CALLS} health checks one after another, p50 of each run`);
  const load = { mode: 'health-load', calls: CALLS } as const;
  const times = await inTurns({ direct, forwarded, tapped }, load, (summary) => summary.p50Ms * 1000);
  figure('direct', times.direct, 'µs', undefined, 0);
  figure('plain Node forwarder', times.forwarded, 'µs', undefined, 0);
  figure('tap, capturing', times.tapped, 'µs', undefined, 0);
  figure('tap / direct', ratios(times.tapped, times.direct));
  figure('tap / forwarder', ratios(times.tapped, times.forwarded));
  note('a forwarder in between is two more hops over loopback, each with a wake-up');
}

/** Measures each way once a round, so that what else the machine does meets them all. */
async function inTurns<Name extends string>(
  ways: Record<Name, Way>,
  load: Omit<Parameters<typeof runGoClient>[0], 'target'>,
  value: (summary: GoSummary) => number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const server = await startGoServer(WINDOWS);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        await ways[name](server, async (address) => {
          const { summaries, exitStatus, stderr } = await runGoClient({ ...load, target: address, perCall: false });
          if (exitStatus !== 0) throw new Error(`${name}: ${stderr}`);
          values[name].push(value(summaries[0]!));
        });
      }
    }
  } finally {
    await server.close();
  }
  return values;
}

async function inTemporaryFile(run: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
  try {
    await run(join(folder, 'capture.pcapng'));
  } finally {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}
