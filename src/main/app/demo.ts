import { setTimeout as sleep } from 'node:timers/promises';
import { runDemoCalls } from '../lab/flow-clients';
import { type FlowServer, startFlowServer } from '../lab/flow-service';

/** Milliseconds between two rounds of calls: time to look, but never a standstill for long. */
const PAUSE = 1500;

/** A real server, and calls to it through whatever is in front of it, round after round until stopped. */
export class Demo {
  private readonly stopped = new AbortController();

  private constructor(private readonly server: FlowServer) {}

  /** @throws when the server cannot be started */
  static async start(): Promise<Demo> {
    return new Demo(await startFlowServer({ host: '127.0.0.1' }));
  }

  get port(): number {
    return this.server.port;
  }

  /** @param target `HOST:PORT` of the tap */
  call(target: string): void {
    void this.rounds(target);
  }

  /** Calls that are under way fail as soon as the tap is gone; nobody waits for them. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.server.close();
  }

  private async rounds(target: string): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await runDemoCalls(target);
      await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
    }
  }
}
