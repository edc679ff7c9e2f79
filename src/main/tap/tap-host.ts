import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  FromWorker,
  HostPort,
  TapNotice,
  TapOptions,
  TapSettings,
  TapStats,
  TapSummary,
  ToWorker,
} from './messages';

export interface TapHostOptions extends TapOptions {
  /** The built worker; beside this file in the build's output when not given. */
  workerPath?: string;
}

/** Listeners by event. */
export interface TapHostEvents {
  /** The file is complete up to this length. */
  committed: (length: number) => void;
  notice: (notice: TapNotice) => void;
}

type Request = ToWorker extends infer Message ? (Message extends { id: number } ? Omit<Message, 'id'> : never) : never;

interface Waiting {
  resolve(reply: FromWorker): void;
  reject(error: Error): void;
}

/** A capture in its own thread, as the thread that started it sees it. */
export class TapHost {
  readonly #emitter = new EventEmitter();
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** Why requests are refused, once the worker has ended. */
  #over: Error | undefined;
  #summary: Promise<TapSummary> | undefined;

  private constructor(
    private readonly worker: Worker,
    readonly listening: HostPort[],
  ) {}

  /** @throws an Error of one line: a port in use, a bad address, an unwritable file */
  static start({ workerPath, ...options }: TapHostOptions): Promise<TapHost> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(workerPath ?? join(__dirname, 'tap-worker.js'), { workerData: options });
      const failed = (error: Error) => reject(error);
      const ended = () => reject(new Error('the tap worker ended before it had started'));
      worker.once('error', failed);
      worker.once('exit', ended);
      worker.once('message', (message: FromWorker) => {
        worker.off('error', failed);
        worker.off('exit', ended);
        if (message.kind === 'started') {
          const host = new TapHost(worker, message.listening);
          host.#attach();
          resolve(host);
        } else {
          reject(
            new Error(message.kind === 'failed' ? message.message : `unexpected from the worker: ${message.kind}`),
          );
        }
      });
    });
  }

  on<Event extends keyof TapHostEvents>(event: Event, listener: TapHostEvents[Event]): this {
    this.#emitter.on(event, listener);
    return this;
  }

  off<Event extends keyof TapHostEvents>(event: Event, listener: TapHostEvents[Event]): this {
    this.#emitter.off(event, listener);
    return this;
  }

  /** Changes a tap's settings, on open connections too. @throws an Error of one line on values that make no sense */
  async update(tap: number, settings: Partial<TapSettings>): Promise<void> {
    await this.#request({ kind: 'update', tap, settings });
  }

  async stats(): Promise<TapStats> {
    const reply = await this.#request({ kind: 'stats' });
    if (reply.kind !== 'stats') throw new Error(`stats answered by ${reply.kind}`);
    return reply.stats;
  }

  /** Ends listeners and connections; the file is complete when this resolves. Stopping twice is stopping once. */
  stop(): Promise<TapSummary> {
    this.#summary ??= this.#stop();
    return this.#summary;
  }

  async #stop(): Promise<TapSummary> {
    const reply = await this.#request({ kind: 'stop' });
    if (reply.kind !== 'stopped') throw new Error(`stop answered by ${reply.kind}`);
    return reply.summary;
  }

  #request(request: Request): Promise<FromWorker> {
    if (this.#over) return Promise.reject(this.#over);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...request, id } satisfies ToWorker);
    });
  }

  #attach(): void {
    this.worker.on('message', (message: FromWorker) => this.#receive(message));
    this.worker.on('error', (error) => {
      const message = `the tap has failed: ${error.message}`;
      this.#end(new Error(message));
      this.#emitter.emit('notice', { severity: 'error', code: 'tap-crashed', message } satisfies TapNotice);
    });
    this.worker.on('exit', () => this.#end(new Error('the tap has ended')));
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'committed':
        this.#emitter.emit('committed', message.length);
        break;
      case 'notice':
        this.#emitter.emit('notice', message.notice);
        break;
      case 'updated':
      case 'stats':
      case 'stopped':
        this.#take(message.id)?.resolve(message);
        break;
      case 'refused':
        this.#take(message.id)?.reject(new Error(message.message));
        break;
      case 'started':
      case 'failed':
        break;
      default:
        assertNever(message);
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #end(error: Error): void {
    this.#over ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#over);
    this.#waiting.clear();
  }
}

function assertNever(message: never): never {
  throw new Error(`unknown message from the tap worker: ${JSON.stringify(message)}`);
}
