/** Times of a capture: one origin for the file, and each interface's own ticks turned into nanoseconds since it. */

/** The time of the file's first packet, which all other times are told from. */
export class CaptureOrigin {
  /** Nanoseconds since 1970-01-01T00:00:00Z; undefined until a packet with a time was read. */
  firstTime: bigint | undefined = undefined;
}

const SECOND = 1_000_000_000n;
/** Ticks that a difference may have and still be an exact double, with a bit to spare. */
const EXACT = 2 ** 52;

/**
 * Ticks of one pcapng interface (`if_tsresol`, `if_tsoffset`). Times since the epoch in nanoseconds don't fit a
 * double, and a BigInt for each packet is an allocation: so ticks are taken as a difference to a reference, a whole
 * second near the packets, which is exact in doubles. A resolution finer than a nanosecond is cut, never rounded up.
 */
export class TickClock {
  private readonly ticksPerSecond: bigint;
  private readonly offset: bigint;
  private readonly perSecond: number;
  /** Nanoseconds of a tick when that is a whole number, else 0. */
  private readonly nanoseconds: number;
  /** Ticks of a nanosecond when that is a whole number, else 0 (then the resolution is a power of two). */
  private readonly ticks: number;
  private readonly exact: boolean;
  private referenceHigh = 0;
  private referenceLow = 0;
  private referenceTime = 0;
  private referenced = false;

  /**
   * @param resolution the octet of `if_tsresol`: 10^-n, or 2^-n with its highest bit set; 6 where it is absent
   * @param offset seconds to add to every time (`if_tsoffset`)
   */
  constructor(resolution = 6, offset = 0n) {
    const binary = (resolution & 0x80) !== 0;
    const exponent = resolution & 0x7f;
    this.ticksPerSecond = (binary ? 2n : 10n) ** BigInt(exponent);
    this.offset = offset * SECOND;
    this.perSecond = Number(this.ticksPerSecond);
    this.nanoseconds = !binary && exponent <= 9 ? 10 ** (9 - exponent) : 0;
    this.ticks = !binary && exponent > 9 ? 10 ** (exponent - 9) : 0;
    // Above these the products and quotients below are no longer exact in a double.
    this.exact = binary ? exponent <= 23 : exponent <= 15;
  }

  /** Nanoseconds since the epoch of the time in two 32-bit halves. */
  absolute(high: number, low: number): bigint {
    const ticks = (BigInt(high) << 32n) | BigInt(low);
    const second = ticks / this.ticksPerSecond;
    return second * SECOND + ((ticks % this.ticksPerSecond) * SECOND) / this.ticksPerSecond + this.offset;
  }

  /** Nanoseconds since `origin`, which must be the same in every call. */
  since(origin: bigint, high: number, low: number): number {
    let difference = (high - this.referenceHigh) * 2 ** 32 + (low - this.referenceLow);
    if (!this.referenced || difference > EXACT || difference < -EXACT) {
      if (!this.exact) return Number(this.absolute(high, low) - origin);
      this.refer(origin, high, low);
      difference = (high - this.referenceHigh) * 2 ** 32 + (low - this.referenceLow);
    }
    if (this.nanoseconds !== 0) return this.referenceTime + difference * this.nanoseconds;
    const seconds = Math.floor(difference / this.perSecond);
    const rest = difference - seconds * this.perSecond;
    const part = this.ticks !== 0 ? rest / this.ticks : (rest * 1e9) / this.perSecond;
    return this.referenceTime + seconds * 1e9 + Math.floor(part);
  }

  private refer(origin: bigint, high: number, low: number): void {
    const second = ((BigInt(high) << 32n) | BigInt(low)) / this.ticksPerSecond;
    const reference = second * this.ticksPerSecond;
    this.referenceHigh = Number(reference >> 32n);
    this.referenceLow = Number(reference & 0xffff_ffffn);
    this.referenceTime = Number(second * SECOND + this.offset - origin);
    this.referenced = true;
  }
}
