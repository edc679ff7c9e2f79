import type { EngineProgress } from '../../shared/contract';
import type { FrameRecord } from '../../shared/records';
import type { EngineHost } from '../session/engine-host';

/** Records asked for at a time: the next are asked for when these are printed, so that a slow reader holds so many. */
const BATCH = 500;

/**
 * Hands the engine's frames on as they come, each once and in order. Whoever takes them may be slow: the engine keeps
 * them as columns and the tap does not notice.
 */
export class FrameFeed {
  private next = 1;
  private known = 0;
  private running: Promise<void> | undefined;
  private failure: unknown;
  private readonly listener = (progress: EngineProgress) => this.advance(progress.frames);

  constructor(
    private readonly engine: EngineHost,
    private readonly take: (frames: FrameRecord[]) => Promise<void>,
    /** `take` has failed; nothing more is handed on. */
    private readonly failed: (error: unknown) => void,
  ) {
    engine.on('progress', this.listener);
  }

  /** Hands on what is left, once the engine has read everything. */
  async finish(): Promise<void> {
    this.engine.off('progress', this.listener);
    await this.running;
    this.advance((await this.engine.status()).frames);
    await this.running;
  }

  private advance(known: number): void {
    this.known = Math.max(this.known, known);
    if (this.running !== undefined || this.failure !== undefined) return;
    this.running = this.run()
      .catch((error: unknown) => {
        this.failure = error;
        this.failed(error);
      })
      .finally(() => {
        this.running = undefined;
      });
  }

  private async run(): Promise<void> {
    while (this.next <= this.known) {
      const frames = await this.engine.frames(this.next, BATCH);
      if (frames.length === 0) return;
      this.next += frames.length;
      await this.take(frames);
    }
  }
}
