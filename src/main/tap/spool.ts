import { ftruncate, writev } from 'node:fs';

/** A batch is written as soon as it is this large and the batch before it is written … */
const BATCH = 512 * 1024;
/** … or after this time (ms): what a crash can lose. */
const BATCH_TIME = 40;
/** Payload from here on is referenced until it is written, not copied. */
const WORTH_REFERENCING = 4096;
const SLAB = 64 * 1024;

export interface SpoolEvents {
  /** The file is complete up to this length, which is a block's end. */
  committed(length: number): void;
  /** Writing failed; what was not committed is dropped, and the file was cut to its last complete block. */
  failed(error: NodeJS.ErrnoException): void;
}

/**
 * The growing file: blocks are put together from octets written into `view` at `at` (after `reserve`) and from payload
 * that is only referenced, and go to the disk in batches, one asynchronous `writev` at a time. Blocking on the disk
 * would falsify the delays of the thread. Who appends must watch `unwritten`: the bound is the recorder's.
 */
export class Spool {
  view: DataView;
  at = 0;
  /** Octets that are in the file. */
  committed = 0;
  #slab: Uint8Array;
  #slabStart = 0;
  #parts: Uint8Array[] = [];
  /** Octets in `#parts`. */
  #partsLength = 0;
  #writing = 0;
  #timer: NodeJS.Timeout | undefined;
  #failed = false;
  #begun = false;
  #idle: (() => void)[] = [];

  constructor(
    private readonly fd: number,
    private readonly events: SpoolEvents,
  ) {
    this.#slab = new Uint8Array(SLAB);
    this.view = new DataView(this.#slab.buffer);
  }

  /** Octets appended but not yet in the file. */
  get unwritten(): number {
    return this.#writing + this.#partsLength + this.at - this.#slabStart;
  }

  /** From now on batches are written; what was appended before is the first. */
  begin(): void {
    this.#begun = true;
    this.blockEnd();
  }

  /** Makes room for `length` octets (at most 64 KiB) in `view` from `at` on. */
  reserve(length: number): void {
    if (this.at + length <= SLAB) return;
    this.#closeRange();
    this.#slab = new Uint8Array(SLAB);
    this.view = new DataView(this.#slab.buffer);
    this.at = 0;
    this.#slabStart = 0;
  }

  /** Appends octets that must not change any more. */
  append(octets: Uint8Array): void {
    if (octets.length < WORTH_REFERENCING) {
      this.reserve(octets.length);
      this.#slab.set(octets, this.at);
      this.at += octets.length;
    } else {
      this.#closeRange();
      this.#parts.push(octets);
      this.#partsLength += octets.length;
    }
  }

  /** Everything so far is whole blocks, so a batch may end here. */
  blockEnd(): void {
    if (!this.#begun || this.#writing > 0 || this.#failed) return;
    if (this.unwritten >= BATCH) this.#flush();
    else if (this.#timer === undefined && this.unwritten > 0) this.#timer = setTimeout(this.#onTimer, BATCH_TIME);
  }

  /** After `failed`: what is appended from now on is written again (a mark may fit into what the last batch left). */
  restart(): void {
    this.#failed = false;
  }

  /** Writes what is left; resolves when nothing is under way any more. Only between blocks. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      if (this.#writing === 0) this.#flush();
    });
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    if (this.#writing === 0 && !this.#failed) this.#flush();
  };

  #closeRange(): void {
    if (this.at === this.#slabStart) return;
    this.#parts.push(this.#slab.subarray(this.#slabStart, this.at));
    this.#partsLength += this.at - this.#slabStart;
    this.#slabStart = this.at;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#closeRange();
    if (this.#partsLength === 0 || this.#failed) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    const parts = this.#parts;
    this.#writing = this.#partsLength;
    this.#parts = [];
    this.#partsLength = 0;
    this.#write(parts, this.committed, this.#writing);
  }

  #write(parts: Uint8Array[], position: number, length: number): void {
    writev(this.fd, parts, position, (error, written) => {
      if (error || written === 0) this.#fail(error ?? Object.assign(new Error('nothing was written'), { code: 'EIO' }));
      else if (written < length) this.#write(partsFrom(parts, written), position + written, length - written);
      else this.#written(position + length);
    });
  }

  #written(end: number): void {
    this.committed = end;
    this.#writing = 0;
    this.events.committed(end);
    if (this.#idle.length > 0) this.#flush();
    else this.blockEnd();
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#failed = true;
    // A part of the batch may be there; the file must end with a whole block.
    ftruncate(this.fd, this.committed, () => {
      this.#writing = 0;
      this.#parts = [];
      this.#partsLength = 0;
      this.#slabStart = this.at;
      this.events.failed(error);
      if (this.#idle.length > 0) this.#flush();
    });
  }
}

/** What is left of a list of parts after its first `skip` octets. */
function partsFrom(parts: Uint8Array[], skip: number): Uint8Array[] {
  let rest = skip;
  let index = 0;
  while (rest >= parts[index]!.length) rest -= parts[index++]!.length;
  return [parts[index]!.subarray(rest), ...parts.slice(index + 1)];
}
