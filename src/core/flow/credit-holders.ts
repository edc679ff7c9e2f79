/** Streams named as holders at most, of those looked at at most. */
const MAX_NAMED = 16;
const MAX_LOOKED_AT = 256;
/** Who holds less than this part of what is out is not worth a name. */
const WORTH_NAMING = 0.01;
/** Guesses that can be taken back, at most. */
const MAX_GUESSES = 1024;
/** Streams remembered; beyond it those that hold nothing are forgotten. */
const MAX_STREAMS = 1 << 16;

interface Holder {
  stream: number;
  /** Octets of the connection's window that it spent and that were not returned. */
  held: number;
  /** What its own WINDOW_UPDATEs say was consumed, less what of the connection's credit was put down to it. */
  claim: number;
  queued: boolean;
}

/**
 * Which streams hold the credit of one direction's connection window. A WINDOW_UPDATE of the connection names no
 * stream, so this is an inference: credit returns octets of streams whose own WINDOW_UPDATEs say that they were
 * consumed, else those that are out the longest. A guess of the second kind is put right when a stream's own
 * WINDOW_UPDATE tells better. Every step takes constant time on average.
 */
export class CreditHolders {
  private readonly holders = new Map<number, Holder>();
  /** Streams with octets out, by their first. */
  private queue: Holder[] = [];
  private head = 0;
  private readonly claims: Holder[] = [];
  private readonly guesses: { holder: Holder; amount: number }[] = [];
  /** Octets out, of all streams. */
  total = 0;

  /** DATA of a stream, padding included. */
  spend(stream: number, octets: number): void {
    const holder = this.holder(stream);
    holder.held += octets;
    this.total += octets;
    this.enqueue(holder);
  }

  /** A WINDOW_UPDATE on a stream: its receiver has consumed so much of it. */
  consumed(stream: number, octets: number): void {
    const holder = this.holders.get(stream);
    if (holder === undefined) return;
    holder.claim += octets;
    let wanted = Math.min(holder.claim, holder.held);
    while (wanted > 0 && this.guesses.length > 0) {
      const guess = this.guesses[this.guesses.length - 1]!;
      const moved = Math.min(wanted, guess.amount);
      if (guess.holder !== holder) {
        this.give(guess.holder, -moved);
        this.enqueue(guess.holder);
        this.give(holder, moved);
        wanted -= moved;
      }
      guess.amount -= moved;
      if (guess.amount === 0) this.guesses.pop();
    }
    if (wanted > 0) this.claims.push(holder);
  }

  /** A WINDOW_UPDATE of the connection. */
  returned(octets: number): void {
    let left = Math.min(octets, this.total);
    this.total -= left;
    while (left > 0 && this.claims.length > 0) {
      const holder = this.claims[this.claims.length - 1]!;
      const amount = Math.min(left, holder.claim, holder.held);
      if (amount > 0) {
        this.give(holder, amount);
        left -= amount;
      }
      if (holder.claim <= 0 || holder.held === 0) this.claims.pop();
    }
    while (left > 0 && this.head < this.queue.length) {
      const holder = this.queue[this.head]!;
      const amount = Math.min(left, holder.held);
      if (amount > 0) {
        this.give(holder, amount);
        this.guess(holder, amount);
        left -= amount;
      }
      if (holder.held === 0) this.dequeue(holder);
    }
  }

  /** Octets that a stream holds. */
  heldBy(stream: number): number {
    return this.holders.get(stream)?.held ?? 0;
  }

  /** Streams that hold a hundredth and more of what is out, the largest first. */
  named(): number[] {
    const found: Holder[] = [];
    const end = Math.min(this.queue.length, this.head + MAX_LOOKED_AT);
    for (let i = this.head; i < end; i++) {
      const holder = this.queue[i]!;
      if (holder.held > 0 && holder.held >= this.total * WORTH_NAMING) found.push(holder);
    }
    found.sort((a, b) => b.held - a.held || a.stream - b.stream);
    return found.slice(0, MAX_NAMED).map(({ stream }) => stream);
  }

  private give(holder: Holder, octets: number): void {
    holder.held -= octets;
    holder.claim -= octets;
  }

  private guess(holder: Holder, amount: number): void {
    const last = this.guesses[this.guesses.length - 1];
    if (last?.holder === holder) last.amount += amount;
    else this.guesses.push({ holder, amount });
    if (this.guesses.length > MAX_GUESSES) this.guesses.splice(0, MAX_GUESSES / 2);
  }

  private enqueue(holder: Holder): void {
    if (holder.queued || holder.held === 0) return;
    holder.queued = true;
    this.queue.push(holder);
  }

  private dequeue(holder: Holder): void {
    holder.queued = false;
    this.head++;
    if (this.head > 1024 && this.head * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
  }

  private holder(stream: number): Holder {
    let holder = this.holders.get(stream);
    if (holder === undefined) {
      if (this.holders.size >= MAX_STREAMS) this.forget();
      holder = { stream, held: 0, claim: 0, queued: false };
      this.holders.set(stream, holder);
    }
    return holder;
  }

  /** Of those that hold nothing; when that frees too little, of all but what the queue still knows. */
  private forget(): void {
    for (const [stream, { held }] of this.holders) if (held === 0) this.holders.delete(stream);
    if (this.holders.size > MAX_STREAMS / 2) this.holders.clear();
  }
}
