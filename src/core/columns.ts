/**
 * Growable columns of numbers, in pages of typed arrays: growing never copies more than the first page, and a million
 * rows cost what their octets cost. The first page starts small, as every connection has columns of its own. Rows are
 * indexes from 0; below `length` only.
 */

const PAGE_BITS = 14;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
const FIRST_SIZE = 32;

/** How long the page for `row` is, when it does not exist yet or is full. */
function sizeFor(row: number): number {
  return row >= PAGE_SIZE ? PAGE_SIZE : Math.max(FIRST_SIZE, row * 2);
}

/** Unsigned 32-bit integers. */
export class U32Column {
  length = 0;
  readonly pages: Uint32Array[] = [];

  push(value: number): number {
    const row = this.length++;
    let page = this.pages[row >>> PAGE_BITS];
    if (page === undefined || (row & PAGE_MASK) === page.length) page = this.grow(row);
    page[row & PAGE_MASK] = value;
    return row;
  }

  private grow(row: number): Uint32Array {
    const page = new Uint32Array(sizeFor(row));
    const old = this.pages[row >>> PAGE_BITS];
    if (old !== undefined) page.set(old);
    this.pages[row >>> PAGE_BITS] = page;
    return page;
  }

  get(row: number): number {
    return this.pages[row >>> PAGE_BITS]![row & PAGE_MASK]!;
  }

  set(row: number, value: number): void {
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
  }
}

/** Octets. */
export class U8Column {
  length = 0;
  readonly pages: Uint8Array[] = [];

  push(value: number): number {
    const row = this.length++;
    let page = this.pages[row >>> PAGE_BITS];
    if (page === undefined || (row & PAGE_MASK) === page.length) page = this.grow(row);
    page[row & PAGE_MASK] = value;
    return row;
  }

  private grow(row: number): Uint8Array {
    const page = new Uint8Array(sizeFor(row));
    const old = this.pages[row >>> PAGE_BITS];
    if (old !== undefined) page.set(old);
    this.pages[row >>> PAGE_BITS] = page;
    return page;
  }

  get(row: number): number {
    return this.pages[row >>> PAGE_BITS]![row & PAGE_MASK]!;
  }

  set(row: number, value: number): void {
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
  }
}

/** Doubles: times in nanoseconds, offsets beyond 2^32. */
export class F64Column {
  length = 0;
  readonly pages: Float64Array[] = [];

  push(value: number): number {
    const row = this.length++;
    let page = this.pages[row >>> PAGE_BITS];
    if (page === undefined || (row & PAGE_MASK) === page.length) page = this.grow(row);
    page[row & PAGE_MASK] = value;
    return row;
  }

  private grow(row: number): Float64Array {
    const page = new Float64Array(sizeFor(row));
    const old = this.pages[row >>> PAGE_BITS];
    if (old !== undefined) page.set(old);
    this.pages[row >>> PAGE_BITS] = page;
    return page;
  }

  get(row: number): number {
    return this.pages[row >>> PAGE_BITS]![row & PAGE_MASK]!;
  }

  set(row: number, value: number): void {
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
  }
}
