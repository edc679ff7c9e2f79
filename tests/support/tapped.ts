import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FileSource } from '../../src/main/session/byte-source';
import { Session } from '../../src/main/session/session';
import { hostPortText } from '../../src/main/tap/addresses';
import type { HostPort, TapNotice } from '../../src/main/tap/messages';
import { Tap, type TapTuning } from '../../src/main/tap/tap';

export interface TappedOptions extends TapTuning {
  /** Milliseconds, half of it each way; several make as many taps to the one upstream. Default 0. */
  rtt?: number | number[];
  /** Octets a second towards the client; no limit when not given. */
  rate?: number;
  /** Address to listen on, 127.0.0.1 when not given. */
  listen?: string;
}

/** A capture in progress, for one test: what is left of it goes away when the test is over. */
export interface Tapped {
  /** Where the taps listen, as clients take it (`HOST:PORT`); `target` is the first. */
  target: string;
  targets: string[];
  ports: number[];
  file: string;
  notices: TapNotice[];
  /** Waits until the clients' connections have ended, ends the capture and reads it. Fails when they don't end. */
  stop(): Promise<Session>;
}

/** How long connections may take to end once the test is done with them (ms). */
const PATIENCE = 10_000;

/** Starts a capture in front of `upstream`, in this thread. Call it inside a test. */
export async function startTapped(upstream: HostPort, options: TappedOptions = {}): Promise<Tapped> {
  const { rtt = 0, rate, listen = '127.0.0.1', ...tuning } = options;
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tapped-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'capture.pcapng');
  const notices: TapNotice[] = [];
  const taps = [rtt].flat().map((roundTrip) => ({
    listen: { host: listen, port: 0 },
    upstream: { host: upstream.host, port: upstream.port },
    settings: {
      delayToServer: roundTrip / 2,
      delayToClient: roundTrip / 2,
      delayConnect: false,
      ...(rate !== undefined && { rateToClient: rate }),
    },
  }));
  const events = { committed: () => undefined, notice: (notice: TapNotice) => notices.push(notice) };
  const tap = await Tap.start({ file, taps }, events, tuning);
  let stopping: Promise<unknown> | undefined;
  onTestFinished(async () => {
    await (stopping ?? tap.stop());
  });
  const targets = tap.listening.map(hostPortText);
  return {
    target: targets[0]!,
    targets,
    ports: tap.listening.map(({ port }) => port),
    file,
    notices,
    async stop() {
      await untilClosed(tap);
      stopping = tap.stop();
      await stopping;
      const session = readSession(file);
      onTestFinished(() => session.close());
      return session;
    },
  };
}

/** A whole capture file as a session. The caller closes it. */
export function readSession(file: string): Session {
  const session = new Session(new FileSource(file));
  session.capture.push(readFileSync(file));
  session.capture.end();
  return session;
}

async function untilClosed(tap: Tap): Promise<void> {
  const start = performance.now();
  while (tap.stats().connections.open > 0) {
    if (performance.now() - start > PATIENCE) {
      throw new Error(`${tap.stats().connections.open} connections have not ended after ${PATIENCE} ms`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
