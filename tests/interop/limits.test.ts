/** What limits a transfer, told from real traffic: grpc-go on both sides of a tap. */
import { beforeAll, expect, it } from 'vitest';
import { FlowAnalysis } from '../../src/core/flow/flow-analysis';
import type { Side } from '../../src/core/tcp/types';
import type { Session } from '../../src/main/session/session';
import type { LimitRecord } from '../../src/shared/flow';
import { buildGoInterop, describeWithGo, type GoClientOptions, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { grpcGoServer } from './servers';

const RTT = 20;
const KIB = 1024;
const MIB = 1024 * KIB;

async function captured(client: Omit<GoClientOptions, 'target'>, rate?: number): Promise<Session> {
  const server = await grpcGoServer({ streamWindow: MIB, connWindow: MIB });
  const tapped = await startTapped(server, { rtt: RTT, ...(rate !== undefined && { rate }) });
  const { exitStatus, stderr } = await runGoClient({ target: tapped.target, perCall: false, ...client });
  expect(exitStatus, stderr).toBe(0);
  return tapped.stop();
}

/** Of what the server sends. */
function downloadOf(session: Session): { limit: LimitRecord; analysis: FlowAnalysis; side: Side } {
  const { capture, flow } = session;
  const analysis = new FlowAnalysis(capture, flow);
  const side = (capture.connections[0]!.clientSide ^ 1) as Side;
  return { limit: analysis.limit(1, side)!, analysis, side };
}

/** Within 3 % of what the connection's own round trip allows, and measured between the refill's bounds. */
function expectLimit(limit: LimitRecord, window: number): void {
  expect(limit.window).toBe(window);
  expect(limit.rtt! * 1000).toBeGreaterThan(RTT);
  expect(limit.limit! / (window / limit.rtt!)).toBeCloseTo(1, 5);
  // The set delay is the round trip, but for what the peers take.
  expect(limit.limit! / (window / (RTT / 1000))).toBeGreaterThan(0.88);
  expect(limit.measured!).toBeGreaterThan(limit.lowerLimit! * 0.8);
  expect(limit.measured!).toBeLessThan(limit.limit! * 1.03);
}

describeWithGo('the limit of a transfer by grpc-go, round trip 20 ms', () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it('with windows of 64 KiB and messages of 16 KiB: both windows', async () => {
    const windows = { streamWindow: 64 * KIB, connWindow: 64 * KIB };
    const session = await captured({ mode: 'download', calls: 1, bytes: 3 * MIB, messageBytes: 16 * KIB, ...windows });
    const { limit } = downloadOf(session);
    expectLimit(limit, 64 * KIB);
    expect(limit.limitedBy).toBe('both');
    expect(limit.wholeMessages).toBe(false);
    expect(limit.sentence).toMatch(
      /^Limited by the stream and the connection window: 64 KiB \/ 2\d.* ms = [23].* MiB\/s, /,
    );
  });

  it("with windows of 64 KiB and messages of 256 KiB: the connection's", async () => {
    const windows = { streamWindow: 64 * KIB, connWindow: 64 * KIB };
    const session = await captured({ mode: 'download', calls: 1, bytes: 3 * MIB, messageBytes: 256 * KIB, ...windows });
    const { limit } = downloadOf(session);
    expectLimit(limit, 64 * KIB);
    expect(limit.limitedBy).toBe('connection-window');
    expect(limit.wholeMessages).toBe(true);
  });

  it("of four streams with 1 MiB each and 64 KiB for the connection: the connection's", async () => {
    const windows = { streamWindow: MIB, connWindow: 64 * KIB };
    const load = { calls: 4, concurrency: 4, bytes: MIB, messageBytes: 16 * KIB };
    const session = await captured({ mode: 'download', ...load, ...windows });
    const { limit } = downloadOf(session);
    expectLimit(limit, 64 * KIB);
    expect(limit.limitedBy).toBe('connection-window');
    expect(limit.stalledBy['stream-window'] + limit.stalledBy.both).toBe(0);
    expect(limit.heldBy.length).toBeGreaterThanOrEqual(4);
  });

  it('by the application: no window, and no stall', async () => {
    const windows = { streamWindow: 4 * MIB, connWindow: 4 * MIB };
    const load = { calls: 1, bytes: 256 * KIB, messageBytes: 8 * KIB, delayMs: 20 };
    const session = await captured({ mode: 'download', ...load, ...windows });
    const { limit, analysis } = downloadOf(session);
    expect(analysis.stalls(1).count).toBe(0);
    expect(limit.limitedBy).toBe('sender');
  });

  it('by the rate of the way: no window, and no stall', async () => {
    const windows = { streamWindow: 8 * MIB, connWindow: 8 * MIB };
    const load = { calls: 1, bytes: 2 * MIB, messageBytes: 64 * KIB };
    const session = await captured({ mode: 'download', ...load, ...windows }, 2 * MIB);
    const { limit, analysis } = downloadOf(session);
    expect(analysis.stalls(1).count).toBe(0);
    expect(limit.limitedBy).toBe('link');
    // What comes out of the tap: 2 MiB/s, and the burst at the beginning.
    expect(limit.measured! / MIB).toBeGreaterThan(1.8);
    expect(limit.measured! / MIB).toBeLessThan(2.2);
  });

  it('by the rate of the way, although windows of 64 KiB are empty: they would let three times as much through', async () => {
    const windows = { streamWindow: 64 * KIB, connWindow: 64 * KIB };
    const load = { calls: 1, bytes: 2 * MIB, messageBytes: 16 * KIB };
    const session = await captured({ mode: 'download', ...load, ...windows }, MIB);
    const { limit } = downloadOf(session);
    expect(limit.limitedBy).toBe('link');
    expect(limit.measured! / MIB).toBeCloseTo(1, 0);
  });

  it('by a slow reader: the window that it makes bind', async () => {
    const windows = { streamWindow: 64 * KIB, connWindow: MIB };
    const load = { calls: 1, bytes: 512 * KIB, messageBytes: 16 * KIB, readDelayMs: 40 };
    const session = await captured({ mode: 'download', ...load, ...windows });
    const { limit } = downloadOf(session);
    expect(limit.limitedBy).toBe('receiver');
    expect(limit.emptyWindow).toBe('stream-window');
  });
});
