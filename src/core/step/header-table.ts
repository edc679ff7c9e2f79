import type { HeaderStore } from '../hpack/header-store';
import { representationsOf } from '../hpack/representations';

/** RFC 9113 §6.5.2: what both sides start with. */
const INITIAL_SIZE = 4096;
/** Evicted entries told of one step. */
const EVICTED_TOLD = 32;

/**
 * One direction's dynamic table (RFC 7541 §2.3.2), followed by what each block's representations do to it. The fields
 * themselves are those that decoding has stored, so that nothing is decoded twice and the store does not grow.
 */
export class HeaderTable {
  /** Field numbers, the oldest first; those before `first` are gone. */
  private fields: number[] = [];
  private first = 0;
  size = 0;
  maxSize = INITIAL_SIZE;

  // What the newest block changed.
  added = 0;
  evictedCount = 0;
  evicted: number[] = [];

  /** @param unknown entries from before the capture may exist */
  constructor(
    private readonly store: HeaderStore,
    public unknown: boolean,
  ) {}

  get count(): number {
    return this.fields.length - this.first;
  }

  /** @param position 0 for the newest, which has index 62 */
  entry(position: number): number {
    return this.fields[this.fields.length - 1 - position]!;
  }

  clone(): HeaderTable {
    const copy = new HeaderTable(this.store, this.unknown);
    copy.fields = this.fields.slice(this.first);
    copy.size = this.size;
    copy.maxSize = this.maxSize;
    return copy;
  }

  /** Another step begins. */
  settle(): void {
    if (this.added === 0 && this.evictedCount === 0) return;
    this.added = 0;
    this.evictedCount = 0;
    this.evicted = [];
  }

  /** A block of which nothing can be told: neither what it held nor what the table holds after it. */
  forget(): void {
    this.fields = [];
    this.first = 0;
    this.size = 0;
    this.settle();
    this.unknown = true;
  }

  /**
   * A whole block, in order (RFC 7541 §3.2).
   * @param list its fields in the header store
   */
  block(octets: Uint8Array, list: number): void {
    const { store } = this;
    const known = store.listLength(list);
    let field = 0;
    for (const representation of representationsOf(octets)) {
      if (representation.kind === 'size-update') {
        this.maxSize = representation.sizeUpdate;
        this.evict(this.maxSize);
        continue;
      }
      // Decoding stopped here: a string was badly coded, or the block was cut.
      if (representation.kind === 'error' || field >= known) {
        this.forget();
        return;
      }
      if (representation.kind === 'literal-incremental') this.insert(store.fieldOf(list, field));
      field++;
    }
  }

  /** RFC 7541 §4.4: an entry larger than the table empties it. */
  private insert(field: number): void {
    const size = this.store.size(field);
    this.evict(this.maxSize - size);
    if (size > this.maxSize) return;
    this.fields.push(field);
    this.size += size;
    this.added++;
  }

  private evict(room: number): void {
    while (this.count > 0 && this.size > room) {
      const field = this.fields[this.first++]!;
      this.size -= this.store.size(field);
      // What the same block has added and evicted again counts as both.
      this.evictedCount++;
      if (this.evicted.length < EVICTED_TOLD) this.evicted.push(field);
    }
    if (this.first > 64 && this.first * 2 > this.fields.length) {
      this.fields = this.fields.slice(this.first);
      this.first = 0;
    }
  }
}
