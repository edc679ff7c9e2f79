/**
 * Limits, worked out by hand. 10 ms each way: credit at the tap at t is with its sender at t + 10 ms, DATA with its
 * receiver likewise. SETTINGS are not acknowledged, so that without a PING the round trip is the tap's: 20 ms.
 */
import { describe, expect, it } from 'vitest';
import { FlowAnalysis } from '../../../src/core/flow/flow-analysis';
import { FlowIndex } from '../../../src/core/flow/flow-index';
import { type LimitRecord, windowFor } from '../../../src/shared/flow';
import { Setting } from '../../../src/shared/names';
import { type Conversation, type ConversationOptions, conversation } from '../../support/conversation';
import {
  concat,
  data,
  grpcRequest,
  headersFrame,
  hex,
  PREFACE,
  ping,
  settings,
  uint32,
  windowUpdate,
} from '../../support/encode';
import { readCapture } from './stalls';

const octets = (length: number) => new Uint8Array(length);
/** A message's beginning: prefix and so much that the frame is `sent` octets long. */
const message = (length: number, sent: number) => concat(Uint8Array.of(0), uint32(length), octets(sent - 5));
const BIG = 1 << 24;

function opened(options: ConversationOptions = {}, serverSettings: [number, number][] = []): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(serverSettings))
    .toServer(0.013, headersFrame(1, grpcRequest('/a.B/C')));
}

function limitIn(file: Uint8Array, stream = 0): LimitRecord {
  const capture = readCapture(file);
  const flow = { sender: new FlowIndex(capture, 'sender'), receiver: new FlowIndex(capture, 'receiver') };
  return new FlowAnalysis(capture, flow).limit(1, capture.connections[0]!.clientSide, stream)!;
}

/** Ten times both windows, each burst `cycle` seconds after the one before; credit for all of it 10 ms before the next. */
function bursts(cycle: number, credit: (t: number) => Uint8Array[], start = opened()): Conversation {
  start.toServer(0.03, data(1, message(BIG, 65_535)));
  for (let i = 1; i < 10; i++) {
    const t = 0.03 + i * cycle;
    start.toClient(t - 0.01, ...credit(t));
    start.toServer(t, data(1, octets(65_535)));
  }
  return start;
}

const both = () => [windowUpdate(0, 65_535), windowUpdate(1, 65_535)];

describe('a window that binds', () => {
  it('lets itself through once a round trip', () => {
    const limit = limitIn(bursts(0.021, both).file());
    expect(limit).toMatchObject({ limitedBy: 'both', emptyWindow: 'both', window: 65_535, rttSource: 'tap' });
    expect(limit.rtt).toBeCloseTo(0.02, 9);
    expect(limit.limit).toBeCloseTo(3_276_750, 0); // 65,535 / 0.02
    // From the first stall (30 ms) on, 9 * 65,535 octets in 9 * 21 ms; all of it would be 10 * 65,535.
    expect(limit.measured).toBeCloseTo(3_120_714.29, 1);
    // Each burst is followed by a stall of 21 ms but the last, which lasts until the newest packet, 10 ms on.
    expect(limit.stalls).toBe(10);
    expect(limit.stalledShare).toBeCloseTo(1, 5);
    expect(limit.refill).toBe(1); // all of the window at once
    expect(limit.proposal).toEqual({ window: 1 << 20, rate: expect.closeTo(52_428_800, 0) });
    expect(limit.sentence).toBe(
      'Limited by the stream and the connection window: 64 KiB / 20 ms = 3.1 MiB/s, measured 3 MiB/s; 1 MiB would allow 50 MiB/s',
    );
  });

  it('that its receiver enlarges meanwhile is told with both sizes', () => {
    // After the third burst both windows are 131,070: the bursts from there on are as large.
    const start = opened().toServer(0.03, data(1, message(BIG, 65_535)));
    let size = 65_535;
    for (let i = 1; i < 9; i++) {
      const t = 0.03 + i * 0.021;
      const more = i === 3 ? 65_535 : 0;
      start.toClient(t - 0.01, windowUpdate(0, size + more), windowUpdate(1, size + more));
      size += more;
      start.toServer(t, data(1, octets(size)));
    }
    const limit = limitIn(start.file());
    expect(limit.grown).toEqual({ from: 65_535, to: 131_070 });
    expect(limit.sentence).toMatch(
      /^Limited by the connection window, which grew from 64 KiB to 128 KiB: 128 KiB \/ 20 ms = 6.2 MiB\/s midway, measured /,
    );
    expect(limitIn(bursts(0.021, both).file()).grown).toBeNull();
  });

  it("is the stream's alone where the connection has more", () => {
    const start = opened().toClient(0.014, windowUpdate(0, BIG));
    const limit = limitIn(bursts(0.021, () => [windowUpdate(1, 65_535)], start).file());
    expect(limit).toMatchObject({ limitedBy: 'stream-window', window: 65_535, heldBy: [] });
  });

  it("is the connection's where the stream has more; who holds it is told", () => {
    const start = opened({}, [[Setting.INITIAL_WINDOW_SIZE, BIG]]);
    const limit = limitIn(bursts(0.021, () => [windowUpdate(0, 65_535)], start).file());
    expect(limit).toMatchObject({ limitedBy: 'connection-window', window: 65_535, heldBy: [1], wholeMessages: false });
  });

  it('is returned in parts: between (1 - f) and the whole of it goes through', () => {
    // A quarter of 65,536 (the connection was given 1 octet more) at a time, as soon as it is consumed.
    const talk = opened({}, [[Setting.INITIAL_WINDOW_SIZE, BIG]]).toClient(0.014, windowUpdate(0, 1));
    for (let i = 0; i < 4; i++)
      talk.toServer(0.03 + i * 0.001, data(1, i === 0 ? message(BIG, 16_384) : octets(16_384)));
    for (let i = 4; i < 40; i++) {
      const t = 0.03 + Math.floor(i / 4) * 0.021 + (i % 4) * 0.001;
      talk.toClient(t - 0.0105, windowUpdate(0, 16_384)).toServer(t, data(1, octets(16_384)));
    }
    const limit = limitIn(talk.file());
    expect(limit).toMatchObject({ limitedBy: 'connection-window', window: 65_536, refill: 0.25 });
    expect(limit.limit).toBeCloseTo(3_276_800, 0);
    expect(limit.lowerLimit).toBeCloseTo(2_457_600, 0); // three quarters
    expect(limit.measured!).toBeGreaterThan(limit.lowerLimit!);
    expect(limit.measured!).toBeLessThan(limit.limit!);
  });

  it("is not the stream's where its receiver opens it for whole messages", () => {
    // The server grants 262,144 at once when it sees a long message (as grpc-go's maybeAdjust does): beyond 65,535.
    const start = opened().toClient(0.014, windowUpdate(1, 262_144));
    const credit = (t: number) =>
      t < 0.06 ? [windowUpdate(0, 65_535)] : [windowUpdate(0, 65_535), windowUpdate(1, 65_535)];
    const limit = limitIn(bursts(0.021, credit, start).file());
    expect(limit).toMatchObject({ limitedBy: 'connection-window', window: 65_535, wholeMessages: true });
  });

  it('is measured with PINGs where there are any', () => {
    const start = opened()
      .toServer(0.014, ping(hex('0000000000000001')))
      .toClient(0.0255, ping(hex('0000000000000001'), { ack: true })); // with the client at 35.5 ms: 21.5 ms after it
    expect(limitIn(bursts(0.022, both, start).file())).toMatchObject({ rttSource: 'ping', rtt: 0.0215 });
  });

  it('is measured over all of a transfer that was nearly over when it stalled', () => {
    const talk = opened()
      .toServer(0.03, data(1, message(65_535, 65_535)))
      .toClient(0.041, ...both()) // with the client at 51 ms
      .toServer(0.051, data(1, octets(5), { endStream: true }));
    const limit = limitIn(talk.file());
    expect(limit).toMatchObject({ limitedBy: 'both', stalls: 1 });
    expect(limit.measured).toBeCloseTo(65_540 / 0.021, 0);
  });

  it('binds because its receiver is slow where it stays empty for longer than a round trip', () => {
    const limit = limitIn(bursts(0.2, both).file());
    expect(limit).toMatchObject({ limitedBy: 'receiver', emptyWindow: 'both' });
    expect(limit.measured).toBeCloseTo(327_675, 0); // 65,535 / 0.2
    expect(limit.sentence).toContain('because its receiver returns credit late, measured 320 KiB/s; 64 KiB / 20 ms');
  });
});

describe('no window binds', () => {
  const wide = () => opened({}, [[Setting.INITIAL_WINDOW_SIZE, BIG]]).toClient(0.014, windowUpdate(0, BIG));

  it('where the sender has nothing to send between its messages', () => {
    const talk = wide();
    for (let i = 0; i < 20; i++) talk.toServer(0.03 + i * 0.01, data(1, message(995, 1000)));
    expect(limitIn(talk.file())).toMatchObject({ limitedBy: 'sender', emptyWindow: null, stalls: 0, proposal: null });
  });

  it('where octets wait at the tap for the way on; what comes out of it is the rate', () => {
    const talk = wide();
    // 100 frames of 10,000 octets within 100 ms; they leave at one in 10 ms, 1,000,000 octets a second.
    for (let i = 0; i < 100; i++) {
      const part = i === 0 ? message(BIG, 10_000) : octets(10_000);
      talk.toServer(0.03 + i * 0.001, data(1, part), { delivered: 0.04 + i * 0.01 });
    }
    const limit = limitIn(talk.file());
    expect(limit).toMatchObject({ limitedBy: 'link', stalls: 0 });
    expect(limit.measured! / 1e6).toBeCloseTo(1, 1);
  });

  it('and nothing tells what does: a message goes slowly', () => {
    const talk = wide().toServer(0.03, data(1, message(BIG, 100_000)));
    for (let i = 1; i < 100; i++) talk.toServer(0.03 + i * 0.02, data(1, octets(100_000)));
    const limit = limitIn(talk.file());
    expect(limit).toMatchObject({ limitedBy: 'unknown', stalls: 0 });
    expect(limit.sentence).toContain('what else held it back, the wire does not show');
  });

  it('and none could: all went at once', () => {
    expect(
      limitIn(
        wide()
          .toServer(0.03, data(1, message(995, 1000)))
          .file(),
      ),
    ).toMatchObject({
      limitedBy: 'nothing',
      measured: null,
    });
  });
});

it('without deliveries the round trip is only what the capture point saw', () => {
  const foreign = opened({ penstock: false })
    .toServer(0.014, ping(hex('0000000000000001')))
    .toClient(0.016, ping(hex('0000000000000001'), { ack: true }));
  const limit = limitIn(bursts(0.021, both, foreign).file());
  expect(limit.sentence).toBe(
    // Each stall is seen from its beginning to the credit at the tap: 11 of 21 ms.
    'For at least 52 % of the time limited by the stream and the connection window: at most 64 KiB / 2 ms = 31.2 MiB/s, measured 3 MiB/s',
  );
  expect(limit).toMatchObject({
    limitedBy: 'both',
    rttSource: 'ping',
    rtt: 0.002,
    rttLowerBound: true,
  });
});

it('of a connection that was joined in the middle nothing is said of windows', () => {
  const talk = conversation({ delay: 0.01, handshake: false }).toServer(0.013, headersFrame(1, grpcRequest('/a.B/C')));
  talk.toServer(0.03, data(1, message(BIG, 10_000)));
  for (let i = 1; i < 50; i++) talk.toServer(0.03 + i * 0.02, data(1, octets(10_000)));
  const limit = limitIn(talk.file());
  expect(limit).toMatchObject({ limitedBy: 'unknown', relative: true, window: null, limit: null });
  expect(limit.sentence).toMatch(/^Joined in the middle: the windows are not known/);
  expect(limit.detail).not.toContain('never stood still');
});

it('no DATA, no limit', () => {
  const capture = readCapture(opened().file());
  const flow = { sender: new FlowIndex(capture, 'sender'), receiver: new FlowIndex(capture, 'receiver') };
  expect(new FlowAnalysis(capture, flow).limit(1, 0)).toBeUndefined();
});

it('a wanted rate needs a window for a round trip, and for what its receiver holds back', () => {
  expect(windowFor(10_000_000, 0.02, 0)).toBe(200_000);
  expect(windowFor(10_000_000, 0.02, 0.25)).toBe(266_667); // 200,000 / 0.75
});
