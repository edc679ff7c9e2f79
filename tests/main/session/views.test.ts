import { describe, expect, test } from 'vitest';
import { MemorySource } from '../../../src/main/session/byte-source';
import { ChangeTracker } from '../../../src/main/session/changes';
import { parseFilter } from '../../../src/main/session/filter/filter';
import { Session } from '../../../src/main/session/session';
import { View } from '../../../src/main/session/view';
import { Views } from '../../../src/main/session/views';
import { conversation } from '../../support/conversation';
import { concat, data, headersFrame, literals, PREFACE, ping, settings } from '../../support/encode';
import { afterThisTest, sessionOf, unaryCalls } from './helpers';

/** A session that is fed piece by piece, with a view of each filter. */
class Live {
  readonly session: Session;
  readonly views: View[];
  private readonly tracker: ChangeTracker;
  private at = 0;

  constructor(
    private readonly file: Uint8Array,
    filters: string[],
  ) {
    this.session = new Session(new MemorySource(file));
    this.tracker = new ChangeTracker(this.session.capture);
    this.views = filters.map((text, i) => {
      const result = parseFilter(text);
      if ('error' in result) throw new Error(result.error.message);
      return new View(i, text, result.filter, this.session);
    });
  }

  get done(): boolean {
    return this.at === this.file.length;
  }

  /** Reads `octets` more, and looks at what they changed. */
  feed(octets = this.file.length): void {
    const end = Math.min(this.file.length, this.at + octets);
    this.session.capture.push(this.file.slice(this.at, end));
    this.at = end;
    this.look();
  }

  end(): void {
    this.session.capture.end();
    this.look();
    if (this.session.reordered) for (const view of this.views) view.restart(0);
    for (const view of this.views) view.work(Number.POSITIVE_INFINITY);
  }

  private look(): void {
    const changes = this.tracker.advance();
    for (const view of this.views) {
      view.apply(changes);
      view.work(Number.POSITIVE_INFINITY);
    }
  }

  numbers(view: View): number[] {
    return Array.from({ length: view.count }, (_, i) => view.numberAt(i));
  }

  /** The same, found by looking at every row anew. */
  selected(view: View): number[] {
    const result = parseFilter(view.text);
    if ('error' in result) throw new Error(result.error.message);
    return this.session.select(result.filter);
  }
}

const FILTERS = [
  'type == HEADERS',
  'status == NOT_FOUND',
  'status != OK && type == DATA',
  'method contains "Echo"',
  'delivered',
  '!delivered',
  'dir == toServer',
  'n > 10',
  'info contains "RTT"',
  'header grpc-status == 5 || stream == 0',
];

describe('a view of a capture that grows', () => {
  const delayed = unaryCalls(30, { delay: 0.004 })
    .toServer(0.05, ping())
    .toClient(0.06, ping(new Uint8Array(8), { ack: true }))
    .file();
  const swapped = unaryCalls(6, { penstock: false, handshake: false, split: 40 }).file();

  test.each([
    ['with deliveries that come later', delayed],
    ['joined in the middle', swapped],
  ])('holds at every time what a new look would find: %s', (_, file) => {
    const live = new Live(file, FILTERS);
    while (!live.done) {
      live.feed(64);
      for (const view of live.views) expect(live.numbers(view), view.text).toEqual(live.selected(view));
    }
    live.end();
    for (const view of live.views) expect(live.numbers(view), view.text).toEqual(live.selected(view));
    expect(live.views.some((view) => view.count > 0)).toBe(true);
  });

  test('takes in the earlier rows of a call when its trailers say how it ended', () => {
    const talk = unaryCalls(3, { delay: 0 });
    const file = talk.file();
    const live = new Live(file, ['status == NOT_FOUND']);
    const [view] = live.views;
    live.feed(file.length - 200);
    expect(live.numbers(view!)).toEqual([]);
    const { revision } = view!.state;
    live.feed();
    const rows = live.numbers(view!).map((n) => live.session.frame(n));
    expect(rows.map(({ type, stream }) => [type, stream])).toEqual([
      ['HEADERS', 5],
      ['DATA', 5],
      ['HEADERS', 5],
      ['DATA', 5],
      ['HEADERS', 5],
    ]);
    expect(view!.state.revision).toBeGreaterThan(revision);
  });

  test('lets a row go when it is delivered', () => {
    const file = conversation({ delay: 0.01 }).toServer(0.001, PREFACE, settings()).toClient(0.005, settings()).file();
    const live = new Live(file, ['!delivered', 'delivered']);
    const counts: number[][] = [];
    while (!live.done) {
      live.feed(8);
      counts.push(live.views.map((view) => view.count));
    }
    expect(counts).toContainEqual([3, 0]);
    expect(counts.at(-1)).toEqual([0, 3]);
  });

  test('learns with all other rows which side is the client', () => {
    // The server's octets come first; only the request tells that the other side is the client.
    const file = conversation({ handshake: false, penstock: false })
      .toClient(0.001, settings(), ping())
      .toClient(0.002, data(1, new Uint8Array(20)))
      .toServer(
        0.003,
        headersFrame(
          3,
          literals([
            [':method', 'GET'],
            [':path', '/'],
          ]),
        ),
      )
      .file();
    const live = new Live(file, ['dir == toServer']);
    const seen: number[][] = [];
    while (!live.done) {
      live.feed(16);
      seen.push(live.numbers(live.views[0]!));
    }
    expect(seen).toContainEqual([1, 2, 3]);
    expect(seen.at(-1)).toEqual([4]);
  });

  test('is in the order of the numbers, where segments came out of order', () => {
    const opening = concat(
      PREFACE,
      settings(),
      headersFrame(
        1,
        literals([
          [':method', 'POST'],
          [':path', '/'],
        ]),
      ),
    );
    const late = data(1, new Uint8Array(30));
    const file = conversation({ penstock: false })
      .toServer(0.001, opening)
      .gap('toServer', late.length)
      .toServer(0.002, ping()) // waits for the octets before it, and was there first
      .toClient(0.003, settings())
      .segmentAt(0.004, 'toServer', opening.length, late)
      .toClient(0.005, ping(new Uint8Array(8), { ack: true }))
      .file();
    const live = new Live(file, ['n >= 4', 'type in {PING, DATA}']);
    while (!live.done) live.feed(32);
    live.end();
    expect(live.session.reordered).toBe(true);
    const types = Array.from({ length: live.session.frameCount }, (_, i) => live.session.frame(i + 1).type);
    expect(types).toEqual(['PREFACE', 'SETTINGS', 'HEADERS', 'PING', 'SETTINGS', 'DATA', 'PING']);
    expect(live.numbers(live.views[0]!)).toEqual([4, 5, 6, 7]);
    expect(live.numbers(live.views[1]!)).toEqual([4, 6, 7]);
    expect(live.views[1]!.positionOf(5)).toBe(1);
  });

  test('finds the position of a frame, or of the next one that passes', () => {
    const session = sessionOf(unaryCalls(4).file());
    const result = parseFilter('type == DATA');
    if ('error' in result) throw new Error(result.error.message);
    const view = new View(1, 'type == DATA', result.filter, session);
    view.work(Number.POSITIVE_INFINITY);
    const numbers = Array.from({ length: view.count }, (_, i) => view.numberAt(i));
    for (let n = 1; n <= session.frameCount; n++) {
      const next = numbers.findIndex((number) => number >= n);
      expect(view.positionOf(n)).toBe(next === -1 ? numbers.length : next);
    }
  });
});

describe('views', () => {
  test('are worked on in turns, and tell when they have grown', async () => {
    const session = sessionOf(unaryCalls(5000).file());
    let told = 0;
    let wake = () => {};
    const views = new Views(session, () => {
      told++;
      wake();
    });
    afterThisTest(() => views.close());
    const answer = views.create('info contains "message" && headers contains "x" || type == DATA');
    if ('error' in answer) throw new Error(answer.error.message);
    const view = views.get(answer.view);
    while (!view.settled) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    expect(view.count).toBe(10_000);
    expect(told).toBeGreaterThan(1);
  });

  test('say what is wrong with a filter, and keep the view that it should have replaced', () => {
    const views = new Views(sessionOf(unaryCalls(1).file()), () => {});
    const good = views.create('type == DATA');
    if ('error' in good) throw new Error(good.error.message);
    expect(views.create('type = DATA', good.view)).toEqual({
      error: {
        message: expect.any(String) as string,
        at: expect.any(Number) as number,
        length: expect.any(Number) as number,
      },
    });
    expect(views.states.map(({ filter }) => filter)).toEqual(['type == DATA']);
    views.create('type == PING', good.view);
    expect(views.states.map(({ filter, count }) => [filter, count])).toEqual([['type == PING', 0]]);
    expect(() => views.get(good.view)).toThrow('there is no view');
  });

  test('have a bound', () => {
    const views = new Views(sessionOf(unaryCalls(1).file()), () => {});
    for (let i = 0; i < 32; i++) expect(views.create('')).toHaveProperty('view');
    expect(views.create('')).toHaveProperty(
      'error.message',
      '32 filters are in use, which is all there can be: close one',
    );
  });
});
