import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { HostPort, TapNotice, TapOptions, TapSettings, TapSpec } from '../../../src/main/tap/messages';
import { Tap, type TapTuning } from '../../../src/main/tap/tap';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Runs after the test, in reverse order. */
export function afterThisTest(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** A path in a folder that goes away with the test. */
export function temporaryFile(name = 'capture.pcapng'): string {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tap-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

export const NO_DELAY: TapSettings = { delayToServer: 0, delayToClient: 0, delayConnect: false };

export interface TestServer extends HostPort {
  server: Server;
}

/** A server with half-open connections; its sockets' errors are the tests' wish and ignored. */
export async function serve(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: 0 }, resolve);
  });
  afterThisTest(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, host, port: address.port };
}

/** Sends back what it gets, and its end. */
export function echo(host?: string): Promise<TestServer> {
  return serve((socket) => socket.pipe(socket), host);
}

export interface TestTap {
  tap: Tap;
  /** Where the first (or only) tap listens. */
  address: HostPort;
  file: string;
  notices: TapNotice[];
  /** Every length that was announced as complete. */
  committed: number[];
}

export async function startTap(
  upstream: HostPort,
  settings: Partial<TapSettings> = {},
  options: Partial<TapOptions> = {},
  tuning: TapTuning = {},
): Promise<TestTap> {
  const file = options.file ?? temporaryFile();
  const notices: TapNotice[] = [];
  const committed: number[] = [];
  const spec: TapSpec = {
    listen: { host: '127.0.0.1', port: 0 },
    upstream: { host: upstream.host, port: upstream.port },
    settings: { ...NO_DELAY, ...settings },
  };
  const events = {
    committed: (length: number) => committed.push(length),
    notice: (notice: TapNotice) => notices.push(notice),
  };
  const tap = await Tap.start({ taps: [spec], ...options, file }, events, tuning);
  let stopped: Promise<unknown> | undefined;
  const stop = tap.stop.bind(tap);
  tap.stop = () => {
    const stopping = stop();
    stopped = stopping;
    return stopping;
  };
  afterThisTest(() => stopped ?? stop());
  return { tap, address: tap.listening[0]!, file, notices, committed };
}

/** A client whose errors are kept instead of thrown. */
export class Client {
  readonly socket: Socket;
  readonly chunks: Buffer[] = [];
  received = 0;
  error: NodeJS.ErrnoException | undefined;
  ended = false;
  readonly connected: Promise<void>;
  /** Resolves when the socket is closed, however it ended. */
  readonly closed: Promise<void>;
  #wake: (() => void)[] = [];

  constructor(address: HostPort, options: { allowHalfOpen?: boolean; paused?: boolean } = {}) {
    const { allowHalfOpen = true, paused = false } = options;
    this.socket = connect({ host: address.host, port: address.port, allowHalfOpen, noDelay: true });
    afterThisTest(() => this.socket.destroy());
    this.connected = new Promise((resolve) => this.socket.once('connect', () => resolve()));
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.socket.on('error', (error) => {
      this.error = error;
    });
    this.socket.on('end', () => {
      // A reset that comes together with the last octets is an end for libuv; writing nothing tells them apart.
      const settled = (error?: Error | null): void => {
        if (!error) this.ended = true;
        this.#notify();
      };
      if (this.socket.writable) this.socket.write(Buffer.alloc(0), settled);
      else settled();
    });
    if (!paused) this.read();
    this.socket.on('close', () => this.#notify());
  }

  read(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      this.chunks.push(chunk);
      this.#notify();
    });
  }

  get octets(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Resolves once so many octets have come; rejects when the connection ends before. */
  async until(octets: number): Promise<void> {
    while (this.received < octets) {
      if (this.socket.destroyed) throw new Error(`closed after ${this.received} of ${octets} octets: ${this.error}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** Sends and waits for as many octets more; returns the milliseconds that it took. */
  async exchange(octets: Uint8Array): Promise<number> {
    const goal = this.received + octets.length;
    const start = performance.now();
    this.socket.write(octets);
    await this.until(goal);
    return performance.now() - start;
  }

  async untilEnd(): Promise<void> {
    while (!this.ended && !this.socket.destroyed) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** Resolves when `condition` holds, looking again after every turn of the event loop. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Octets that don't repeat in a simple way, the same for the same seed. */
export function noise(length: number, seed = 1): Buffer {
  const octets = Buffer.allocUnsafe(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    octets[i] = state >>> 24;
  }
  return octets;
}
