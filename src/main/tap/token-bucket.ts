/** Milliseconds of a rate that may go out at once: a few of the scheduler's turns, so that none is lost to them. */
const BURST_TIME = 5;

/** At very low rates: one packet of an Ethernet. */
const SMALLEST_BURST = 1500;

/**
 * A rate limit: octets go out as tokens allow, and tokens come in at the rate. After a pause at most `burst` octets
 * (5 ms of the rate, at least 1,500) go out at once. It starts full. While octets wait, tokens are not cut at the burst:
 * a loop that comes back late makes up for it instead of falling below the rate.
 */
export class TokenBucket {
  readonly burst: number;
  readonly #perMillisecond: number;
  #tokens: number;
  #filledAt: number;
  #idle = true;

  /** @param rate octets a second, above 0 */
  constructor(rate: number, time: number) {
    this.#perMillisecond = rate / 1000;
    this.burst = Math.max(SMALLEST_BURST, Math.ceil(this.#perMillisecond * BURST_TIME));
    this.#tokens = this.burst;
    this.#filledAt = time;
  }

  /** Takes tokens for `octets` (at most `burst`) and returns 0; or takes none and returns how long to wait (ms). */
  take(octets: number, time: number): number {
    this.#tokens += (time - this.#filledAt) * this.#perMillisecond;
    this.#filledAt = time;
    if (this.#idle) this.#tokens = Math.min(this.burst, this.#tokens);
    this.#idle = false;
    if (this.#tokens >= octets) {
      this.#tokens -= octets;
      return 0;
    }
    return (octets - this.#tokens) / this.#perMillisecond;
  }

  /** Nothing waits any more: from here to the next `take` tokens are cut at the burst. */
  rest(): void {
    this.#idle = true;
    this.#tokens = Math.min(this.burst, this.#tokens);
  }
}
