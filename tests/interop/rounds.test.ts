/** grpc-go's estimator at work, with windows left to it, at a round trip of 20 ms. */
import { beforeAll, expect, it } from 'vitest';
import { roundRecords } from '../../src/main/session/records/rounds';
import { buildGoInterop, describeWithGo, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { grpcGoServer } from './servers';

const MIB = 1024 * 1024;
const RTT = 0.02;

describeWithGo("grpc-go's rounds", () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it('grow the window in steps that are what the frames say, until it limits no more', async () => {
    const tapped = await startTapped(await grpcGoServer(), { rtt: RTT * 1000 });
    const { exitStatus, stderr } = await runGoClient({
      target: tapped.target,
      perCall: false,
      mode: 'download',
      calls: 1,
      bytes: 24 * MIB,
      messageBytes: 64 * 1024,
    });
    expect(exitStatus, stderr).toBe(0);
    const session = await tapped.stop();
    const rounds = [...roundRecords(session.capture, session.payloads)].filter(({ by }) => by === 'client');
    expect(rounds.length).toBeGreaterThan(5);
    for (const { implementation, purpose } of rounds) expect([implementation, purpose]).toEqual(['grpc-go', 'bdp']);

    const [first] = rounds;
    expect(first).toMatchObject({ windowBefore: 65_535, sameChunk: 'WINDOW_UPDATE' });
    const answered = rounds.filter(({ rtt }) => rtt !== null);
    for (const { rtt } of answered) expect(rtt!).toBeGreaterThanOrEqual(RTT - 0.0005);

    // One round's window is the next one's: nothing grows between rounds.
    for (const [i, { windowBefore }] of rounds.entries()) {
      if (i > 0) expect(windowBefore).toBe(rounds[i - 1]!.windowAfter);
    }
    const grown = rounds.filter(({ growth }) => growth !== undefined);
    expect(grown.length).toBeGreaterThanOrEqual(3);
    for (const { windowBefore, windowAfter, growth, bytes } of grown) {
      expect(windowAfter!).toBeGreaterThan(windowBefore!);
      // bdp_estimator.go: the window becomes twice the sample, here to the octet as a rule.
      expect(windowAfter! / 2 / bytes).toBeGreaterThan(0.9);
      expect(windowAfter! / 2 / bytes).toBeLessThan(1.1);
      const said = session.frame(growth!.frame);
      expect(said.settings).toEqual([[4, 'INITIAL_WINDOW_SIZE', windowAfter]]);
    }
    const exact = grown.filter(({ windowAfter, bytes }) => windowAfter === 2 * bytes).length;
    expect(exact / grown.length).toBeGreaterThan(0.5);
    // The estimator allows twice what it sampled: whoever samples less than two thirds of the window grows no more.
    expect(rounds.at(-1)!.windowAfter!).toBeGreaterThan(MIB / 2);
  });
});
