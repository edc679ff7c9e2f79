import { createHistogram } from 'node:perf_hooks';
import type { HostPort, TapNotice, TapOptions, TapSettings, TapStats, TapSummary } from './messages';
import { TapProxy } from './proxy';
import { DEFAULT_MAX_SIZE, Recorder } from './recorder';
import { Scheduler } from './scheduler';

export interface TapEvents {
  /** The file is complete up to this length. */
  committed(length: number): void;
  notice(notice: TapNotice): void;
}

/** For tests. */
export interface TapTuning {
  /** First sequence numbers of a connection in the file, of the client and of the server; random when not given. */
  initialSequence?: () => [number, number];
}

const NANOSECONDS = 1_000_000;

/** A capture in progress: listening addresses, their connections and the file. Runs in any thread, best in its own. */
export class Tap {
  readonly #scheduler = new Scheduler();
  readonly #lateness = createHistogram();
  readonly #proxies: TapProxy[] = [];
  #listening: HostPort[] = [];

  private constructor(
    private readonly options: TapOptions,
    private readonly recorder: Recorder,
    events: TapEvents,
    tuning: TapTuning,
  ) {
    for (const [interfaceId, spec] of options.taps.entries()) {
      const proxy = new TapProxy(spec, {
        interfaceId,
        scheduler: this.#scheduler,
        recorder,
        initialSequence: tuning.initialSequence ?? (() => [anySequence(), anySequence()]),
        // The histogram counts whole numbers from 1.
        lateness: (milliseconds) => this.#lateness.record(Math.max(1, Math.round(milliseconds * NANOSECONDS))),
        notice: (notice) => events.notice(notice),
      });
      this.#proxies.push(proxy);
    }
  }

  /**
   * Listens on all addresses, then empties the file and captures.
   * @throws an Error of one line (a port in use, a bad address, an unwritable file); nothing is left open then
   */
  static async start(options: TapOptions, events: TapEvents, tuning: TapTuning = {}): Promise<Tap> {
    if (options.taps.length === 0) throw new Error('a capture needs at least one tap');
    let tap: Tap | undefined;
    const recorder = await Recorder.open(options.file, options.maxSize ?? DEFAULT_MAX_SIZE, {
      committed: (length) => events.committed(length),
      notice: (notice) => events.notice(notice),
      pressure: (pressed) => tap?.press(pressed),
    });
    try {
      tap = new Tap(options, recorder, events, tuning);
      await tap.listen();
    } catch (error) {
      await tap?.close();
      await recorder.discard();
      throw error;
    }
    return tap;
  }

  get listening(): HostPort[] {
    return this.#listening;
  }

  /** @throws an Error of one line when the settings make no sense, or there is no such tap */
  update(tap: number, settings: Partial<TapSettings>): void {
    const proxy = this.#proxies[tap];
    if (!proxy) throw new Error(`there is no tap ${tap}`);
    proxy.update(settings);
  }

  stats(): TapStats {
    const spool = { notDue: 0, notTaken: 0 };
    let open = 0;
    for (const proxy of this.#proxies) {
      open += proxy.connections.size;
      for (const { held } of proxy.connections) {
        spool.notDue += held.notDue;
        spool.notTaken += held.notTaken;
      }
    }
    const { count, max } = this.#lateness;
    const at = (percent: number) => (count === 0 ? 0 : this.#lateness.percentile(percent) / NANOSECONDS);
    return {
      connections: { open, total: this.#total() },
      octets: this.#octets(),
      spool,
      unwritten: this.recorder.unwritten,
      committed: this.recorder.committed,
      capturing: this.recorder.ended === undefined,
      delayError: { count, p50: at(50), p99: at(99), max: count === 0 ? 0 : max / NANOSECONDS },
    };
  }

  /** Ends listeners and connections; the file is complete when this resolves. */
  async stop(): Promise<TapSummary> {
    await this.close();
    await this.recorder.close();
    const { ended, packets, committed } = this.recorder;
    return {
      file: this.options.file,
      length: committed,
      packets,
      connections: this.#total(),
      octets: this.#octets(),
      ...(ended === undefined ? {} : { ended }),
    };
  }

  private async listen(): Promise<void> {
    for (const proxy of this.#proxies) this.#listening.push(await proxy.listen());
    const taps = this.#proxies.map(({ spec, settings }, index) => {
      return { listening: this.#listening[index]!, upstream: spec.upstream, settings };
    });
    await this.recorder.begin(taps);
    for (const proxy of this.#proxies) proxy.open();
  }

  private async close(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.stop()));
    this.#scheduler.close();
  }

  private press(pressed: boolean): void {
    for (const proxy of this.#proxies) proxy.press(pressed);
  }

  #total(): number {
    return this.#proxies.reduce((sum, { total }) => sum + total, 0);
  }

  #octets(): { toServer: number; toClient: number } {
    const octets = { toServer: 0, toClient: 0 };
    for (const proxy of this.#proxies) {
      octets.toServer += proxy.octets[0];
      octets.toClient += proxy.octets[1];
    }
    return octets;
  }
}

/** Neither 0 nor near the wrap: an acknowledgment of exactly 0 at the start is none to Wireshark's analysis. */
function anySequence(): number {
  return 1 + Math.floor(Math.random() * 2 ** 31);
}
