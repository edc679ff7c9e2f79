/** Findings in real traffic: grpc-go on both sides of a tap, round trip 20 ms. */
import { beforeAll, expect, it } from 'vitest';
import type { FindingRecord } from '../../src/shared/records';
import { buildGoInterop, describeWithGo, type GoClientOptions, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { grpcGoServer } from './servers';

const KIB = 1024;
const MIB = 1024 * KIB;

async function findingsOf(
  client: Omit<GoClientOptions, 'target'>,
  server: Parameters<typeof grpcGoServer>[0] = { streamWindow: MIB, connWindow: MIB },
): Promise<FindingRecord[]> {
  const tapped = await startTapped(await grpcGoServer(server), { rtt: 20 });
  const { exitStatus, stderr } = await runGoClient({ target: tapped.target, perCall: false, ...client });
  expect(exitStatus, stderr).toBe(0);
  return (await tapped.stop()).findings.get().findings;
}

describeWithGo('findings of grpc-go', () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it('name the window that binds, and the setting of the client that would widen it', async () => {
    const windows = { streamWindow: 64 * KIB, connWindow: 64 * KIB };
    const found = await findingsOf({ mode: 'download', calls: 1, bytes: 2 * MIB, messageBytes: 256 * KIB, ...windows });
    expect(found.map(({ id }) => id)).toEqual(['connection-window-limit']);
    expect(found[0]!.advice).toContain('WithStaticConnWindowSize');
    expect(found[0]!.numbers.window).toBe(64 * KIB);
  });

  it('are none where the application sends a little at a time', async () => {
    const windows = { streamWindow: 4 * MIB, connWindow: 4 * MIB };
    const load = { calls: 1, bytes: 256 * KIB, messageBytes: 8 * KIB, delayMs: 20 };
    expect(await findingsOf({ mode: 'download', ...load, ...windows })).toEqual([]);
  });

  it('tell of the estimator’s PINGs on small calls of one caller', async () => {
    const found = await findingsOf({ mode: 'unary', calls: 30, concurrency: 1, bytes: 100 }, {});
    const chatter = found.filter(({ id }) => id === 'bdp-chatter');
    expect(chatter.length).toBeGreaterThan(0);
    for (const { numbers } of chatter) expect(numbers.pingsPerCall).toBeGreaterThan(0.5);
  });
});
