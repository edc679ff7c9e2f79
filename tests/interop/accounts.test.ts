/**
 * grpc-go measures a round trip with a PING whenever DATA comes and no PING of its own is out, on both sides. One caller
 * that asks 24 times a second pays for it with every call. Eight callers that ask three times a second each, in step,
 * share it, and their frames share chunks: calls that do not fall into one round trip would not.
 */
import { beforeAll, expect, it } from 'vitest';
import { accountOf } from '../../src/core/flow/account';
import { accountLines } from '../../src/shared/account-lines';
import type { AccountRecord } from '../../src/shared/records';
import { buildGoInterop, describeWithGo, type GoClientOptions, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { expectSound } from './expectations';
import { grpcGoServer } from './servers';

/** Three seconds of 24 a second. */
const CALLS = 72;
/** Longer than the eight calls of a moment lie apart, shorter than the time to the next. */
const RTT = 20;

async function accountOfRun(options: Partial<GoClientOptions>): Promise<AccountRecord> {
  // A handler that takes a moment: the server's WINDOW_UPDATE and PING do not wait for the response.
  const tapped = await startTapped(await grpcGoServer({ handlerDelayMs: 5 }), { rtt: RTT });
  const load = { mode: 'unary', calls: CALLS, rate: 24, bytes: 64, perCall: false, ...options } as const;
  const { exitStatus } = await runGoClient({ target: tapped.target, ...load });
  expect(exitStatus).toBe(0);
  const session = await tapped.stop();
  expectSound(session, RTT);
  return accountOf(session.capture);
}

describeWithGo('the account of grpc-go, one caller against eight at the same rate', () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it('shows a PING for each call against one for eight, and fewer chunks, in one table', async () => {
    const one = await accountOfRun({ concurrency: 1 });
    const eight = await accountOfRun({ concurrency: 8, together: 8 });
    const lines = accountLines([one, eight]);
    const cells = (label: string) => lines.find((line) => line.label === label)!.cells;

    // The same was asked for.
    for (const label of ['Calls', 'Messages', 'Message bytes', 'DATA', 'HEADERS']) {
      const [first, second] = cells(label);
      expect(second, label).toEqual(first);
    }
    expect(cells('Calls')).toEqual(Array(2).fill(['', '', String(CALLS)]));
    for (const account of [one, eight]) expect(account.calls / (account.to - account.from)).toBeCloseTo(24, -1);

    for (const [side, dir] of (['toServer', 'toClient'] as const).entries()) {
      // A machine that pauses for 40 ms can make two calls one, and the eight of a moment several.
      expect(one[dir].pingsPerCall).toBeGreaterThanOrEqual(0.9);
      expect(one[dir].pingsPerCall).toBeLessThanOrEqual(1.02);
      expect(eight[dir].pingsPerCall).toBeGreaterThanOrEqual(1 / 8);
      expect(eight[dir].pingsPerCall).toBeLessThanOrEqual(0.2);
      expect(eight[dir].chunksPerCall! * 2).toBeLessThan(one[dir].chunksPerCall!);
      expect(eight[dir].callsPerChunk!).toBeGreaterThan(2 * one[dir].callsPerChunk!);
      const [alone, shared] = cells('PINGs per call');
      expect(Number(alone![side])).toBeCloseTo(one[dir].pingsPerCall!, 1);
      expect(Number(shared![side])).toBeCloseTo(eight[dir].pingsPerCall!, 1);
    }
  }, 60_000);
});
