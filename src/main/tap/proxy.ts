import { createServer, type Server, type Socket } from 'node:net';
import { bareHost, hostPortText } from './addresses';
import { Connection, type ConnectionContext } from './connection';
import { codeOf, explain } from './errors';
import type { HostPort, TapNotice, TapSettings, TapSpec } from './messages';
import type { Recorder } from './recorder';
import type { Scheduler } from './scheduler';
import { changeSettings } from './settings';

/** The same notice of one tap is told once in this time (ms): a client may try again very often. */
const NOTICE_PAUSE = 1000;

/** What a listener needs of its tap. */
export interface ProxyContext {
  interfaceId: number;
  scheduler: Scheduler;
  recorder: Recorder;
  initialSequence(): [number, number];
  lateness(milliseconds: number): void;
  notice(notice: TapNotice): void;
}

/** One listening address, its upstream and the connections between them. */
export class TapProxy {
  total = 0;
  /** Octets that arrived, by sending side. */
  readonly octets: [number, number] = [0, 0];
  settings: TapSettings;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #told = new Map<string, number>();
  readonly #connectionContext: ConnectionContext;
  #pressed = false;
  /** Accepted before the file was begun; undefined from then on. */
  #early: Socket[] | undefined = [];

  /** @throws an Error of one line when the settings make no sense */
  constructor(
    readonly spec: TapSpec,
    private readonly context: ProxyContext,
  ) {
    this.settings = changeSettings(spec.settings, {});
    this.#connectionContext = this.#makeContext();
    this.#server = createServer({ allowHalfOpen: true, noDelay: true });
    this.#server.on('connection', (socket) => this.#accepted(socket));
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }

  /**
   * Listens and returns the address, with the port that the system chose if it was 0.
   * @throws an Error of one line
   */
  listen(): Promise<HostPort> {
    const { host, port } = this.spec.listen;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(new Error(listenFailure(this.spec.listen, error)));
      this.#server.once('error', fail);
      try {
        this.#server.listen({ host: bareHost(host), port, backlog: 511 }, () => {
          this.#server.off('error', fail);
          this.#server.on('error', (error) => this.#serverFailed(error));
          const address = this.#server.address();
          if (address === null || typeof address === 'string') throw new Error('a TCP server without an address');
          resolve({ host: address.address, port: address.port });
        });
      } catch (error) {
        fail(error);
      }
    });
  }

  /** The file has begun: connections may be recorded. */
  open(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const socket of early) this.#accepted(socket);
  }

  /** @throws an Error of one line when the settings make no sense */
  update(change: Partial<TapSettings>): void {
    this.settings = changeSettings(this.settings, change);
    this.context.recorder.settings(this.context.interfaceId, this.settings);
    for (const connection of this.#connections) connection.configure();
  }

  press(pressed: boolean): void {
    this.#pressed = pressed;
    for (const connection of this.#connections) connection.press(pressed);
  }

  /** Accepts no more and ends what is open. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) connection.stop();
    for (const socket of this.#early ?? []) socket.destroy();
    await closed;
  }

  #accepted(socket: Socket): void {
    if (this.#early) {
      this.#early.push(socket);
      socket.on('error', () => undefined);
      return;
    }
    if (socket.remoteAddress === undefined || socket.localAddress === undefined) {
      // It was reset before we came to it: there is no address to record it by, and no byte of it.
      socket.on('error', () => undefined);
      socket.destroy();
      return;
    }
    this.total += 1;
    const connection = new Connection(socket, this.#connectionContext);
    this.#connections.add(connection);
    if (this.#pressed) connection.press(true);
  }

  #makeContext(): ConnectionContext {
    const { interfaceId, scheduler, recorder, initialSequence, lateness } = this.context;
    const current = () => this.settings;
    return {
      interfaceId,
      scheduler,
      recorder,
      initialSequence,
      lateness,
      upstream: this.spec.upstream,
      octets: this.octets,
      get settings() {
        return current();
      },
      notice: (notice) => this.#tell(notice),
      closed: (connection) => {
        this.#connections.delete(connection);
      },
    };
  }

  #tell(notice: TapNotice): void {
    const last = this.#told.get(notice.message);
    const time = performance.now();
    if (last !== undefined && time - last < NOTICE_PAUSE) return;
    // Messages differ by address and cause only; should they ever be many, forgetting costs a repeated notice.
    if (this.#told.size > 100) this.#told.clear();
    this.#told.set(notice.message, time);
    this.context.notice(notice);
  }

  #serverFailed(error: Error): void {
    const address = hostPortText(this.spec.listen);
    this.#tell({
      severity: 'warning',
      code: 'accept-failed',
      message: `cannot accept on ${address}: ${explain(error)}`,
    });
  }
}

function listenFailure(listen: HostPort, error: unknown): string {
  const { host, port } = listen;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `cannot listen on ${hostPortText(listen)}: port ${port} is already in use`;
    case 'EADDRNOTAVAIL':
      return `cannot listen on ${hostPortText(listen)}: ${host} is not an address of this machine`;
    case 'EACCES':
      return `cannot listen on ${hostPortText(listen)}: port ${port} needs more rights than this program has`;
    default:
      return `cannot listen on ${hostPortText(listen)}: ${explain(error)}`;
  }
}
