import type { EngineApi, EngineProgress } from '../../shared/contract';
import { EngineHost } from '../session/engine-host';

export interface EngineSlotEvents {
  progress(progress: EngineProgress): void;
  /** The engine had failed by a fault of its own, and knows no capture any more: another one stands in its place. */
  replaced(error: Error): void;
}

/** The one engine, and after its failure the next. */
export class EngineSlot {
  private closed = false;

  private constructor(
    private readonly workerPath: string,
    private current: EngineHost,
  ) {}

  /** Nothing is told before `listen`. */
  static async start(workerPath: string): Promise<EngineSlot> {
    return new EngineSlot(workerPath, await EngineHost.start({ workerPath }));
  }

  get host(): EngineHost {
    return this.current;
  }

  get api(): EngineApi {
    return this.current.api;
  }

  listen(events: EngineSlotEvents): void {
    const host = this.current;
    host.on('progress', (progress) => {
      if (this.current === host) events.progress(progress);
    });
    host.on('failed', (error) => void this.replace(events, error).catch(() => undefined));
  }

  /** Resolves when rows of a long file can be shown, though its reading has not ended. */
  firstRows(): Promise<void> {
    const host = this.current;
    return new Promise((resolve) => {
      const listener = ({ state, frames }: EngineProgress) => {
        if (state !== 'reading' || frames === 0) return;
        host.off('progress', listener);
        resolve();
      };
      host.on('progress', listener);
    });
  }

  async stop(): Promise<void> {
    this.closed = true;
    await this.current.stop();
  }

  private async replace(events: EngineSlotEvents, error: Error): Promise<void> {
    if (this.closed) return;
    this.current = await EngineHost.start({ workerPath: this.workerPath });
    this.listen(events);
    events.replaced(error);
  }
}
