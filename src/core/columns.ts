/**
 * Growable columns of numbers, in pages of typed arrays: growing never copies what is there, and a million rows cost
 * what their octets cost. Rows are indexes from 0; reading beyond `length` gives stale or zero values, not an error.
 */

const PAGE_BITS = 14;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/** Unsigned 32-bit integers. */
export class U32Column {
  length = 0;
  readonly pages: Uint32Array[] = [];

  push(value: number): number {
    const row = this.length++;
    if ((row & PAGE_MASK) === 0) this.pages.push(new Uint32Array(PAGE_SIZE));
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
    return row;
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
    if ((row & PAGE_MASK) === 0) this.pages.push(new Uint8Array(PAGE_SIZE));
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
    return row;
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
    if ((row & PAGE_MASK) === 0) this.pages.push(new Float64Array(PAGE_SIZE));
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
    return row;
  }

  get(row: number): number {
    return this.pages[row >>> PAGE_BITS]![row & PAGE_MASK]!;
  }

  set(row: number, value: number): void {
    this.pages[row >>> PAGE_BITS]![row & PAGE_MASK] = value;
  }
}
