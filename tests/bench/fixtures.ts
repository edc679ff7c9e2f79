/** Captures that the benchmark reads: real grpc-go through the real tap, made once in .cache/bench. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TapHost } from '../../src/main/tap/tap-host';
import { type GoClientOptions, type GoServer, runGoClient, startGoServer } from '../support/go';

const folder = resolve('.cache/bench');
const WINDOW = 4 * 1024 * 1024;

/** Static receive windows of 4 MiB on both sides. */
export const WINDOWS = { streamWindow: WINDOW, connWindow: WINDOW };
/** A tap that delays nothing. */
export const NO_DELAY = { delayToServer: 0, delayToClient: 0, delayConnect: false };

/** What a grpc-go client must be asked for to fill a capture. */
const LOADS = {
  /** Health checks whose header blocks repeat; many calls share a socket read. */
  health: { mode: 'health-load', calls: 20_000, concurrency: 100 },
  /** The same, but each call has a deadline and a trace id of its own. */
  unique: { mode: 'health-load', calls: 20_000, concurrency: 100, uniqueHeaders: true },
  /** 200 MiB in messages of 256 KiB. */
  download: { mode: 'download', bytes: 200 * 1024 * 1024, messageBytes: 256 * 1024, ...WINDOWS },
  /** More than a million frames: calls one after another, so that every write is a chunk of its own. */
  million: { mode: 'health-load', calls: 180_000 },
  millionUnique: { mode: 'health-load', calls: 180_000, uniqueHeaders: true },
} satisfies Record<string, Omit<GoClientOptions, 'target'>>;

export type FixtureName = keyof typeof LOADS;

export interface Fixture {
  path: string;
  /** The tap's listening port, which tshark is told is HTTP/2. */
  port: number;
}

/** The capture of that name; made first if it is not there. */
export async function fixture(name: FixtureName): Promise<Fixture> {
  // The port is part of the name; each capture has its own.
  const port = 50_100 + Object.keys(LOADS).indexOf(name);
  const path = join(folder, `${name}.pcapng`);
  if (existsSync(path)) return { path, port };
  mkdirSync(folder, { recursive: true });
  console.log(`making ${path} …`);
  const server = await startGoServer(WINDOWS);
  try {
    const unfinished = `${path}.part`;
    await capture(unfinished, server, port, LOADS[name]);
    renameSync(unfinished, path);
  } finally {
    await server.close();
  }
  return { path, port };
}

async function capture(file: string, server: GoServer, port: number, load: Omit<GoClientOptions, 'target'>) {
  const tap = await startTap(file, server, port);
  const { exitStatus, stderr } = await runGoClient({ ...load, target: target(tap), perCall: false });
  await tap.stop();
  if (exitStatus !== 0) throw new Error(`the calls failed: ${stderr}`);
}

/** A tap in its worker, in front of a server. Port 0 lets the system choose. */
export function startTap(file: string, upstream: { host: string; port: number }, port = 0, settings = NO_DELAY) {
  const { host, port: upstreamPort } = upstream;
  const spec = { listen: { host: '127.0.0.1', port }, upstream: { host, port: upstreamPort }, settings };
  return TapHost.start({ file, taps: [spec], maxSize: 8 * 1024 ** 3 });
}

export function target(tap: TapHost): string {
  return `127.0.0.1:${tap.listening[0]!.port}`;
}
