import { beforeAll, expect, it } from 'vitest';
import type { FrameRecord } from '../../src/shared/records';
import { buildGoInterop, describeWithGo, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { allFrames, expectSound, expectTsharkAgrees } from './expectations';
import { grpcGoServer } from './servers';

/** Octets of `text`, hexadecimal with blanks and bars between fields. */
function octets(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(/[ |]/g, ''), 'hex');
}

/** grpc-go's payload of a BDP PING, grpc/grpc-go internal/transport/bdp_estimator.go. */
const BDP_PAYLOAD = '02 04 10 10 09 0e 07 07';

/** Length, type, flags, stream and payload (RFC 9113 §6.9, §6.7). */
const PING = octets(`00 00 08 | 06 | 00 | 00 00 00 00 | ${BDP_PAYLOAD}`);
const PING_ACK = octets(`00 00 08 | 06 | 01 | 00 00 00 00 | ${BDP_PAYLOAD}`);

function windowUpdate(increment: number): Uint8Array {
  return octets(`00 00 04 | 08 | 00 | 00 00 00 00 | ${increment.toString(16).padStart(8, '0')}`);
}

describeWithGo("grpc-go's BDP estimator, seen through a tap", () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it.each([0, 20])('writes WINDOW_UPDATE and PING as 30 octets in one chunk (round trip %d ms)', async (rtt) => {
    // A handler that takes its time keeps the response out of the write; windows.go says why the windows are static.
    const tapped = await startTapped(await grpcGoServer({ handlerDelayMs: 5 }), { rtt });
    const calls = 20;
    // With 3 octets of payload: field header and length, 3 octets; response_bytes 2; the prefix 5.
    const requestLength = 12;
    const load = { mode: 'unary', calls, bytes: 3, streamWindow: 1 << 20, connWindow: 1 << 20 } as const;
    const { exitStatus } = await runGoClient({ target: tapped.target, ...load });
    expect(exitStatus).toBe(0);
    const session = await tapped.stop();
    expectSound(session, rtt);
    const frames = allFrames(session);

    const pings = frames.filter(({ type, flagBits }) => type === 'PING' && flagBits === 0);
    expect(pings).toHaveLength(calls);
    for (const ping of pings) {
      expect(ping).toMatchObject({ dir: 'toClient', payload: '02041010090e0707' });
      expect(ping.info).toBe('BDP ping (grpc-go), in one chunk with the WINDOW_UPDATE before it');
      const update = frames[ping.n - 2]!;
      expect(update).toMatchObject({ type: 'WINDOW_UPDATE', stream: 0, increment: requestLength, chunk: ping.chunk });
      const ack = answerTo(frames, ping);
      expect(ack).toMatchObject({ dir: 'toServer', payload: '02041010090e0707' });
      const roundTrip = (ack.delivered! - ping.t) * 1000;
      expect(roundTrip).toBeGreaterThanOrEqual(rtt);
      const [, told] = new RegExp(`^answers frame ${ping.n} · RTT ([\\d.]+) ms$`).exec(ack.info) ?? [];
      expect(Number(told)).toBeCloseTo(roundTrip, 1);
    }

    // A chunk is a read at the tap: one that comes late may take in what was written next. Most do not.
    const octetsOf = ({ chunk }: FrameRecord) => Buffer.from(session.payloads.chunk(chunk));
    const alone = pings.filter((ping) => octetsOf(ping).equals(Buffer.concat([windowUpdate(requestLength), PING])));
    expect(alone.length).toBeGreaterThan(calls / 2);
    for (const { chunk } of alone) {
      expect(session.payloads.chunk(chunk)).toHaveLength(30);
      expect(framesIn(frames, chunk).map(({ type }) => type)).toEqual(['WINDOW_UPDATE', 'PING']);
    }
    const answers = pings.map((ping) => answerTo(frames, ping)).filter((ack) => octetsOf(ack).equals(PING_ACK));
    expect(answers.length).toBeGreaterThan(calls / 2);
    for (const { chunk } of answers) expect(framesIn(frames, chunk)).toHaveLength(1);

    expect(session.connections()).toMatchObject([
      { clientImplementation: expect.stringMatching(/^grpc-go\/1\./), serverImplementation: 'grpc-go' },
    ]);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });
});

/** Rows that have octets in a chunk. */
function framesIn(frames: FrameRecord[], chunk: number): FrameRecord[] {
  return frames.filter(({ chunks: [first, last] }) => first <= chunk && chunk <= last);
}

/** The first acknowledgement after a PING: all have the same payload. */
function answerTo(frames: FrameRecord[], { n }: FrameRecord): FrameRecord {
  return frames.find(({ type, flagBits, n: later }) => type === 'PING' && flagBits === 1 && later > n)!;
}
