import { now } from './clock';
import { Fifo } from './fifo';
import type { Scheduler, Sleeper } from './scheduler';
import { TokenBucket } from './token-bucket';

/** Where a line's octets come out. */
export interface LineOutlet {
  /** `taken` must be called once, in order: without an error when the receiver's kernel has the octets. */
  write(octets: Uint8Array, taken: (error?: Error | null) => void): void;
  /** The receiver has these octets, in order. */
  delivered(octets: number): void;
  /** The sender's end of stream comes out; all octets before it were written. */
  end(): void;
  /** The sender's reset comes out; all octets before it were taken. */
  reset(): void;
  /** The sender should not be read (true), or may be read again (false). */
  hold(held: boolean): void;
}

export interface LineSettings {
  /** Milliseconds from arrival to due time. */
  delay: number;
  /** Octets a second; undefined means no limit. */
  rate: number | undefined;
}

/** How late (ms) a chunk was written after it was due. */
export type Lateness = (milliseconds: number) => void;

/**
 * Bounds, in octets where a chunk counts as at least 256, for its own upkeep. 64 MiB not yet due and some slack:
 * a window of 64 MiB is never limited by the line. Due but not taken (or waiting for the rate): a slow receiver's
 * 4 MiB. Beyond either the sender isn't read until the line is below the lower mark.
 */
export const MOST_NOT_DUE = 68 * 1024 * 1024;
export const MOST_NOT_TAKEN = 4 * 1024 * 1024;
const RESUME_NOT_DUE = 64 * 1024 * 1024;
const RESUME_NOT_TAKEN = 2 * 1024 * 1024;
const LEAST_COST = 256;

type Entry =
  | { kind: 'data'; due: number; octets: Uint8Array }
  | { kind: 'end'; due: number }
  | { kind: 'reset'; due: number };

/**
 * One direction of one connection: a queue with due times. Every chunk is due a delay after its own arrival, so delays
 * never add up, but never before the chunk ahead of it: a delay that falls in mid-stream keeps the order, and chunks
 * that are under way keep their time. With no delay and no rate, a chunk is written in the call that brings it.
 */
export class DelayLine implements Sleeper {
  wakeAt = 0;
  place = -1;
  /** Chunks that arrive before this time are delayed as if they arrived then (an imitated handshake). */
  holdUntil = 0;
  readonly #flying = new Fifo<Entry>();
  /** Due, but waiting for the rate or (a reset) for the writes before it. */
  readonly #due = new Fifo<Entry>();
  /** Lengths of writes whose callback is to come. */
  readonly #writing = new Fifo<number>();
  #notDue = 0;
  #notTaken = 0;
  #lastDue = 0;
  #held = false;
  #closed = false;
  #bucket: TokenBucket | undefined;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly outlet: LineOutlet,
    private readonly lateness: Lateness,
    private settings: LineSettings,
  ) {
    this.#bucket = bucketFor(settings.rate);
  }

  /** What the line holds: octets not yet due, and due but not taken. */
  get held(): { notDue: number; notTaken: number } {
    return { notDue: this.#notDue, notTaken: this.#notTaken };
  }

  push(octets: Uint8Array, arrivedAt: number): void {
    if (this.#closed) return;
    const due = this.#dueFor(arrivedAt);
    if (due <= arrivedAt && !this.#bucket && this.#flying.length === 0 && this.#due.length === 0) {
      this.#notTaken += cost(octets.length);
      this.#write(octets);
    } else {
      this.#notDue += cost(octets.length);
      this.#enqueue({ kind: 'data', due, octets });
    }
    this.#checkBounds();
  }

  /** The sender's FIN: delayed like its octets. */
  end(arrivedAt: number): void {
    this.#close({ kind: 'end', due: this.#dueFor(arrivedAt) }, arrivedAt);
  }

  /** The sender's reset: delayed too, and what came before it is delivered first. */
  reset(arrivedAt: number): void {
    this.#close({ kind: 'reset', due: this.#dueFor(arrivedAt) }, arrivedAt);
  }

  /** Applies to chunks that arrive from now on (delay) and at once (rate). */
  configure(settings: LineSettings): void {
    if (settings.rate !== this.settings.rate) this.#bucket = bucketFor(settings.rate);
    this.settings = settings;
    if (!this.#closed && this.#due.length > 0) this.scheduler.schedule(this, now());
  }

  /** The receiver is gone: what the line holds is dropped, and what still comes. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.scheduler.cancel(this);
    this.#flying.clear();
    this.#due.clear();
    this.#writing.clear();
    this.#notDue = 0;
    this.#notTaken = 0;
    this.#checkBounds();
  }

  wake(): void {
    const time = now();
    for (let entry = this.#flying.peek(); entry && entry.due <= time; entry = this.#flying.peek()) {
      this.#flying.shift();
      if (entry.kind === 'data') {
        const octets = cost(entry.octets.length);
        this.#notDue -= octets;
        this.#notTaken += octets;
      }
      this.#due.push(entry);
    }
    const tokensAt = this.#handOn();
    if (this.#closed) return;
    const next = Math.min(tokensAt, this.#flying.peek()?.due ?? Number.POSITIVE_INFINITY);
    if (next < Number.POSITIVE_INFINITY) this.scheduler.schedule(this, next);
    this.#checkBounds();
  }

  #dueFor(arrivedAt: number): number {
    this.#lastDue = Math.max(this.#lastDue, Math.max(arrivedAt, this.holdUntil) + this.settings.delay);
    return this.#lastDue;
  }

  #enqueue(entry: Entry): void {
    this.#flying.push(entry);
    if (this.#flying.length === 1 && (this.place < 0 || entry.due < this.wakeAt)) {
      this.scheduler.schedule(this, entry.due);
    }
  }

  #close(entry: Entry, arrivedAt: number): void {
    if (this.#closed) return;
    this.#enqueue(entry);
    if (entry.due <= arrivedAt && this.#flying.length === 1) this.wake();
  }

  /** Hands on what is due. Returns when the rate lets more out; infinity when nothing waits for the rate. */
  #handOn(): number {
    for (let entry = this.#due.peek(); entry && !this.#closed; entry = this.#due.peek()) {
      switch (entry.kind) {
        case 'data': {
          const wait = this.#bucket ? this.#metered(entry, this.#bucket) : this.#whole(entry);
          if (wait > 0) return now() + wait;
          break;
        }
        case 'end':
          this.#due.shift();
          this.outlet.end();
          break;
        case 'reset':
          // Resetting a socket throws away what it has not sent: the last write's callback comes back here.
          if (this.#writing.length > 0) return Number.POSITIVE_INFINITY;
          this.#due.shift();
          this.outlet.reset();
          break;
        default:
          return assertNever(entry);
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  #whole(entry: Entry & { kind: 'data' }): number {
    this.#due.shift();
    this.lateness(now() - entry.due);
    this.#write(entry.octets);
    return 0;
  }

  /** Writes as much of a chunk as the rate allows, in pieces of at most the burst. Returns how long to wait (ms). */
  #metered(entry: Entry & { kind: 'data' }, bucket: TokenBucket): number {
    while (entry.octets.length > 0) {
      const piece = Math.min(entry.octets.length, bucket.burst);
      const wait = bucket.take(piece, now());
      if (wait > 0) return wait;
      const rest = entry.octets.subarray(piece);
      // A piece counts as much as what it takes off its chunk, and at least 256: what `#taken` will give back.
      this.#notTaken += cost(piece) + (rest.length > 0 ? cost(rest.length) : 0) - cost(entry.octets.length);
      const octets = entry.octets.subarray(0, piece);
      entry.octets = rest;
      if (rest.length === 0) this.#due.shift();
      this.#write(octets);
    }
    if (this.#due.length === 0) bucket.rest();
    return 0;
  }

  #write(octets: Uint8Array): void {
    this.#writing.push(octets.length);
    this.outlet.write(octets, this.#taken);
  }

  readonly #taken = (error?: Error | null): void => {
    const octets = this.#writing.shift();
    if (octets === undefined || this.#closed) return;
    this.#notTaken -= cost(octets);
    if (!error) this.outlet.delivered(octets);
    if (this.#writing.length === 0 && this.#due.peek()?.kind === 'reset') this.#handOn();
    this.#checkBounds();
  };

  #checkBounds(): void {
    const over = this.#notDue > MOST_NOT_DUE || this.#notTaken > MOST_NOT_TAKEN;
    const under = this.#notDue <= RESUME_NOT_DUE && this.#notTaken <= RESUME_NOT_TAKEN;
    if (this.#held ? !under : !over) return;
    this.#held = !this.#held;
    this.outlet.hold(this.#held);
  }
}

function bucketFor(rate: number | undefined): TokenBucket | undefined {
  return rate === undefined ? undefined : new TokenBucket(rate, now());
}

function cost(octets: number): number {
  return Math.max(octets, LEAST_COST);
}

function assertNever(entry: never): never {
  throw new Error(`unknown entry of a delay line: ${JSON.stringify(entry)}`);
}
