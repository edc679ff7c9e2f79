/**
 * RFC 9113 §5.2 and §6.9, rule by rule. A delay of 10 ms each way: what arrives at the tap at 20 ms is with its receiver
 * at 30 ms. Every conversation begins with these rows, and at 5 ms all settings are acknowledged:
 *
 *     1 PREFACE, 2 SETTINGS →   3 SETTINGS, 4 SETTINGS ACK ←   5 SETTINGS ACK →   6 HEADERS of stream 1 →
 */
import { describe, expect, it } from 'vitest';
import { Setting } from '../../../src/shared/names';
import { type Conversation, type ConversationOptions, conversation } from '../../support/conversation';
import {
  concat,
  data,
  frame,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  latin1,
  literals,
  PREFACE,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  uint32,
  windowUpdate,
} from '../../support/encode';
import { changesOf, isRelative, type Sample, windowsOf } from './windows';

const REQUEST = grpcRequest('/a.B/C');
const VIEWS = ['sender', 'receiver'] as const;
const window = (value: number) => settings([[Setting.INITIAL_WINDOW_SIZE, value]]);
const octets = (length: number) => new Uint8Array(length);

/** Stream 1 is open, opened by frame 6 at 5 ms. */
function opened(options: ConversationOptions = {}): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(), settingsAck())
    .toServer(0.003, settingsAck())
    .toServer(0.005, headersFrame(1, REQUEST));
}

/** A capture that begins on a connection that was open long before. */
function middle(): Conversation {
  return conversation({ delay: 0.01, handshake: false });
}

describe('windows start', () => {
  it.each(VIEWS)('at 65,535 where no SETTINGS say otherwise (§6.9.2), in the view of the %s', (view) => {
    expect(windowsOf(opened().file(), view)).toEqual([
      [5, '→', 1, 'OPEN', 0, 65_535, 6],
      [5, '←', 1, 'OPEN', 0, 65_535, 6],
    ]);
  });

  it('at what the SETTINGS that have come by then say, of each receiver for itself', () => {
    const file = conversation({ delay: 0.01 })
      .toServer(0.001, PREFACE, window(1000)) // 2: the server knows at 11 ms
      .toClient(0.002, window(2000), settingsAck()) // 3, 4: the client knows at 12 ms
      .toServer(0.013, settingsAck()) // 5: the server knows at 23 ms
      .toServer(0.024, headersFrame(1, REQUEST)) // 6
      .file();
    for (const view of VIEWS) {
      expect(windowsOf(file, view)).toEqual([
        [24, '→', 1, 'OPEN', 0, 2000, 6],
        [24, '←', 1, 'OPEN', 0, 1000, 6],
      ]);
    }
  });

  it('at the old size while new SETTINGS are on their way to the sender', () => {
    const file = conversation({ delay: 0.01 })
      .toServer(0.001, PREFACE, window(100_000)) // 2: with the server at 11 ms
      .toClient(0.002, settings()) // 3
      .toServer(0.005, headersFrame(1, REQUEST)) // 4
      .file();
    expect(windowsOf(file, 'sender')).toEqual([
      [5, '→', 1, 'OPEN', 0, 65_535, 4],
      [5, '←', 1, 'OPEN', 0, 65_535, 4],
      [11, '←', 1, 'SETTINGS', 34_465, 100_000, 2], // 100,000 - 65,535
    ]);
    // The client grants the increase when it sends it.
    expect(windowsOf(file, 'receiver')).toEqual([
      [5, '→', 1, 'OPEN', 0, 65_535, 4],
      [5, '←', 1, 'OPEN', 0, 100_000, 4],
    ]);
  });

  it('once a stream: trailers do not open it again', () => {
    const file = opened()
      .toClient(0.02, headersFrame(1, grpcResponse()))
      .toClient(0.03, headersFrame(1, grpcTrailers(0), { endStream: true }))
      .toServer(0.04, data(1, octets(0), { endStream: true }))
      .toServer(0.05, headersFrame(1, REQUEST))
      .file();
    for (const view of VIEWS) expect(windowsOf(file, view)).toHaveLength(2);
  });
});

describe('DATA', () => {
  it.each([
    ['sender', 20],
    ['receiver', 30], // 20 + 10
  ] as const)('is counted by the %s at %d ms, for the connection and then for its stream', (view, t) => {
    const file = opened()
      .toServer(0.02, data(1, octets(1000)))
      .file();
    expect(changesOf(file, view)).toEqual([
      [t, '→', 0, 'DATA', -1000, 64_535, 7],
      [t, '→', 1, 'DATA', -1000, 64_535, 7],
    ]);
  });

  it.each(VIEWS)(
    'counts with its padding and the octet that tells its length (§6.9.1), in the view of the %s',
    (view) => {
      // 1 (pad length) + 10 + 100 (padding) = 111
      const file = opened()
        .toServer(0.02, data(1, octets(10), { padding: 100 }))
        .file();
      expect(changesOf(file, view).map(([, , , , change, left]) => [change, left])).toEqual([
        [-111, 65_424],
        [-111, 65_424],
      ]);
    },
  );

  it.each(VIEWS)('counts with a padding that does not fit, too, in the view of the %s', (view) => {
    const file = opened()
      .toServer(0.02, frame(0, 0x08, 1, concat(Uint8Array.of(200), octets(9))))
      .file(); // 10 octets
    expect(changesOf(file, view).map(([, , , , , left]) => left)).toEqual([65_525, 65_525]);
  });

  it.each(VIEWS)('is counted frame by frame where several come in one chunk, in the view of the %s', (view) => {
    const file = opened()
      .toServer(0.02, data(1, octets(100)), data(1, octets(20)), data(1, octets(3), { endStream: true }))
      .file();
    expect(changesOf(file, view).map(([, , stream, , change, left, n]) => [stream, change, left, n])).toEqual([
      [0, -100, 65_435, 7],
      [1, -100, 65_435, 7],
      [0, -20, 65_415, 8],
      [1, -20, 65_415, 8],
      [0, -3, 65_412, 9],
      [1, -3, 65_412, 9],
    ]);
  });

  it.each(VIEWS)('without octets gives no sample, in the view of the %s', (view) => {
    const file = opened()
      .toServer(0.02, data(1, octets(0)), data(1, octets(0), { endStream: true }))
      .file();
    expect(changesOf(file, view)).toEqual([]);
  });

  it.each(VIEWS)('of each direction spends its own windows, in the view of the %s', (view) => {
    const file = opened()
      .toServer(0.02, data(1, octets(5)))
      .toClient(0.03, headersFrame(1, grpcResponse()), data(1, octets(7)))
      .file();
    expect(changesOf(file, view).map(([, dir, stream, , , left]) => [dir, stream, left])).toEqual([
      ['→', 0, 65_530],
      ['→', 1, 65_530],
      ['←', 0, 65_528],
      ['←', 1, 65_528],
    ]);
  });

  it.each(VIEWS)('of several streams shares the window of the connection, in the view of the %s', (view) => {
    const file = opened()
      .toServer(0.02, headersFrame(3, REQUEST), data(3, octets(40_000)), data(1, octets(20_000)))
      .file();
    expect(changesOf(file, view).map(([, , stream, , , left]) => [stream, left])).toEqual([
      [0, 25_535],
      [3, 25_535],
      [0, 5535], // 65,535 - 60,000
      [1, 45_535],
    ]);
  });

  it('beyond the credit takes a window below 0, which is no exception', () => {
    const file = opened()
      .toServer(0.02, ...Array.from({ length: 5 }, () => data(1, octets(16_384)))) // 81,920
      .file();
    expect(changesOf(file, 'sender').at(-1)).toEqual([20, '→', 1, 'DATA', -16_384, -16_385, 11]); // 65,535 - 81,920
  });

  it('that has arrived but is not delivered is not counted by its receiver yet', () => {
    const file = opened()
      .toServer(0.02, data(1, octets(9)), { delivered: null })
      .file();
    expect(changesOf(file, 'sender')).toHaveLength(2);
    expect(changesOf(file, 'receiver')).toEqual([]);
  });

  it('on stream 0 and on a stream that nothing opened spends the connection only', () => {
    const file = opened()
      .toServer(0.02, data(0, octets(10)), data(7, octets(10)))
      .file();
    expect(changesOf(file, 'sender')).toEqual([
      [20, '→', 0, 'DATA', -10, 65_525, 7],
      [20, '→', 0, 'DATA', -10, 65_515, 8],
    ]);
  });

  it('whose end never came is none', () => {
    const file = opened()
      .toServer(0.02, data(1, octets(100)).slice(0, 50))
      .fin(0.03, 'toServer')
      .file();
    expect(changesOf(file, 'sender')).toEqual([]);
  });
});

describe('WINDOW_UPDATE', () => {
  it.each([
    ['sender', 30], // 20 + 10: it knows of the credit when it has it
    ['receiver', 20],
  ] as const)('is counted by the %s at %d ms, for the one window that it names', (view, t) => {
    const file = opened().toClient(0.02, windowUpdate(1, 500), windowUpdate(0, 7000)).file();
    expect(changesOf(file, view)).toEqual([
      [t, '→', 1, 'WINDOW_UPDATE', 500, 66_035, 7],
      [t, '→', 0, 'WINDOW_UPDATE', 7000, 72_535, 8],
    ]);
  });

  it('that was not delivered gives its sender nothing to go by, and its receiver no credit', () => {
    const file = opened().toClient(0.02, windowUpdate(0, 500), { delivered: null }).file();
    expect(changesOf(file, 'sender')).toEqual([]);
    expect(changesOf(file, 'receiver')).toEqual([[20, '→', 0, 'WINDOW_UPDATE', 500, 66_035, 7]]);
  });

  it('meets DATA that was sent before it came: the two views differ for as long as the delay lasts', () => {
    const file = opened()
      .toServer(0.02, data(1, octets(60_000))) // 7: the server has it at 30 ms
      .toClient(0.031, windowUpdate(0, 60_000)) // 8: the client has it at 41 ms
      .toServer(0.035, data(1, octets(5000))) // 9: the server has it at 45 ms
      .file();
    const connection = (sample: Sample) => sample[2] === 0;
    expect(changesOf(file, 'sender').filter(connection)).toEqual([
      [20, '→', 0, 'DATA', -60_000, 5535, 7],
      [35, '→', 0, 'DATA', -5000, 535, 9],
      [41, '→', 0, 'WINDOW_UPDATE', 60_000, 60_535, 8],
    ]);
    expect(changesOf(file, 'receiver').filter(connection)).toEqual([
      [30, '→', 0, 'DATA', -60_000, 5535, 7],
      [31, '→', 0, 'WINDOW_UPDATE', 60_000, 65_535, 8],
      [45, '→', 0, 'DATA', -5000, 60_535, 9],
    ]);
  });

  it.each(VIEWS)(
    'of 0, of a wrong length or with the reserved bit: 0, nothing, its 31 bits (§6.9), for the %s',
    (view) => {
      const file = opened()
        .toClient(0.02, windowUpdate(0, 0), frame(8, 0, 0, octets(3)), frame(8, 0, 0, uint32(2 ** 31 + 5)))
        .file();
      expect(changesOf(file, view).map(([, , , , change, , n]) => [change, n])).toEqual([[5, 9]]);
    },
  );

  it.each(VIEWS)('on a stream that was closed gives no sample, in the view of the %s', (view) => {
    const file = opened()
      .toServer(0.02, data(1, octets(0), { endStream: true }))
      .toClient(0.05, windowUpdate(1, 500)) // the client sends nothing more on stream 1
      .toClient(0.06, headersFrame(1, grpcTrailers(0), { endStream: true }))
      .toServer(0.09, windowUpdate(1, 500)) // nor does the server
      .toServer(0.1, windowUpdate(3, 500)) // stream 3 is idle
      .file();
    expect(changesOf(file, view)).toEqual([]);
  });
});

describe('SETTINGS_INITIAL_WINDOW_SIZE', () => {
  /** Streams 1, 3 and 5 are open, 4,000, 400 and 40 octets spent; a SETTINGS of the server's at 50 ms is frame 12. */
  function spent(): Conversation {
    return opened()
      .toServer(0.006, headersFrame(5, REQUEST), headersFrame(3, REQUEST)) // 7, 8: 3 below 5, a fault, yet a stream
      .toServer(0.007, data(1, octets(4000)), data(3, octets(400)), data(5, octets(40))); // 9, 10, 11
  }

  it('shifts the windows of all open streams, ascending, and never that of the connection (§6.9.2)', () => {
    const file = spent().toClient(0.05, window(100_000)).file(); // + 34,465
    const shifted = (t: number): Sample[] => [
      [t, '→', 1, 'SETTINGS', 34_465, 96_000, 12],
      [t, '→', 3, 'SETTINGS', 34_465, 99_600, 12],
      [t, '→', 5, 'SETTINGS', 34_465, 99_960, 12],
    ];
    expect(changesOf(file, 'sender').slice(6)).toEqual(shifted(60));
    expect(changesOf(file, 'receiver').slice(6)).toEqual(shifted(50));
  });

  it('takes windows below 0 and back (§6.9.2)', () => {
    const file = spent()
      .toClient(0.05, window(1000)) // 12: - 64,535
      .toServer(0.061, settingsAck()) // 13
      .toClient(0.08, window(65_535)) // 14: + 64,535
      .toServer(0.091, settingsAck()) // 15
      .file();
    const lowered = (t: number, n: number): Sample[] => [
      [t, '→', 1, 'SETTINGS', -64_535, -3000, n], // 61,535 - 64,535
      [t, '→', 3, 'SETTINGS', -64_535, 600, n], // 65,135 - 64,535
      [t, '→', 5, 'SETTINGS', -64_535, 960, n], // 65,495 - 64,535
    ];
    const raised = (t: number): Sample[] => [
      [t, '→', 1, 'SETTINGS', 64_535, 61_535, 14],
      [t, '→', 3, 'SETTINGS', 64_535, 65_135, 14],
      [t, '→', 5, 'SETTINGS', 64_535, 65_495, 14],
    ];
    // The sender goes by it when it comes; its receiver when the acknowledgement has come (§6.5.3).
    expect(changesOf(file, 'sender').slice(6)).toEqual([...lowered(60, 12), ...raised(90)]);
    expect(changesOf(file, 'receiver').slice(6)).toEqual([...lowered(71, 13), ...raised(80)]);
  });

  it('that is the old value gives no sample', () => {
    const file = spent().toClient(0.05, window(65_535)).toServer(0.061, settingsAck()).file();
    for (const view of VIEWS) expect(changesOf(file, view)).toHaveLength(6);
  });

  it('counts with its last value where it stands twice, and not where it is above 2^31-1 (§6.5.2, §6.5.3)', () => {
    const twice = settings([
      [Setting.INITIAL_WINDOW_SIZE, 10],
      [Setting.INITIAL_WINDOW_SIZE, 65_536],
    ]);
    const file = opened()
      .toClient(0.05, twice)
      .toClient(0.06, window(2 ** 31))
      .file();
    for (const view of VIEWS) {
      expect(changesOf(file, view).map(([, , , , change, left]) => [change, left])).toEqual([[1, 65_536]]);
    }
  });

  it('is spent beyond by a sender that has not seen a decrease yet: its receiver goes by the old value so long', () => {
    const file = opened()
      .toClient(0.02, window(100)) // 7: with the client at 30 ms
      .toServer(0.025, data(1, octets(1000))) // 8: with the server at 35 ms
      .toServer(0.031, settingsAck()) // 9: with the server at 41 ms
      .file();
    const stream = (sample: Sample) => sample[2] === 1;
    expect(changesOf(file, 'sender').filter(stream)).toEqual([
      [25, '→', 1, 'DATA', -1000, 64_535, 8],
      [30, '→', 1, 'SETTINGS', -65_435, -900, 7],
    ]);
    expect(changesOf(file, 'receiver').filter(stream)).toEqual([
      [35, '→', 1, 'DATA', -1000, 64_535, 8],
      [41, '→', 1, 'SETTINGS', -65_435, -900, 9],
    ]);
  });

  it('lowered and raised before the first is acknowledged: the receiver goes by the larger that may be in force', () => {
    const file = opened()
      .toClient(0.02, window(1000)) // 7
      .toClient(0.021, window(50_000)) // 8
      .toServer(0.03, settingsAck()) // 9, with the server at 40 ms: 1,000 is in force, 50,000 may be
      .toServer(0.035, settingsAck()) // 10
      .file();
    expect(changesOf(file, 'sender')).toEqual([
      [30, '→', 1, 'SETTINGS', -64_535, 1000, 7],
      [31, '→', 1, 'SETTINGS', 49_000, 50_000, 8],
    ]);
    expect(changesOf(file, 'receiver')).toEqual([[40, '→', 1, 'SETTINGS', -15_535, 50_000, 9]]);
  });

  it('raised and lowered before the first is acknowledged: the receiver takes back at the second acknowledgement', () => {
    const file = opened()
      .toClient(0.02, window(100_000)) // 7
      .toClient(0.021, window(65_535)) // 8
      .toServer(0.03, settingsAck(), settingsAck()) // 9, 10
      .file();
    expect(changesOf(file, 'receiver')).toEqual([
      [20, '→', 1, 'SETTINGS', 34_465, 100_000, 7],
      [40, '→', 1, 'SETTINGS', -34_465, 65_535, 10],
    ]);
  });

  it('does not reach halves that have ended, in the books of who knows', () => {
    const file = opened()
      .toServer(0.02, data(1, octets(0), { endStream: true })) // with the server at 30 ms
      .toClient(0.025, window(65_536)) // 8, with the client at 35 ms, which has ended its half at 20
      .file();
    expect(changesOf(file, 'sender')).toEqual([]);
    expect(changesOf(file, 'receiver')).toEqual([[25, '→', 1, 'SETTINGS', 1, 65_536, 8]]);
  });

  it('of a peer changes what the other side spends, on its half alone', () => {
    const file = opened().toServer(0.05, window(65_545)).file();
    expect(changesOf(file, 'sender')).toEqual([[60, '←', 1, 'SETTINGS', 10, 65_545, 7]]);
  });
});

describe('a reset', () => {
  it('ends its own windows at once; DATA under way counts against the connection alone (§5.1)', () => {
    const file = opened()
      .toClient(0.02, headersFrame(1, grpcResponse())) // 7
      .toServer(0.03, rstStream(1, 8)) // 8: with the server at 40 ms
      .toClient(0.035, data(1, octets(1000))) // 9: sent before the server knew; with the client at 45 ms
      .toClient(0.041, data(1, octets(300))) // 10: sent after it knew, a fault
      .file();
    expect(changesOf(file, 'sender')).toEqual([
      [35, '←', 0, 'DATA', -1000, 64_535, 9],
      [35, '←', 1, 'DATA', -1000, 64_535, 9],
      [41, '←', 0, 'DATA', -300, 64_235, 10],
    ]);
    // To the client, stream 1 was closed when it sent the reset.
    expect(changesOf(file, 'receiver')).toEqual([
      [45, '←', 0, 'DATA', -1000, 64_535, 9],
      [51, '←', 0, 'DATA', -300, 64_235, 10],
    ]);
  });

  it('is known to the other side when it comes: DATA before it counts for the stream', () => {
    const file = opened()
      .toServer(0.02, data(1, octets(10)), rstStream(1, 8), data(1, octets(20))) // 7, 8, 9
      .file();
    const left = (view: 'sender' | 'receiver') =>
      changesOf(file, view).map(([, , stream, , , value]) => [stream, value]);
    const expected = [
      [0, 65_525],
      [1, 65_525],
      [0, 65_505],
    ];
    expect(left('sender')).toEqual(expected);
    expect(left('receiver')).toEqual(expected);
  });
});

describe('a pushed stream', () => {
  it('opens with its response, and no SETTINGS change what the client could send on it', () => {
    const promise = literals([
      [':method', 'GET'],
      [':path', '/'],
    ]);
    const file = opened()
      .toClient(0.02, pushPromise(1, 2, promise)) // 7
      .toClient(0.03, headersFrame(2, literals([[':status', '200']])), data(2, octets(10))) // 8, 9
      .toClient(0.04, window(65_536)) // 10
      .file();
    expect(windowsOf(file, 'sender').slice(2)).toEqual([
      [30, '→', 2, 'OPEN', 0, 65_535, 8],
      [30, '←', 2, 'OPEN', 0, 65_535, 8],
      [30, '←', 0, 'DATA', -10, 65_525, 9],
      [30, '←', 2, 'DATA', -10, 65_525, 9],
      [50, '→', 1, 'SETTINGS', 1, 65_536, 10],
    ]);
  });
});

describe("an upgrade's HTTP2-Settings", () => {
  // 0004 000186a0: SETTINGS_INITIAL_WINDOW_SIZE 100,000
  const asked = latin1('GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAQAAYag\r\n\r\n');
  const answered = latin1('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n');
  const file = conversation({ delay: 0.01 })
    .toServer(0.001, asked) // 1
    .toClient(0.02, answered) // 2
    .toClient(0.021, settings()) // 3
    .toServer(0.031, PREFACE, settings(), settingsAck()) // 4, 5, 6
    .toClient(0.04, headersFrame(1, grpcResponse()), data(1, octets(1))) // 7, 8
    .toClient(0.05, window(70_000)) // 9: stream 1 is half-closed by the client
    .file();

  it.each(VIEWS)('are in force from the request on, which is stream 1, in the view of the %s', (view) => {
    const t = view === 'sender' ? 40 : 50;
    expect(windowsOf(file, view)).toEqual([
      [1, '→', 1, 'OPEN', 0, 65_535, 1],
      [1, '←', 1, 'OPEN', 0, 100_000, 1],
      [t, '←', 0, 'DATA', -1, 65_534, 8],
      [t, '←', 1, 'DATA', -1, 99_999, 8],
    ]);
  });

  it.each(VIEWS)('are known as well while the file grows, in the view of the %s', (view) => {
    expect(windowsOf(file, view, { step: 7 })).toEqual(windowsOf(file, view));
  });
});

describe('joined in the middle', () => {
  it('windows are relative: they start at 0', () => {
    const file = middle()
      .toServer(0, data(1, octets(100))) // 1: of a stream that was open before
      .toClient(0.02, windowUpdate(1, 30), windowUpdate(0, 40)) // 2, 3
      .toClient(0.03, windowUpdate(3, 5)) // 4: another
      .file();
    expect(isRelative(file)).toBe(true);
    expect(isRelative(opened().file())).toBe(false);
    expect(windowsOf(file, 'sender')).toEqual([
      [0, '→', 0, 'DATA', -100, -100, 1],
      [0, '→', 1, 'DATA', -100, -100, 1],
      [30, '→', 1, 'WINDOW_UPDATE', 30, -70, 2],
      [30, '→', 0, 'WINDOW_UPDATE', 40, -60, 3],
      [40, '→', 3, 'WINDOW_UPDATE', 5, 5, 4],
    ]);
  });

  it('streams that open later start at 0, too, with their OPEN samples; those that were open have none', () => {
    const file = middle()
      .toServer(0, headersFrame(7, REQUEST)) // 1
      .toClient(0.02, headersFrame(5, grpcResponse()), data(5, octets(1))) // 2, 3: answers what was asked before
      .file();
    expect(windowsOf(file, 'sender')).toEqual([
      [0, '→', 7, 'OPEN', 0, 0, 1],
      [0, '←', 7, 'OPEN', 0, 0, 1],
      [20, '←', 0, 'DATA', -1, -1, 3],
      [20, '←', 5, 'DATA', -1, -1, 3],
    ]);
  });

  it.each(VIEWS)('the first SETTINGS change by what is unknown, the next by what they say, for the %s', (view) => {
    const file = middle()
      .toServer(0, headersFrame(1, REQUEST)) // 1
      .toClient(0.02, window(1000)) // 2
      .toServer(0.031, settingsAck()) // 3
      .toClient(0.05, window(1500)) // 4: + 500
      .toServer(0.061, settingsAck()) // 5
      .toServer(0.065, headersFrame(3, REQUEST)) // 6: opened behind all that
      .file();
    expect(windowsOf(file, view).slice(2)).toEqual([
      [view === 'sender' ? 60 : 50, '→', 1, 'SETTINGS', 500, 500, 4],
      [65, '→', 3, 'OPEN', 0, 0, 6],
      [65, '←', 3, 'OPEN', 0, 0, 6],
    ]);
  });
});
