import { describe, expect, test } from 'vitest';
import { FlowIndex } from '../../../src/core/flow/flow-index';
import { MemorySource } from '../../../src/main/session/byte-source';
import { Session } from '../../../src/main/session/session';
import { conversation } from '../../support/conversation';
import { chunksOf } from '../../support/octets';
import { startTapped } from '../../support/tapped';
import { crowd, everything, middle } from './captures';
import { exchange } from './exchange';
import { fromScratch, sessionOf, stateAt, stepperOf } from './steps';

/** Orders in which a capture's steps are visited: a stepper must not depend on where it comes from. */
function walks(count: number): number[][] {
  const forward = Array.from({ length: count }, (_, i) => i);
  const leaps = forward.map((i) => (i * 37) % count);
  return [forward, [...forward].reverse(), leaps];
}

function sameEverywhere(session: Session): void {
  const stepper = stepperOf(session, 1, 7);
  const { count } = stepper;
  const expected = Array.from({ length: count }, (_, i) => JSON.stringify(fromScratch(session, i)));
  for (const walk of walks(count)) {
    for (const i of walk) {
      if (JSON.stringify(stateAt(session, stepper, i)) !== expected[i]) {
        expect(stateAt(session, stepper, i), `at step ${i + 1}`).toEqual(JSON.parse(expected[i]!));
      }
    }
  }
}

describe('the state at every frame is the one computed from scratch, whichever way it is reached', () => {
  test('with all kinds of frames', () => sameEverywhere(sessionOf(everything())));

  test('in a connection joined in the middle, with a gap', () => sameEverywhere(sessionOf(middle())));

  test('with many calls that come and go', () => sameEverywhere(sessionOf(crowd())));

  test('of real traffic through the tap', async () => {
    const session = await exchange(startTapped);
    expect(session.frameCount).toBeGreaterThan(60);
    sameEverywhere(session);
  }, 30_000);
});

describe('the state at a frame', () => {
  test.each([
    ['with all kinds of frames', everything()],
    ['with many calls', crowd(300)],
  ])('tells nothing that came later: %s', (_, file) => {
    const whole = sessionOf(file);
    const growing = new Session(new MemorySource(file));
    const stepper = stepperOf(whole);
    let known = 0;
    for (const piece of chunksOf(file, 16)) {
      growing.capture.push(piece);
      for (; known < growing.frameCount; known++) {
        const { words: _w, count: _c, frame: _f, ...then } = stateAt(growing, stepperOf(growing), known);
        const { words: _v, count: _d, frame: _g, ...now } = stateAt(whole, stepper, known);
        expect(then, `at step ${known + 1}`).toEqual(now);
      }
    }
    expect(known).toBe(whole.frameCount);
  });

  test.each([
    ['with all kinds of frames', everything()],
    ['with many calls', crowd(300)],
    ['joined in the middle', middle(0)],
  ])('has the windows that the samples tell: %s', (_, file) => {
    const session = sessionOf(file);
    const { capture } = session;
    const { samples } = new FlowIndex(capture, 'sender').connection(1);
    const stepper = stepperOf(session);
    const client = capture.connections[0]!.clientSide;
    const newest = new Map<string, number>();
    let sample = 0;
    let compared = 0;
    for (let i = 0; i < stepper.count; i++) {
      const time = (row: number) => capture.chunks.time.get(capture.frames.lastChunk.get(row));
      const now = time(stepper.rowAt(i));
      if (i + 1 < stepper.count && time(stepper.rowAt(i + 1)) === now) continue;
      for (; sample < samples.count && samples.time.get(sample) <= now; sample++) {
        newest.set(`${samples.side.get(sample)} ${samples.stream.get(sample)}`, samples.window.get(sample));
      }
      const state = stateAt(session, stepper, i);
      for (const [dir, side] of [
        ['toServer', client],
        ['toClient', client ^ 1],
      ] as const) {
        const connection = newest.get(`${side} 0`);
        if (connection !== undefined) expect(state.windows[dir].window, `step ${i + 1}`).toBe(connection);
        for (const { stream, windows } of state.streams) {
          const expected = newest.get(`${side} ${stream}`);
          if (windows[dir] === null || expected === undefined) continue;
          expect(windows[dir], `stream ${stream} ${dir} at step ${i + 1}`).toBe(expected);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(5);
  });

  test.each([
    ['with all kinds of frames', everything()],
    ['with many calls', crowd()],
    ['joined in the middle, with a gap', middle()],
  ])('has the header tables that decoding left: %s', (_, file) => {
    const session = sessionOf(file);
    const stepper = stepperOf(session);
    stepper.seek(stepper.count - 1);
    const connection = session.capture.connections[0]!;
    const decoder = session.capture.decoder(connection).http2!;
    for (const side of [0, 1] as const) {
      const table = stepper.state.tables[side];
      const fields = Array.from({ length: table.count }, (_, i) => table.entry(i));
      const { size, maxSize } = table;
      expect({ fields, size, maxSize }).toEqual(decoder.hpack(side).table());
    }
  });
});

test('a step back replays a few hundred rows at most, and snapshots stay few', () => {
  const session = sessionOf(crowd(9000));
  const stepper = stepperOf(session);
  const last = stepper.count - 1;
  expect(last).toBeGreaterThan(9000);
  stepper.seek(last);
  for (let back = 1; back <= 50; back++) {
    const before = stepper.replayed;
    stepper.seek(last - back);
    // 512, or as many as there are parts in the state: 256 open PINGs among them.
    expect(stepper.replayed - before).toBeLessThanOrEqual(1024);
  }
});

test('seeks in turns', () => {
  const session = sessionOf(everything());
  const stepper = stepperOf(session);
  let turns = 1;
  while (!stepper.seek(stepper.count - 1, 5)) turns++;
  expect(turns).toBe(Math.ceil(stepper.count / 5));
  expect(stepper.notes).toBeDefined();
});

test('a connection without HTTP/2 has steps, and nothing in them', () => {
  const session = sessionOf(conversation().toServer(0.1, new Uint8Array(40).fill(0x99)).file());
  const state = stateAt(session, stepperOf(session), 0);
  expect(state.words).toEqual([]);
  expect(state.streams).toEqual([]);
});
