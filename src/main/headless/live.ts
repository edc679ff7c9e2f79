import type { EngineStatus } from '../../shared/contract';
import { MAX_RECORDS } from '../../shared/contract';
import type { CallRecord, FrameRecord } from '../../shared/records';
import { EngineHost } from '../session/engine-host';
import { visible } from '../session/text';
import type { HostPort, TapNotice, TapSpec, TapSummary } from '../tap/messages';
import { TapHost } from '../tap/tap-host';
import type { Context } from './context';
import { failure, OutputClosed } from './errors';
import { FrameFeed } from './frame-feed';

export interface LiveOptions {
  file: string;
  tap: TapSpec;
  maxSize?: number;
  /** Takes the frames as they come; without it, none are asked for. */
  onFrames?: (frames: FrameRecord[]) => Promise<void>;
  /** Something ended that the capture lives by: the reader of the output, or the tap. */
  onEnd(error: unknown): void;
}

export interface LiveSummary {
  tap: TapSummary;
  /** Undefined when the engine had failed. */
  engine: EngineStatus | undefined;
  /** How many calls ended with which status; `open` for those that did not. */
  statuses: Map<string, number>;
}

/** One tap and an engine that follows its file, each in its thread. */
export class LiveCapture {
  private engineFailure: Error | undefined;
  private feed: FrameFeed | undefined;

  private constructor(
    private readonly tap: TapHost,
    private readonly engine: EngineHost,
    private readonly context: Context,
  ) {}

  /** @throws CommandError: a port in use, an address that is none, a file that cannot be written */
  static async start(context: Context, options: LiveOptions): Promise<LiveCapture> {
    const { file, tap: spec, maxSize, onFrames, onEnd } = options;
    const engine = await EngineHost.start({ workerPath: context.engineWorker });
    let tap: TapHost;
    try {
      const limit = maxSize === undefined ? {} : { maxSize };
      tap = await TapHost.start({ file, taps: [spec], workerPath: context.tapWorker, ...limit });
    } catch (error) {
      await engine.stop();
      throw failure(visible((error as Error).message));
    }
    let committed = 0;
    const track = (length: number) => {
      committed = length;
    };
    tap.on('committed', track);
    tap.on('notice', (notice) => {
      context.note(noticeText(notice));
      if (notice.code === 'tap-crashed') onEnd(failure('the capture ended early'));
    });
    const live = new LiveCapture(tap, engine, context);
    if (onFrames !== undefined) {
      live.feed = new FrameFeed(engine, onFrames, (error) => {
        if (error instanceof OutputClosed) onEnd(error);
        else live.lose(error as Error);
      });
    }
    engine.on('failed', (error) => live.lose(error));
    await engine.follow(file).catch((error: Error) => live.lose(error));
    engine.committed(committed);
    tap.off('committed', track).on('committed', (length) => engine.committed(length));
    return live;
  }

  get listening(): HostPort {
    return this.tap.listening[0]!;
  }

  /** Waits until all connections have ended as their peers end them, at most so long (milliseconds). */
  async drained(patience: number): Promise<void> {
    const until = performance.now() + patience;
    while (performance.now() < until) {
      const { connections } = await this.tap.stats();
      if (connections.open === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Why frames are missing from the output, though the file has them. */
  get lost(): Error | undefined {
    return this.engineFailure;
  }

  /**
   * Ends the tap; the file is complete then, and all frames are handed on before the calls are, in pages.
   * @throws CommandError when the tap had failed
   */
  async stop(onCalls: (calls: CallRecord[]) => void = () => undefined): Promise<LiveSummary> {
    try {
      const tap = await this.tap.stop().catch((error: Error) => {
        throw failure(visible(error.message));
      });
      return { tap, ...(await this.finish(onCalls)) };
    } finally {
      await this.engine.stop();
    }
  }

  private async finish(onCalls: (calls: CallRecord[]) => void): Promise<Omit<LiveSummary, 'tap'>> {
    const statuses = new Map<string, number>();
    try {
      await this.engine.finish();
      await this.feed?.finish();
      for (let from = 1; ; ) {
        const page = await this.engine.calls(from, MAX_RECORDS);
        if (page.length === 0) break;
        from += page.length;
        for (const call of page) {
          const name = statusName(call);
          statuses.set(name, (statuses.get(name) ?? 0) + 1);
        }
        onCalls(page);
      }
      return { engine: await this.engine.status(), statuses };
    } catch (error) {
      this.lose(error as Error);
      return { engine: undefined, statuses };
    }
  }

  /** Without the engine the tap goes on: the file can be read later. */
  private lose(error: Error): void {
    if (this.engineFailure !== undefined) return;
    this.engineFailure = error;
    this.context.note(`error: ${visible(error.message)}; frames are no longer printed, the file is still written`);
  }
}

function statusName(call: CallRecord): string {
  if (call.kind === 'grpc') return call.statusName ?? 'open';
  return call.httpStatus === null ? call.state : `HTTP ${call.httpStatus}`;
}

function noticeText({ severity, message }: TapNotice): string {
  return severity === 'info' ? visible(message) : `${severity}: ${visible(message)}`;
}
