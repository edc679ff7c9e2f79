import type { Capture } from '../../core/capture/capture';
import type { FileSource } from './byte-source';

/** Octets read and decoded between two looks at the clock. */
const SLICE = 256 * 1024;
/** Milliseconds of reading and decoding after which whoever waits for an answer gets one. */
const TURN = 10;

export interface FollowerEvents {
  /** More octets are decoded; the rows they made are in the capture. */
  advanced(): void;
  /**
   * No more octets come: the capture has its last rows.
   * @param failure why reading ended early, in one line
   */
  ended(failure: string | undefined): void;
}

/**
 * Reads a growing file up to where it is known to be complete: whoever writes it tells that length, so that no half
 * written block is ever taken for damage, and nobody watches the file system.
 */
export class Follower {
  /** Octets read. */
  position = 0;
  /** Octets that are complete. */
  private target = 0;
  private readonly buffer = Buffer.allocUnsafe(SLICE);
  private scheduled: NodeJS.Immediate | undefined;
  private finishing = false;
  private closed = false;
  private failure: string | undefined;
  private waiting: { resolve(): void; reject(error: Error): void }[] = [];

  /** @param name of the file, for messages */
  constructor(
    private readonly name: string,
    private readonly source: FileSource,
    private readonly capture: Capture,
    private readonly events: FollowerEvents,
  ) {}

  get committedLength(): number {
    return this.target;
  }

  /** Octets that are committed but not read. */
  get lag(): number {
    return this.target - this.position;
  }

  /** The file is complete up to `length`. A length that is less than one told before says nothing new. */
  committed(length: number): void {
    if (length <= this.target || this.finishing) return;
    this.target = length;
    this.schedule();
  }

  /** The file grows no more. Resolves when all that was committed is decoded; rejects when it could not be read. */
  finish(): Promise<void> {
    this.finishing = true;
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.schedule();
    });
  }

  /** Reads no further. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (this.scheduled !== undefined) clearImmediate(this.scheduled);
    this.settle(new Error(`following ${this.name} was given up`));
  }

  private schedule(): void {
    if (this.closed || this.scheduled !== undefined) return;
    this.scheduled = setImmediate(() => {
      this.scheduled = undefined;
      this.turn();
    });
  }

  private turn(): void {
    const until = performance.now() + TURN;
    while (this.failure === undefined && this.lag > 0 && performance.now() < until) this.slice();
    if (this.failure === undefined && this.lag > 0) {
      this.events.advanced();
      this.schedule();
    } else if (this.failure !== undefined || this.finishing) {
      this.end();
    } else {
      this.events.advanced();
    }
  }

  private end(): void {
    if (!this.capture.ended) {
      this.capture.end();
      this.events.ended(this.failure);
    }
    this.settle(this.failure === undefined ? undefined : new Error(this.failure));
  }

  private slice(): void {
    const wanted = Math.min(SLICE, this.lag);
    let count: number;
    try {
      count = this.source.readInto(this.buffer, wanted, this.position);
    } catch (error) {
      this.failure = `${this.name} cannot be read at octet ${this.position}: ${(error as Error).message}`;
      return;
    }
    if (count === 0) {
      this.failure = `${this.name} ends at octet ${this.position}, although ${this.target} were written: was it cut?`;
      return;
    }
    this.position += count;
    this.capture.push(this.buffer.subarray(0, count));
  }

  private settle(error: Error | undefined): void {
    for (const { resolve, reject } of this.waiting.splice(0)) {
      if (error === undefined) resolve();
      else reject(error);
    }
  }
}
