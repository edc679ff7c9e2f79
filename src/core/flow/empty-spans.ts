import { NO_ROW } from '../capture/frames';
import { F64Column, U32Column } from '../columns';

/** When one direction's connection window was 0 or less, in the order of time, and who held its credit then. */
export class EmptySpans {
  private readonly from = new F64Column();
  private readonly to = new F64Column();
  /** The frame that ended it. */
  private readonly row = new U32Column();
  /** Of all spans before it. */
  private readonly before = new F64Column();
  private readonly holders: (readonly number[])[] = [];

  get isOpen(): boolean {
    return this.from.length > this.to.length;
  }

  /** No span touches the time after this. */
  get lastEnd(): number {
    if (this.isOpen) return Number.POSITIVE_INFINITY;
    return this.to.length === 0 ? Number.NEGATIVE_INFINITY : this.to.get(this.to.length - 1);
  }

  begin(time: number, holders: readonly number[]): void {
    const count = this.to.length;
    this.before.push(count === 0 ? 0 : this.before.get(count - 1) + this.to.get(count - 1) - this.from.get(count - 1));
    this.from.push(time);
    const last = this.holders[this.holders.length - 1];
    // Most spans are held by the same streams as the one before.
    this.holders.push(last !== undefined && same(last, holders) ? last : holders);
  }

  end(time: number, row: number): void {
    this.to.push(time);
    this.row.push(row);
  }

  /**
   * The spans that touch the time between, as one when they cover nearly all of it, else the last of them.
   * @param whole false: the last in any case
   * @param coverage part of the time from the first's beginning to the last's end that makes them one
   */
  between(since: number, until: number, whole: boolean, coverage: number): EmptySpan | undefined {
    const last = this.lastBefore(until);
    if (last === -1 || this.endOf(last, until) <= since) return undefined;
    const end = this.endOf(last, until);
    let first = last;
    if (whole) {
      first = this.firstAfter(since);
      const start = Math.max(since, this.from.get(first));
      const empty = this.before.get(last) + end - this.from.get(last) - this.before.get(first);
      const cut = start - this.from.get(first);
      if (empty - cut < coverage * (end - start)) first = last;
    }
    return {
      from: Math.max(since, this.from.get(first)),
      to: end,
      row: last < this.to.length && this.to.get(last) <= until ? this.row.get(last) : NO_ROW,
      holders: this.holders[last]!,
    };
  }

  private endOf(span: number, until: number): number {
    return span < this.to.length ? Math.min(until, this.to.get(span)) : until;
  }

  /** The last span that begins before a time, or -1. */
  private lastBefore(time: number): number {
    let low = 0;
    let high = this.from.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.from.get(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The first span that ends after a time; the one that is open, if no other. */
  private firstAfter(time: number): number {
    let low = 0;
    let high = this.to.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.to.get(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface EmptySpan {
  /** Nanoseconds. */
  from: number;
  to: number;
  /** NO_ROW where nothing ended it. */
  row: number;
  holders: readonly number[];
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((stream, i) => stream === b[i]);
}
