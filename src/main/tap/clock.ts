/** The tap's one clock: monotonic, so that a step of the system's clock neither delays bytes nor turns the file's time back. */
import type { Timestamp } from '../../core/pcapng/writer';

/** Milliseconds, with fractions down to nanoseconds, since some moment of this thread. Never goes back. */
export function now(): number {
  return performance.now();
}

const NANOSECONDS = 1_000_000;
const HALF = 0x1_0000_0000;

/** Turns `now()` into nanoseconds since 1970, by the wall clock as it stood when this object was made. */
export class WallClock {
  readonly #baseHigh: number;
  readonly #baseLow: number;

  constructor() {
    const base = BigInt(Date.now()) * 1_000_000n - BigInt(Math.round(now() * NANOSECONDS));
    this.#baseHigh = Number(base >> 32n);
    this.#baseLow = Number(base & 0xffff_ffffn);
  }

  /** 1.8e18 nanoseconds don't fit a double, hence two halves. Fills and returns `into`: no garbage per packet. */
  stamp(milliseconds: number, into: Timestamp): Timestamp {
    const low = this.#baseLow + Math.round(milliseconds * NANOSECONDS);
    into.high = this.#baseHigh + Math.floor(low / HALF);
    into.low = low >>> 0;
    return into;
  }
}
