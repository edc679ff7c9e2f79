import { describe, expect, test } from 'vitest';
import { now } from '../../../src/main/tap/clock';
import { DelayLine, type LineOutlet, MOST_NOT_DUE, MOST_NOT_TAKEN } from '../../../src/main/tap/delay-line';
import { Scheduler } from '../../../src/main/tap/scheduler';
import { afterThisTest, eventually } from './helpers';

/** Notes what comes out; takes octets at once, or when told. */
class Outlet implements LineOutlet {
  readonly events: string[] = [];
  readonly times: number[] = [];
  readonly pending: ((error?: Error | null) => void)[] = [];
  delivers = 0;
  held = false;

  constructor(private readonly takesAtOnce = true) {}

  write(octets: Uint8Array, taken: (error?: Error | null) => void): void {
    this.events.push(`${octets[0]}:${octets.length}`);
    this.times.push(now());
    if (this.takesAtOnce) setImmediate(taken);
    else this.pending.push(taken);
  }
  delivered(octets: number): void {
    this.delivers += octets;
  }
  end(): void {
    this.events.push('end');
  }
  reset(): void {
    this.events.push('reset');
  }
  hold(held: boolean): void {
    this.held = held;
  }
}

function lineTo(outlet: Outlet, delay: number, rate?: number): DelayLine {
  const scheduler = new Scheduler();
  afterThisTest(() => scheduler.close());
  return new DelayLine(scheduler, outlet, () => undefined, { delay, rate });
}

const chunk = (id: number, length = 10) => new Uint8Array(length).fill(id);

describe('a delay line', () => {
  test('without delay writes in the same call', () => {
    const outlet = new Outlet();
    const line = lineTo(outlet, 0);
    line.push(chunk(1), now());
    line.end(now());
    expect(outlet.events).toEqual(['1:10', 'end']);
  });

  test('is never early, for any delay', async () => {
    for (const delay of [0.3, 1, 1.7, 2.5, 5, 12.3]) {
      const outlet = new Outlet();
      const line = lineTo(outlet, delay);
      const arrivals: number[] = [];
      for (let i = 0; i < 10; i++) {
        arrivals.push(now());
        line.push(chunk(i), arrivals[i]!);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually(() => outlet.times.length === 10);
      for (const [i, time] of outlet.times.entries()) expect(time - arrivals[i]!).toBeGreaterThanOrEqual(delay - 0.05);
    }
  });

  test('keeps the order when the delay falls to 0, and what is under way keeps its time', async () => {
    const outlet = new Outlet();
    const line = lineTo(outlet, 30);
    const start = now();
    line.push(chunk(1), start);
    line.configure({ delay: 0, rate: undefined });
    line.push(chunk(2), now());
    line.end(now());
    expect(outlet.events).toEqual([]);
    await eventually(() => outlet.events.length === 3);
    expect(outlet.events).toEqual(['1:10', '2:10', 'end']);
    expect(outlet.times[0]! - start).toBeGreaterThanOrEqual(30);
  });

  test('lets a reset out only when all octets before it were taken', async () => {
    const outlet = new Outlet(false);
    const line = lineTo(outlet, 0);
    line.push(chunk(1), now());
    line.push(chunk(2), now());
    line.reset(now());
    expect(outlet.events).toEqual(['1:10', '2:10']);
    outlet.pending[0]!();
    expect(outlet.events).toEqual(['1:10', '2:10']);
    outlet.pending[1]!();
    expect(outlet.events).toEqual(['1:10', '2:10', 'reset']);
    expect(outlet.delivers).toBe(20);
  });

  test('holds the sender beyond 64 MiB not yet due, and lets it go on below', async () => {
    const outlet = new Outlet();
    const line = lineTo(outlet, 50);
    const megabyte = chunk(1, 1024 * 1024);
    const start = now();
    for (let i = 0; i < 68; i++) line.push(megabyte, start);
    expect(outlet.held).toBe(false);
    line.push(chunk(2, 1), start);
    expect(outlet.held).toBe(true);
    expect(line.held.notDue).toBe(MOST_NOT_DUE + 256);
    await eventually(() => !outlet.held);
    await eventually(() => line.held.notTaken === 0);
    expect(outlet.times).toHaveLength(69);
  });

  test('holds the sender beyond 4 MiB due and not taken, a small chunk counting as 256', () => {
    const outlet = new Outlet(false);
    const line = lineTo(outlet, 0);
    for (let i = 0; i < MOST_NOT_TAKEN / 256; i++) line.push(chunk(1, 1), now());
    expect(outlet.held).toBe(false);
    line.push(chunk(1, 1), now());
    expect(outlet.held).toBe(true);
    for (const taken of outlet.pending.splice(0)) taken();
    expect(outlet.held).toBe(false);
    expect(line.held).toEqual({ notDue: 0, notTaken: 0 });
  });

  test('with a rate writes pieces of at most the burst, in order, and its counts come back to zero', async () => {
    const outlet = new Outlet();
    const line = lineTo(outlet, 1, 1_000_000);
    const arrived = now();
    line.push(chunk(1, 20_001), arrived);
    line.push(chunk(2, 100), now());
    line.end(now());
    await eventually(() => outlet.events.at(-1) === 'end');
    expect(outlet.events).toEqual(['1:5000', '1:5000', '1:5000', '1:5000', '1:1', '2:100', 'end']);
    // 1 ms of delay; then 20,101 octets less the burst of 5,000 take 15.1 ms at 1,000 octets a millisecond. Not from the
    // first write on: that may be noted later than its tokens were taken.
    expect(outlet.times.at(-1)! - arrived).toBeGreaterThanOrEqual(16.1);
    await eventually(() => outlet.delivers === 20_101);
    expect(line.held).toEqual({ notDue: 0, notTaken: 0 });
  });

  test('that is closed drops what it holds and lets the sender go on', () => {
    const outlet = new Outlet(false);
    const line = lineTo(outlet, 0);
    line.push(chunk(1, MOST_NOT_TAKEN + 1), now());
    expect(outlet.held).toBe(true);
    line.close();
    expect(outlet.held).toBe(false);
    line.push(chunk(2), now());
    line.reset(now());
    outlet.pending[0]!();
    expect(outlet.events).toEqual([`1:${MOST_NOT_TAKEN + 1}`]);
    expect(line.held).toEqual({ notDue: 0, notTaken: 0 });
  });
});

describe('the scheduler', () => {
  test('wakes many sleepers in the order of their times, also when they change their minds', async () => {
    const scheduler = new Scheduler();
    afterThisTest(() => scheduler.close());
    const woken: number[] = [];
    const sleepers = Array.from({ length: 200 }, (_, id) => ({ wakeAt: 0, place: -1, wake: () => woken.push(id) }));
    const start = now();
    const at = (id: number) => start + 2 + ((id * 37) % 200) / 20;
    for (const sleeper of sleepers) scheduler.schedule(sleeper, start + 5000);
    for (const [id, sleeper] of sleepers.entries()) scheduler.schedule(sleeper, at(id));
    for (const sleeper of sleepers.slice(150)) scheduler.cancel(sleeper);
    await eventually(() => woken.length === 150);
    expect(woken).toEqual(
      sleepers
        .slice(0, 150)
        .map((_, id) => id)
        .sort((a, b) => at(a) - at(b)),
    );
  });
});
