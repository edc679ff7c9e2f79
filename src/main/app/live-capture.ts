import type { CaptureSettings, LiveSettings, TapFigures } from '../../shared/app';
import { hostPortText } from '../tap/addresses';
import type { TapNotice, TapSettings, TapSpec, TapStats, TapSummary } from '../tap/messages';
import { TapHost } from '../tap/tap-host';
import { tapSettingsOf } from './capture-settings';
import { Demo } from './demo';

/** Milliseconds between two looks at the tap's figures. */
const INTERVAL = 500;

/** The path that the demo imitates: a round trip of 20 ms. */
const DEMO: LiveSettings = {
  delayToServer: 10,
  delayToClient: 10,
  rateToServer: null,
  rateToClient: null,
  delayConnect: false,
};

export interface LiveCaptureOptions {
  file: string;
  maxSize: number;
  tapWorker: string;
}

export interface LiveCaptureEvents {
  /** The file is complete up to this length. */
  committed(length: number): void;
  notice(notice: TapNotice): void;
  figures(figures: TapFigures, writing: boolean): void;
}

/** One running tap, with the demo's calls where it is for them. */
export class LiveCapture {
  settings: CaptureSettings;
  /** The file is complete up to here. */
  committed = 0;
  private readonly timer: NodeJS.Timeout;
  private last: { stats: TapStats; at: number } | undefined;
  private asking = false;

  private constructor(
    readonly file: string,
    settings: CaptureSettings,
    private readonly tap: TapHost,
    private readonly demoCalls: Demo | undefined,
    private readonly events: LiveCaptureEvents,
  ) {
    this.settings = settings;
    tap.on('committed', (length) => {
      this.committed = Math.max(this.committed, length);
      events.committed(this.committed);
    });
    tap.on('notice', (notice) => events.notice(notice));
    this.timer = setInterval(() => void this.look(), INTERVAL);
    this.timer.unref();
  }

  /** @throws an Error of one line: a port in use, an address that is not this machine's, an unwritable file */
  static async start(
    settings: CaptureSettings,
    spec: TapSpec,
    options: LiveCaptureOptions,
    events: LiveCaptureEvents,
  ): Promise<LiveCapture> {
    return LiveCapture.begin(settings, spec, undefined, options, events);
  }

  /** The same, with the demo's server behind it and the demo's calls through it. */
  static async startDemo(options: LiveCaptureOptions, events: LiveCaptureEvents): Promise<LiveCapture> {
    const demo = await Demo.start();
    try {
      const listen = { host: '127.0.0.1', port: 0 };
      const upstream = { host: '127.0.0.1', port: demo.port };
      const spec = { listen, upstream, settings: tapSettingsOf(DEMO) as TapSettings };
      const settings = { ...DEMO, listen: hostPortText(listen), upstream: hostPortText(upstream) };
      const capture = await LiveCapture.begin(settings, spec, demo, options, events);
      demo.call(capture.listening);
      return capture;
    } catch (error) {
      await demo.stop();
      throw error;
    }
  }

  private static async begin(
    settings: CaptureSettings,
    spec: TapSpec,
    demo: Demo | undefined,
    { file, maxSize, tapWorker }: LiveCaptureOptions,
    events: LiveCaptureEvents,
  ): Promise<LiveCapture> {
    const tap = await TapHost.start({ file, maxSize, taps: [spec], workerPath: tapWorker });
    return new LiveCapture(file, settings, tap, demo, events);
  }

  get listening(): string {
    const [address] = this.tap.listening;
    return address === undefined ? '' : hostPortText(address);
  }

  get isDemo(): boolean {
    return this.demoCalls !== undefined;
  }

  /** @throws an Error of one line when the tap refuses */
  async update(settings: Partial<LiveSettings>): Promise<void> {
    await this.tap.update(0, tapSettingsOf(settings));
    this.settings = { ...this.settings, ...settings };
  }

  /** The file is complete when this resolves. @throws when the tap had failed before */
  async stop(): Promise<TapSummary> {
    clearInterval(this.timer);
    const [summary] = await Promise.all([this.tap.stop(), this.demoCalls?.stop()]);
    return summary;
  }

  private async look(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      const stats = await this.tap.stats();
      this.events.figures(this.figuresOf(stats, performance.now()), stats.capturing);
    } catch {
      // The tap has ended; its notice, or its stop, says so.
    } finally {
      this.asking = false;
    }
  }

  private figuresOf(stats: TapStats, at: number): TapFigures {
    const { last } = this;
    this.last = { stats, at };
    const rate = (direction: 'toServer' | 'toClient') => {
      if (last === undefined || at <= last.at) return 0;
      return (1000 * (stats.octets[direction] - last.stats.octets[direction])) / (at - last.at);
    };
    return {
      connections: { ...stats.connections },
      octets: { ...stats.octets },
      rate: { toServer: rate('toServer'), toClient: rate('toClient') },
      spool: stats.spool.notDue + stats.spool.notTaken,
      unwritten: stats.unwritten,
    };
  }
}
