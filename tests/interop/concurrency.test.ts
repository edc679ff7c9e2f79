/** A grpc-go client keeps calls back that the server's SETTINGS_MAX_CONCURRENT_STREAMS does not allow yet. */
import { beforeAll, expect, it } from 'vitest';
import { concurrencyOf } from '../../src/core/flow/concurrency';
import { buildGoInterop, describeWithGo, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { expectSound } from './expectations';
import { grpcGoServer } from './servers';

describeWithGo('streams of grpc-go under a limit of 2, seen through a tap', () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it('come in three waves where 6 calls of 1 s want to go at once', async () => {
    const tapped = await startTapped(await grpcGoServer({ maxConcurrentStreams: 2, handlerDelayMs: 1000 }), {
      rtt: 20,
    });
    const { exitStatus } = await runGoClient({
      target: tapped.target,
      mode: 'unary',
      calls: 6,
      concurrency: 6,
      bytes: 3,
    });
    expect(exitStatus).toBe(0);
    const session = await tapped.stop();
    expectSound(session, 20);
    const found = concurrencyOf(session.capture, 1);
    expect(found).toMatchObject({ streams: 6, peak: 2, prompt: 4, waveCount: 3, beyond: 0, refused: 0 });
    expect(found.limits).toMatchObject([{ value: 2 }]);
    expect(found.waves.map(({ streams }) => streams)).toEqual([2, 2, 2]);
    // Three calls of 1 s and a round trip each, one after the other.
    expect(found.atLimit / 1e9).toBeGreaterThan(3 * 1.02 * 0.95);
    expect(found.mean).toBeGreaterThan(1.9);
  }, 60_000);
});
