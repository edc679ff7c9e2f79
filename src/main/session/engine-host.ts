import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import {
  type EngineApi,
  type EngineEvents,
  type EngineProgress,
  type EngineStatus,
  MAX_RECORDS,
} from '../../shared/contract';
import type { CallRecord, ConnectionRecord, FrameRecord } from '../../shared/records';
import { refuseTerminal } from './input';

export interface EngineHostOptions {
  /** The built worker; beside this file in the build's output when not given. */
  workerPath?: string;
}

/** Listeners by event. */
export interface EngineHostEvents {
  progress: (progress: EngineProgress) => void;
  /** The engine is gone by a fault of its own; all that is asked of it is refused with this error. */
  failed: (error: Error) => void;
}

/** An engine in its own thread, as the thread that started it sees it. */
export class EngineHost {
  /** The engine's whole contract. Calls reject with a clear error when the engine is gone; none hangs. */
  readonly api: EngineApi;
  readonly #emitter = new EventEmitter();
  readonly #rpc: BirpcReturn<EngineApi, EngineEvents>;
  /** Views of filters that `frames` was asked for. */
  readonly #views = new Map<string, Promise<number>>();
  #over: Error | undefined;
  #stopping = false;

  private constructor(private readonly worker: Worker) {
    this.#rpc = createBirpc<EngineApi, EngineEvents>(
      { progress: (progress) => void this.#emitter.emit('progress', progress) },
      {
        post: (message) => worker.postMessage(message),
        on: (listener) => void worker.on('message', listener),
        timeout: -1,
      },
    );
    this.api = refusing(this.#rpc, () => this.#over);
    worker.on('error', (error) => this.#end(new Error(`the engine has failed: ${error.message}`, { cause: error })));
    worker.on('messageerror', (error) => this.#end(new Error(`the engine cannot be understood: ${error.message}`)));
    worker.on('exit', () => this.#end(new Error('the engine has ended')));
  }

  /** @throws an Error of one line when the worker cannot be started */
  static async start({ workerPath }: EngineHostOptions = {}): Promise<EngineHost> {
    const host = new EngineHost(new Worker(workerPath ?? join(__dirname, 'engine-worker.js'), { stdin: true }));
    await host.api.status();
    return host;
  }

  on<Event extends keyof EngineHostEvents>(event: Event, listener: EngineHostEvents[Event]): this {
    this.#emitter.on(event, listener);
    return this;
  }

  off<Event extends keyof EngineHostEvents>(event: Event, listener: EngineHostEvents[Event]): this {
    this.#emitter.off(event, listener);
    return this;
  }

  /** Reads a whole file; `-` is this process's standard input. */
  async open(file: string): Promise<void> {
    if (file === '-') {
      refuseTerminal(process.stdin);
      process.stdin.pipe(this.worker.stdin!);
    }
    await this.api.open(file);
  }

  follow(file: string): Promise<void> {
    return this.api.follow(file);
  }

  /** The followed file is complete up to `length`. */
  committed(length: number): void {
    if (this.#over === undefined) void this.#rpc.committed.asEvent(length);
  }

  /** Resolves when all that was committed is decoded. */
  finish(): Promise<void> {
    return this.api.finish();
  }

  status(): Promise<EngineStatus> {
    return this.api.status();
  }

  /**
   * `count` frames (at most MAX_RECORDS) from position `from`, counted from 1: without a filter, positions are the
   * frames' numbers; with one, those of the frames that pass.
   * @throws an Error that says what is wrong with the filter
   */
  async frames(from: number, count: number, filter?: string): Promise<FrameRecord[]> {
    const range = { from: from - 1, count };
    if (filter === undefined) return (await this.api.frames(range)).items;
    const view = await this.#viewOf(filter);
    return (await this.api.frames({ ...range, view, settled: true })).items;
  }

  /** Positions count from 1. */
  async calls(from: number, count: number): Promise<CallRecord[]> {
    return (await this.api.calls({ from: from - 1, count })).items;
  }

  async connections(): Promise<ConnectionRecord[]> {
    const all: ConnectionRecord[] = [];
    for (;;) {
      const { items, total } = await this.api.connections({ from: all.length, count: MAX_RECORDS });
      all.push(...items);
      if (all.length >= total || items.length === 0) return all;
    }
  }

  /** Ends the engine's thread; what was asked and not answered is refused. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#over === undefined) await this.api.close().catch(() => undefined);
    this.#end(new Error('the engine was stopped'));
    await this.worker.terminate();
  }

  #viewOf(filter: string): Promise<number> {
    const known = this.#views.get(filter);
    if (known !== undefined) return known;
    const view = this.api.setFilter(filter).then((answer) => {
      if ('view' in answer) return answer.view;
      this.#views.delete(filter);
      throw new Error(answer.error.message);
    });
    this.#views.set(filter, view);
    return view;
  }

  #end(error: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#rpc.$close(error);
    if (!this.#stopping) this.#emitter.emit('failed', error);
  }
}

/** Passes calls on until there is a reason to refuse them. */
function refusing(rpc: BirpcReturn<EngineApi, EngineEvents>, over: () => Error | undefined): EngineApi {
  return new Proxy(rpc, {
    get(target, method, receiver) {
      const error = over();
      if (error === undefined || method === 'then') return Reflect.get(target, method, receiver);
      return () => Promise.reject(error);
    },
  });
}
