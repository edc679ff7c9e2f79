import { now } from './clock';

/** Something that wants to be woken at a time. The two fields belong to the scheduler. */
export interface Sleeper {
  /** By `now()`. */
  wakeAt: number;
  /** Place in the scheduler's heap; -1 while not scheduled. Must start as -1. */
  place: number;
  /** Called not before `wakeAt`; may schedule itself again. */
  wake(): void;
}

/**
 * From here to the due time the loop turns without sleeping (`setImmediate`). Node's timers count whole milliseconds
 * and fire up to one early or late, so a timer alone would make a delay of 2.5 ms one of 2.2.
 */
const NEAR = 2;

/** One timer and one `setImmediate` loop for all the delay lines of a thread. Nothing is ever woken early. */
export class Scheduler {
  /** A binary heap: the earliest is first. */
  readonly #heap: Sleeper[] = [];
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #immediate: NodeJS.Immediate | undefined;
  #running = false;

  /** Wakes `sleeper` at `at`, instead of when it was to be woken before. */
  schedule(sleeper: Sleeper, at: number): void {
    if (sleeper.place >= 0) {
      if (sleeper.wakeAt === at) return;
      this.#remove(sleeper);
    }
    sleeper.wakeAt = at;
    sleeper.place = this.#heap.length;
    this.#heap.push(sleeper);
    this.#up(sleeper.place);
    if (sleeper.place === 0 && !this.#running) this.#arm();
  }

  cancel(sleeper: Sleeper): void {
    if (sleeper.place >= 0) this.#remove(sleeper);
  }

  /** Forgets all sleepers. */
  close(): void {
    for (const sleeper of this.#heap) sleeper.place = -1;
    this.#heap.length = 0;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (!first || this.#immediate) return;
    const gap = first.wakeAt - now();
    if (gap < NEAR) {
      this.#immediate = setImmediate(this.#onImmediate);
      return;
    }
    const sleep = Math.floor(gap - 1);
    const timerAt = first.wakeAt - gap + sleep;
    // A timer that fires a little earlier is good too: it will look again. Most new chunks leave it alone.
    if (this.#timerAt <= timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = timerAt;
    this.#timer = setTimeout(this.#onTimer, sleep);
  }

  readonly #onImmediate = (): void => {
    this.#immediate = undefined;
    this.#run();
  };

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#run();
  };

  #run(): void {
    // The time is taken once: who becomes due meanwhile waits for the next turn, after the sockets have had theirs.
    const time = now();
    this.#running = true;
    try {
      for (let first = this.#heap[0]; first && first.wakeAt <= time; first = this.#heap[0]) {
        this.#remove(first);
        first.wake();
      }
    } finally {
      this.#running = false;
      this.#arm();
    }
  }

  #remove(sleeper: Sleeper): void {
    const { place } = sleeper;
    const last = this.#heap.pop()!;
    sleeper.place = -1;
    if (last === sleeper) return;
    this.#heap[place] = last;
    last.place = place;
    this.#up(place);
    this.#down(last.place);
  }

  #up(from: number): void {
    let place = from;
    const item = this.#heap[place]!;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above]!;
      if (parent.wakeAt <= item.wakeAt) break;
      this.#heap[place] = parent;
      parent.place = place;
      place = above;
    }
    this.#heap[place] = item;
    item.place = place;
  }

  #down(from: number): void {
    let place = from;
    const item = this.#heap[place]!;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#heap.length) break;
      if (below + 1 < this.#heap.length && this.#heap[below + 1]!.wakeAt < this.#heap[below]!.wakeAt) below += 1;
      const child = this.#heap[below]!;
      if (child.wakeAt >= item.wakeAt) break;
      this.#heap[place] = child;
      child.place = place;
      place = below;
    }
    this.#heap[place] = item;
    item.place = place;
  }
}
