/** Rows of one answer: not many more than are on screen, since a scroll bar flies over most that it asks for. */
export const PAGE = 64;
/** Pages kept; what is on screen needs two or three. */
const MAX_PAGES = 128;

export interface Loaded<T> {
  items: T[];
  total: number;
}

/**
 * Rows by position, fetched a page at a time when they are asked for and forgotten when others are: the window never
 * holds a capture. Pages that may have changed are shown as they were until they have come again.
 */
export class PageCache<T> {
  private readonly pages = new Map<number, { items: T[]; stale: boolean }>();
  private readonly asked = new Set<number>();
  private generation = 0;

  /** @param changed rows have come */
  constructor(
    private readonly load: (from: number, count: number) => Promise<Loaded<T>>,
    private readonly changed: () => void,
  ) {}

  /** The row at a position, or undefined until it has come. */
  get(position: number): T | undefined {
    const number = Math.floor(position / PAGE);
    const page = this.pages.get(number);
    if (page === undefined || page.stale || page.items.length <= position % PAGE) this.ask(number);
    return page?.items[position % PAGE];
  }

  /** Rows from this position on may read differently now. */
  invalidate(from: number): void {
    for (const [number, page] of this.pages) if ((number + 1) * PAGE > from) page.stale = true;
  }

  /** Other rows altogether. */
  clear(): void {
    this.generation++;
    this.pages.clear();
    this.asked.clear();
  }

  private ask(number: number): void {
    if (this.asked.has(number)) return;
    this.asked.add(number);
    const { generation } = this;
    this.load(number * PAGE, PAGE)
      .then(({ items }) => {
        if (generation !== this.generation) return;
        this.pages.delete(number);
        this.pages.set(number, { items, stale: false });
        if (this.pages.size > MAX_PAGES) this.pages.delete(this.pages.keys().next().value!);
        this.asked.delete(number);
        this.changed();
      })
      .catch(() => this.asked.delete(number));
  }
}
