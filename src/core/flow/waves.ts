/** Streams that opened together, and those that followed as one of theirs closed. Times are nanoseconds. */
export interface Wave {
  from: number;
  to: number;
  streams: number;
  /** That opened its first stream. */
  row: number;
}

/** A stream that opens so soon after another has closed took its place: what a client that waits for it does. */
const PROMPT = 10e6;
/** Waves kept; they are counted beyond it. */
const MAX_WAVES = 1000;

/**
 * Finds waves under a limit of streams. The wire shows no call that waits: only that streams open as soon as another
 * has closed, while all that were allowed were open. A stream that opens so is of the wave after the one it follows;
 * others are of the first wave since no stream was open. Example: a limit of 2 and 6 calls of 1 s are three waves of 2.
 */
export class Waves {
  readonly list: Wave[] = [];
  /** Streams that took the place of another. */
  prompt = 0;
  /** Waves of the runs before this one. */
  private before = 0;
  /** Waves of this run, from its first stream on to the moment at which none is open. */
  private depth = 0;
  private full = false;
  /** When all places were taken, the last time that one was given back. */
  private fullAt = Number.NEGATIVE_INFINITY;
  /** Places that were given back while all were taken, and the waves of the streams that held them. */
  private places: { time: number; wave: number }[] = [];
  private next = 0;

  get count(): number {
    return this.before + (this.full ? this.depth : 0);
  }

  /**
   * @param open streams open before
   * @param full this one makes them as many as are allowed
   * @returns the wave that the stream is of, for `closed`
   */
  opened(time: number, row: number, open: number, full: boolean): number {
    while (this.next < this.places.length && this.places[this.next]!.time < time - PROMPT) this.next++;
    const place = this.places[this.next];
    let wave = 0;
    if (place !== undefined) {
      this.next++;
      this.prompt++;
      wave = place.wave + 1;
    } else if (open === 0) this.end();
    if (this.next > 1024 && this.next * 2 > this.places.length) {
      this.places = this.places.slice(this.next);
      this.next = 0;
    }
    if (full) this.full = true;
    if (wave >= this.depth) this.depth = wave + 1;
    const kept = this.list[this.before + wave];
    if (kept !== undefined) kept.streams++;
    else if (this.list.length < MAX_WAVES) this.list.push({ from: time, to: time, streams: 1, row });
    return wave;
  }

  /**
   * A place is given back when all were taken, or had been a moment before: what ends in one chunk ends one by one here.
   * @param wave of the stream
   * @param full as many were open before as are allowed
   */
  closed(time: number, wave: number, full: boolean): void {
    const kept = this.list[this.before + wave];
    if (kept !== undefined && time > kept.to) kept.to = time;
    if (full) this.fullAt = time;
    if (time - this.fullAt <= PROMPT) this.places.push({ time, wave });
  }

  /** A run is over; where the limit was never reached, it had no waves. */
  end(): void {
    if (this.full) this.before += this.depth;
    else this.list.length = Math.min(this.list.length, this.before);
    this.depth = 0;
    this.full = false;
    this.places = [];
    this.next = 0;
  }
}
