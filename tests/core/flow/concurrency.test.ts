/** Streams open in the client's books: a delay of 10 ms each way, so that what the server ends at t counts at t + 10. */
import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { type Concurrency, concurrencyOf } from '../../../src/core/flow/concurrency';
import { Setting } from '../../../src/shared/names';
import { type Conversation, type ConversationOptions, conversation } from '../../support/conversation';
import {
  data,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  PREFACE,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
} from '../../support/encode';

const REQUEST = grpcRequest('/a.B/C');
const most = (value: number) => settings([[Setting.MAX_CONCURRENT_STREAMS, value]]);

/** The server allows `limit` streams; the client has acknowledged it at 13 ms. */
function limited(limit: number, options: ConversationOptions = {}): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings()) // 1, 2
    .toClient(0.002, most(limit), settingsAck()) // 3, 4
    .toServer(0.013, settingsAck()); // 5
}

const call = (stream: number) => headersFrame(stream, REQUEST, { endStream: true });
const answer = (stream: number) => headersFrame(stream, grpcTrailers(0), { endStream: true });

function read(talk: Conversation): Capture {
  const capture = new Capture();
  capture.push(talk.file());
  capture.end();
  return capture;
}

const of = (talk: Conversation): Concurrency => concurrencyOf(read(talk), 1);

/** `[milliseconds, streams open, number of the frame]` */
function steps(talk: Conversation): [t: number, open: number, n: number][] {
  const capture = read(talk);
  const { time, open, row } = concurrencyOf(capture, 1);
  return Array.from({ length: time.length }, (_, i) => [time.get(i) / 1e6, open.get(i), capture.numberOf(row.get(i))]);
}

describe('a stream counts', () => {
  it('from its HEADERS to the delivery of the end of its response', () => {
    const talk = limited(100).toServer(0.02, call(1)).toClient(0.05, answer(1));
    expect(steps(talk)).toEqual([
      [20, 1, 6],
      [60, 0, 7], // 50 + 10
    ]);
  });

  it('until both sides have ended it: a response that ends first leaves it half-closed', () => {
    const talk = limited(100)
      .toServer(0.02, headersFrame(1, REQUEST))
      .toClient(0.03, answer(1)) // with the client at 40 ms
      .toServer(0.07, data(1, new Uint8Array(0), { endStream: true }));
    expect(steps(talk)).toEqual([
      [20, 1, 6],
      [70, 0, 8],
    ]);
  });

  it.each([
    ['its client sends', (talk: Conversation) => talk.toServer(0.04, rstStream(1, 8)), 40],
    ['its server sends', (talk: Conversation) => talk.toClient(0.04, rstStream(1, 2)), 50], // 40 + 10
    ['comes behind a full response', (talk: Conversation) => talk.toClient(0.03, answer(1), rstStream(1, 0)), 40],
  ])('until a reset that %s', (_who, reset, t) => {
    const talk = limited(100).toServer(0.02, headersFrame(1, REQUEST));
    expect(steps(reset(talk)).map(([at, open]) => [at, open])).toEqual([
      [20, 1],
      [t, 0],
    ]);
  });

  it('while what ends it is on its way to the client', () => {
    const talk = limited(100).toServer(0.02, call(1)).toClient(0.05, answer(1), { delivered: null });
    expect(steps(talk)).toEqual([[20, 1, 6]]);
  });

  it('at the capture point where the file does not tell deliveries', () => {
    const talk = limited(100, { penstock: false }).toServer(0.02, call(1)).toClient(0.05, answer(1));
    expect(steps(talk).map(([t, open]) => [t, open])).toEqual([
      [20, 1],
      [50, 0],
    ]);
  });

  it("not when the server pushed it: the client's limit binds those (§5.1.2)", () => {
    const talk = limited(1)
      .toServer(0.02, call(1))
      .toClient(0.03, pushPromise(1, 2, REQUEST), headersFrame(2, grpcResponse()));
    expect(of(talk)).toMatchObject({ streams: 1, peak: 1, beyond: 0 });
  });
});

describe('the limit', () => {
  it('is in force once it is acknowledged; streams opened before are not beyond it', () => {
    const talk = conversation({ delay: 0.01 })
      .toServer(0.001, PREFACE, settings())
      .toServer(0.002, call(1), call(3)) // the client knows of no limit
      .toClient(0.003, most(1), settingsAck())
      .toServer(0.014, settingsAck())
      .toServer(0.015, call(5)); // now it does
    const found = of(talk);
    expect(found).toMatchObject({ peak: 3, beyond: 1 });
    expect(found.limits.map(({ value, time }) => [value, time / 1e6])).toEqual([[1, 14]]);
  });

  it('is the last value of a frame, and of the frames the last that was acknowledged', () => {
    const twice = settings([
      [Setting.MAX_CONCURRENT_STREAMS, 7],
      [Setting.MAX_CONCURRENT_STREAMS, 3],
    ]);
    const talk = limited(100).toClient(0.02, twice).toServer(0.031, settingsAck()).toClient(0.04, most(9));
    expect(of(talk).limits.map(({ value, time }) => [value, time / 1e6])).toEqual([
      [100, 13],
      [3, 31],
      [9, Number.NaN],
    ]);
  });

  it('tells how long it was reached, and not beyond the end of the connection', () => {
    const talk = limited(2)
      .toServer(0.02, call(1))
      .toServer(0.03, call(3)) // two from 30 ms on
      .toClient(0.07, answer(1)) // to 80 ms
      .toServer(0.1, call(5)) // and from 100 ms
      .fin(0.2, 'toClient')
      .fin(0.2, 'toServer'); // to 200 ms
    const found = of(talk);
    expect(found.atLimit / 1e6).toBeCloseTo(50 + 100, 6);
    // 1 for 10 ms, 2 for 50, 1 for 20, 2 for 100, in 180 ms.
    expect(found.mean).toBeCloseTo((10 + 100 + 20 + 200) / 180, 6);
  });

  it('is none where none was said', () => {
    const talk = conversation().toServer(0.001, PREFACE, settings(), call(1)).toClient(0.002, settings());
    expect(of(talk)).toMatchObject({ limits: [], peak: 1, atLimit: 0, waveCount: 0, prompt: 0 });
  });

  it('of 0 is reached without a stream, and streams are refused in the open', () => {
    const talk = limited(0).toServer(0.02, call(1)).toClient(0.03, rstStream(1, 7));
    expect(of(talk)).toMatchObject({ refused: 1, beyond: 1, peak: 1 });
  });
});

describe('waves', () => {
  /** A limit of 2 and 6 calls of 1 s: a client that queues opens the next 0.1 ms after it has seen one end. */
  function queued(): Conversation {
    return limited(2)
      .toServer(0.02, call(1), call(3)) // the server has them at 30 ms
      .toClient(1.03, answer(1), answer(3)) // the client at 1,040 ms
      .toServer(1.0401, call(5), call(7))
      .toClient(2.0501, answer(5), answer(7))
      .toServer(2.0602, call(9), call(11))
      .toClient(3.0702, answer(9), answer(11));
  }

  it('are three with a limit of 2 and 6 calls of 1 s, 2 open throughout', () => {
    const capture = read(queued());
    const found = concurrencyOf(capture, 1);
    expect(found).toMatchObject({ streams: 6, peak: 2, waveCount: 3, prompt: 4, beyond: 0, refused: 0 });
    expect(
      found.waves.map(({ from, to, streams, row }) => [from / 1e6, to / 1e6, streams, capture.numberOf(row)]),
    ).toEqual([
      [20, 1040, 2, 6],
      [1040.1, 2060.1, 2, 10],
      [2060.2, 3080.2, 2, 14],
    ]);
    // But for the two times 0.1 ms that the client takes.
    expect(found.atLimit / 1e6).toBeCloseTo(3 * 1020, 3);
    expect(found.mean).toBeCloseTo(2, 3);
  });

  it('are told of streams that take over one by one, too', () => {
    const talk = limited(2)
      .toServer(0.02, call(1), call(3))
      .toClient(0.52, answer(1))
      .toServer(0.5301, call(5)) // in the place of 1
      .toClient(1.02, answer(3))
      .toServer(1.0301, call(7)) // in the place of 3
      .toClient(1.52, answer(5))
      .toServer(1.5301, call(9)); // in the place of 5
    expect(of(talk)).toMatchObject({ waveCount: 3, prompt: 3 });
    expect(of(talk).waves.map(({ streams }) => streams)).toEqual([2, 2, 1]);
  });

  it('claim nothing of streams that open later than at once, though the limit was reached before', () => {
    const talk = limited(2)
      .toServer(0.02, call(1), call(3))
      .toClient(0.1, answer(1), answer(3)) // with the client at 110 ms
      .toServer(0.2, call(5), call(7)); // 90 ms later: nothing held these back
    // Two runs, each of one wave.
    expect(of(talk)).toMatchObject({ prompt: 0, waveCount: 2 });
  });

  it('claim nothing where the limit was not reached, however soon streams follow', () => {
    const talk = limited(3)
      .toServer(0.02, call(1), call(3))
      .toClient(0.1, answer(1), answer(3))
      .toServer(0.1101, call(5), call(7));
    expect(of(talk)).toMatchObject({ prompt: 0, waveCount: 0, waves: [], atLimit: 0 });
  });

  it('give one place to one stream', () => {
    const talk = limited(2)
      .toServer(0.02, call(1), call(3))
      .toClient(0.1, answer(1)) // one place
      .toServer(0.1101, call(5), call(7)); // the second is beyond the limit
    expect(of(talk)).toMatchObject({ prompt: 1, beyond: 1, peak: 3 });
  });
});

describe('a connection', () => {
  it('joined in the middle says so', () => {
    const talk = conversation({ handshake: false }).toServer(0, data(1, new Uint8Array(9)));
    expect(of(talk)).toMatchObject({ partial: true, streams: 1, peak: 1 });
  });

  it('without streams has none', () => {
    expect(of(limited(5))).toMatchObject({ streams: 0, peak: 0, mean: 0, atLimit: 0, waveCount: 0 });
  });

  it('with 100,000 streams opened beyond a limit of 1 and closed at once is counted all the same', () => {
    const talk = limited(1);
    const ids = Array.from({ length: 50_000 }, (_, i) => 2 * i + 1);
    talk.toServer(0.02, ...ids.map(call)).toClient(0.03, ...ids.map(answer));
    const more = ids.map((id) => id + 100_000);
    talk.toServer(0.0401, ...more.map(call));
    expect(of(talk)).toMatchObject({ streams: 100_000, beyond: 99_998, prompt: 1 });
  });
});
