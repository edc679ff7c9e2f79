import type { OctetSlice } from '../../shared/contract';

/** Octets of one answer: 256 rows. */
export const PAGE_OCTETS = 4096;
/** Pages kept: 256 KiB. What is in sight needs two at most, on the tallest screens. */
const MAX_PAGES = 64;

/**
 * Octets of a frame or a chunk, fetched a page at a time when they are asked for, and forgotten when others are: the
 * window never holds a capture. A page that failed to come is asked for again when it is next wanted.
 */
export class OctetPages {
  private readonly pages = new Map<number, Uint8Array>();
  private readonly coming = new Map<number, Promise<void>>();
  private readonly listeners = new Set<() => void>();
  private arrived = 0;

  constructor(private readonly load: (from: number, count: number) => Promise<OctetSlice>) {}

  /** At most `count` octets from a position, which must not cross a page; undefined until they have come. */
  get(from: number, count: number): Uint8Array | undefined {
    const number = Math.floor(from / PAGE_OCTETS);
    const page = this.pages.get(number);
    if (page === undefined) {
      void this.ask(number);
      return undefined;
    }
    const at = from - number * PAGE_OCTETS;
    return page.subarray(at, at + count);
  }

  /** Resolves when the page around a position is there, or could not be had. */
  ensure(position: number): Promise<void> {
    const number = Math.floor(position / PAGE_OCTETS);
    return this.pages.has(number) ? Promise.resolve() : this.ask(number);
  }

  /** Grows with every page that comes. */
  readonly version = (): number => this.arrived;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private ask(number: number): Promise<void> {
    const asked = this.coming.get(number);
    if (asked !== undefined) return asked;
    const coming = this.load(number * PAGE_OCTETS, PAGE_OCTETS)
      .then(({ octets }) => {
        this.pages.set(number, octets);
        if (this.pages.size > MAX_PAGES) this.pages.delete(this.pages.keys().next().value!);
        this.arrived++;
        for (const listener of this.listeners) listener();
      })
      .catch(() => undefined)
      .finally(() => this.coming.delete(number));
    this.coming.set(number, coming);
    return coming;
  }
}
