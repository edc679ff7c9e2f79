/** Samples come by time, then by place in the file; whether the file is read at once or followed makes no difference. */
import { describe, expect, it } from 'vitest';
import { SeenStreams } from '../../../src/core/flow/seen-streams';
import { Setting } from '../../../src/shared/names';
import { type Conversation, type ConversationOptions, captureFile, conversation } from '../../support/conversation';
import {
  data,
  grpcRequest,
  grpcResponse,
  headersFrame,
  PREFACE,
  rstStream,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';
import { changesOf, type Sample, windowsOf } from './windows';

const VIEWS = ['sender', 'receiver'] as const;
const REQUEST = grpcRequest('/a.B/C');

function opened(options: ConversationOptions = {}): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(), settingsAck())
    .toServer(0.005, settingsAck(), headersFrame(1, REQUEST));
}

/** A bit of everything, much of it at one time: what is sent at 20 ms comes when something else is sent at 30 ms. */
function busy(options: ConversationOptions = {}): Conversation {
  const talk = opened(options);
  for (let i = 0; i < 20; i++) {
    const t = 0.02 + i * 0.005;
    const stream = 2 * i + 3;
    talk
      .toServer(t, headersFrame(stream, REQUEST), data(stream, new Uint8Array(100 + i)), data(1, new Uint8Array(7)))
      .toClient(
        t,
        windowUpdate(1, 50),
        windowUpdate(0, 60),
        settings([[Setting.INITIAL_WINDOW_SIZE, 60_000 + 500 * (i % 5)]]),
      )
      .toServer(t, settingsAck(), windowUpdate(0, 3))
      .toClient(t + 0.001, headersFrame(stream, grpcResponse()), data(stream, new Uint8Array(200)))
      .toClient(
        t + 0.002,
        ...(i % 3 === 0 ? [rstStream(stream, 8)] : [data(stream, new Uint8Array(1), { endStream: true })]),
      );
  }
  return talk;
}

function isOrdered(samples: readonly Sample[]): boolean {
  return samples.every((sample, i) => {
    const before = samples[i - 1];
    return before === undefined || before[0] < sample[0] || (before[0] === sample[0] && before[6] <= sample[6]);
  });
}

describe('samples are ordered by time, then by place in the file', () => {
  it.each(VIEWS)('where much happens at once, in the view of the %s', (view) => {
    const samples = windowsOf(busy().file(), view);
    expect(samples.length).toBeGreaterThan(200);
    expect(isOrdered(samples)).toBe(true);
  });

  it('whatever counts at its arrival and whatever at its delivery', () => {
    const file = opened()
      .toClient(0.02, windowUpdate(0, 5)) // 7: with the client at 30 ms
      .toServer(0.03, data(1, new Uint8Array(1))) // 8
      .file();
    expect(changesOf(file, 'sender').map(([t, , , , , , n]) => [t, n])).toEqual([
      [30, 7],
      [30, 8],
      [30, 8],
    ]);
  });

  it('where segments came out of order', () => {
    const first = data(1, new Uint8Array(10));
    const second = data(1, new Uint8Array(20));
    const start = opened({ penstock: false });
    const position = 24 + 9 + 9 + headersFrame(1, REQUEST).length;
    const file = start
      .segmentAt(0.02, 'toServer', position + first.length, second) // its octets wait for those before it
      .toClient(0.025, windowUpdate(0, 1000))
      .segmentAt(0.03, 'toServer', position, first)
      .file();
    // Rows are numbered by the arrival of their last octet, and so are their samples.
    expect(changesOf(file, 'sender')).toEqual([
      [20, '→', 0, 'DATA', -20, 65_515, 7],
      [20, '→', 1, 'DATA', -20, 65_515, 7],
      [25, '→', 0, 'WINDOW_UPDATE', 1000, 66_515, 8],
      [30, '→', 0, 'DATA', -10, 66_505, 9],
      [30, '→', 1, 'DATA', -10, 65_505, 9],
    ]);
  });
});

describe('a file that grows gives the same samples', () => {
  it.each(VIEWS)('octet by octet, in the view of the %s', (view) => {
    const file = busy().file();
    expect(windowsOf(file, view, { step: 1 })).toEqual(windowsOf(file, view));
  });

  it.each(VIEWS)('without deliveries in it, in the view of the %s', (view) => {
    const file = busy({ penstock: false }).file();
    expect(windowsOf(file, view, { step: 11 })).toEqual(windowsOf(file, view));
  });

  it('and all that is known, while it goes on', () => {
    const file = opened()
      .toServer(0.02, data(1, new Uint8Array(1)))
      .file();
    // The DATA's acknowledgement at 30 ms is the newest packet.
    expect(changesOf(file, 'sender', { open: true })).toHaveLength(2);
    expect(changesOf(file, 'receiver', { open: true })).toHaveLength(2);
  });
});

describe('without deliveries in the file', () => {
  it('both views are that of the capture point, but for what waits for an acknowledgement', () => {
    const file = opened({ penstock: false })
      .toServer(0.02, data(1, new Uint8Array(10)))
      .toClient(0.03, windowUpdate(0, 10))
      .file();
    expect(windowsOf(file, 'receiver')).toEqual(windowsOf(file, 'sender'));
    expect(changesOf(file, 'sender').map(([t]) => t)).toEqual([20, 20, 30]);
  });
});

describe('bounds', () => {
  it('of samples: many streams and many SETTINGS change windows without a sample for each', () => {
    const talk = opened({ delay: 0 });
    const streams = Array.from({ length: 1000 }, (_, i) => headersFrame(2 * i + 3, REQUEST));
    const changes = Array.from({ length: 1000 }, (_, i) => settings([[Setting.INITIAL_WINDOW_SIZE, i]]));
    talk
      .toServer(0.01, ...streams)
      .toClient(0.02, ...changes)
      .toServer(0.03, data(1, new Uint8Array(1)));
    const samples = windowsOf(talk.file(), 'sender');
    // 2 for each of 1,001 streams; of 1,001,000 changes, 1,024 and 16 for each of some 3,000 rows.
    expect(samples.length).toBeLessThan(2 * 1001 + 1024 + 16 * 3010);
    expect(samples.at(-1)).toEqual([30, '→', 1, 'DATA', -1, 998, expect.any(Number)]); // 999 - 1
  });

  it('of streams remembered: those long gone are not new again, and forgotten ones neither', () => {
    const seen = new SeenStreams();
    let fresh = 0;
    for (let stream = 1; stream < 200_000; stream += 2) if (seen.isNew(stream)) fresh++;
    expect(fresh).toBe(100_000);
    for (const stream of [1, 3, 150_001, 199_999]) expect(seen.isNew(stream)).toBe(false);
    expect(seen.isNew(200_001)).toBe(true);
    // The server's streams are another count.
    expect(seen.isNew(2)).toBe(true);
  });
});

describe('several connections', () => {
  it('have windows of their own', () => {
    const other = opened({ client: '127.0.0.1:40009', handshake: 0 }).toServer(0.02, data(1, new Uint8Array(9)));
    const file = captureFile([opened().toServer(0.02, data(1, new Uint8Array(1))), other]);
    expect(changesOf(file, 'sender').map(([, , , , , left]) => left)).toEqual([65_534, 65_534]);
  });
});
