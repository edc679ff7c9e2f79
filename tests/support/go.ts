import { type ChildProcessWithoutNullStreams, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { requireTool } from './require';

/** The grpc-go peer of `tests/interop/go`: built once, started and read by these helpers. */

const source = resolve(__dirname, '../interop/go');
const cache = resolve(__dirname, '../../.cache/interop-go');

let version: string | undefined;
function goVersion(): string {
  version ??= spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '';
  return version;
}

/** Whether a Go toolchain is on the PATH; where it is not, the reason for skipping is recorded. */
export function goAvailable(): boolean {
  return requireTool('go');
}

/** `describe`, skipped with the reason in its title where there is no Go toolchain. */
export function describeWithGo(name: string, body: () => void): void {
  if (goAvailable()) describe(name, body);
  else describe.skip(`${name} (skipped: there is no go on the PATH)`, body);
}

let building: Promise<string> | undefined;

/**
 * Path of the program, built unless `.cache/` has one of the same sources and toolchain. Rejects when there is no
 * toolchain, or with what the compiler said. The first build of all downloads grpc-go's modules.
 */
export function buildGoInterop(): Promise<string> {
  building ??= build();
  return building;
}

async function build(): Promise<string> {
  if (!goAvailable()) throw new Error('tests/interop/go needs a Go toolchain, and there is no go on the PATH');
  const hash = createHash('sha256').update(goVersion());
  const names = readdirSync(source).filter((name) => /\.go$|^go\.(mod|sum)$/.test(name));
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(source, name)));
  const directory = join(cache, hash.digest('hex').slice(0, 16));
  const program = join(directory, 'interop');
  if (existsSync(program)) return program;
  mkdirSync(directory, { recursive: true });
  // Several test processes may build at once: each its own file, and the rename is atomic.
  const own = join(directory, `interop-${process.pid}`);
  await promisify(execFile)('go', ['build', '-trimpath', '-o', own, '.'], {
    cwd: source,
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  renameSync(own, program);
  return program;
}

/** Receive windows in octets, both needed (windows.go says why). Without them grpc-go estimates and its windows grow. */
export interface GoWindows {
  streamWindow?: number;
  connWindow?: number;
}

export interface GoServerOptions extends GoWindows {
  /** Default `127.0.0.1:0`. */
  listen?: string;
  /** Pause before every handler: the server's WINDOW_UPDATE + PING then go out alone. */
  handlerDelayMs?: number;
  maxConcurrentStreams?: number;
  /** Through Go's net/http instead of grpc-go's own transport. */
  h2c?: boolean;
}

export interface GoServer {
  /** `HOST:PORT`. */
  target: string;
  host: string;
  port: number;
  /** Resolves with the exit status when the server has ended. */
  close(): Promise<number | null>;
}

export interface GoClientOptions extends GoWindows {
  /** `HOST:PORT` of the server, or of a tap in front of it. */
  target: string;
  /** Default `all`: calls of each of the four kinds. */
  mode?: 'unary' | 'download' | 'upload' | 'chat' | 'all' | 'health-load';
  calls?: number;
  concurrency?: number;
  /** Calls begun per second. */
  rate?: number;
  /** So many of them at the same moment, with a concurrency to match: callers in step. */
  together?: number;
  /** Payload of one call, and of one message of a stream. */
  bytes?: number;
  messageBytes?: number;
  /** `delay_ms` of every request message. */
  delayMs?: number;
  /** Pause before each message that the client reads of a stream. */
  readDelayMs?: number;
  /** A deadline and a traceparent of its own in every call. */
  uniqueHeaders?: boolean;
  /** False leaves out the results of single calls. */
  perCall?: boolean;
}

export type GoKind = 'unary' | 'download' | 'upload' | 'chat' | 'health';

export interface GoCall {
  kind: GoKind;
  call: number;
  ms: number;
  /** Name of a gRPC status; a response that is not what was asked for is DATA_LOSS. */
  status: string;
  message?: string;
  messages: number;
  bytes: number;
  mibPerSecond: number;
}

export interface GoSummary {
  summary: true;
  kind: GoKind;
  calls: number;
  failed: number;
  seconds: number;
  callsPerSecond: number;
  bytes: number;
  mibPerSecond: number;
  /** Of calls that ended with OK. */
  meanMs: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

export interface GoClientResult {
  calls: GoCall[];
  summaries: GoSummary[];
  /** 0: every call ended with OK and the right content; 1: some did not. */
  exitStatus: number | null;
  stderr: string;
}

type Flags = Record<string, string | number | boolean | undefined>;

function flagArguments(flags: Flags): string[] {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `--${name}=${value}`);
}

function inMilliseconds(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count}ms`;
}

async function start(command: 'server' | 'client', flags: Flags) {
  const child = spawn(await buildGoInterop(), [command, ...flagArguments(flags)], { stdio: 'pipe' });
  // The program ends when its standard input does, thus also when this process dies.
  child.stdin.on('error', () => undefined);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([status]) => status as number | null);
  return { child, ended, stderr: () => stderr };
}

function lines(child: ChildProcessWithoutNullStreams): AsyncIterable<string> {
  return createInterface({ input: child.stdout });
}

/** Starts the server (health and flow, cleartext) and waits until it listens. Rejects with what it said if it ends. */
export async function startGoServer(options: GoServerOptions = {}): Promise<GoServer> {
  const { child, ended, stderr } = await start('server', {
    listen: options.listen,
    'stream-window': options.streamWindow,
    'conn-window': options.connWindow,
    'handler-delay': inMilliseconds(options.handlerDelayMs),
    'max-concurrent-streams': options.maxConcurrentStreams,
    h2c: options.h2c,
  });
  for await (const line of lines(child)) {
    const target = (JSON.parse(line) as { listening: string }).listening;
    const colon = target.lastIndexOf(':');
    return {
      target,
      host: target.slice(0, colon),
      port: Number(target.slice(colon + 1)),
      close() {
        child.stdin.end();
        return ended;
      },
    };
  }
  await ended;
  throw new Error(`the Go server ended before it listened: ${stderr()}`);
}

/** Runs the client to its end. Calls that fail are in the result; rejects only when its output can't be understood. */
export async function runGoClient(options: GoClientOptions): Promise<GoClientResult> {
  const { child, ended, stderr } = await start('client', {
    target: options.target,
    mode: options.mode,
    calls: options.calls,
    concurrency: options.concurrency,
    rate: options.rate,
    together: options.together,
    bytes: options.bytes,
    'message-bytes': options.messageBytes,
    'delay-ms': options.delayMs,
    'read-delay': inMilliseconds(options.readDelayMs),
    'unique-headers': options.uniqueHeaders,
    'per-call': options.perCall,
    'stream-window': options.streamWindow,
    'conn-window': options.connWindow,
  });
  const calls: GoCall[] = [];
  const summaries: GoSummary[] = [];
  for await (const line of lines(child)) {
    const result = JSON.parse(line) as GoCall | GoSummary;
    if ('summary' in result) summaries.push(result);
    else calls.push(result);
  }
  return { calls, summaries, exitStatus: await ended, stderr: stderr() };
}
