import { NO_ROW } from '../../core/capture/frames';
import type { ViewState } from '../../shared/contract';
import type { Changes } from './changes';
import type { Filter } from './filter/filter';
import type { Session } from './session';

/** Rows looked at between two looks at the clock. */
const STEP = 8192;

/** A growing set of rows as bits, and as a list in order. */
class RowSet {
  private bits = new Uint32Array(1024);
  private list = new Uint32Array(1024);
  count = 0;

  has(row: number): boolean {
    return ((this.bits[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  at(position: number): number {
    return this.list[position]!;
  }

  /** `row` is beyond all others. */
  append(row: number): void {
    this.set(row, true);
    this.toList(row);
  }

  /** The list does not follow until it is rebuilt. */
  set(row: number, member: boolean): void {
    const word = row >>> 5;
    if (word >= this.bits.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    const mask = 1 << (row & 31);
    if (member) this.bits[word]! |= mask;
    else this.bits[word]! &= ~mask;
  }

  /** Position of the first member not below `row`. */
  positionOf(row: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.list[middle]! < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes the list agree with the bits for rows of `[from, to)`; there are no members beyond. */
  rebuild(from: number, to: number): void {
    this.count = this.positionOf(from);
    for (let row = from; row < to; row++) {
      if ((row & 31) === 0 && this.bits[row >>> 5] === 0) row += 31;
      else if (this.has(row)) this.toList(row);
    }
  }

  truncate(row: number): void {
    this.count = this.positionOf(row);
    for (let word = (row >>> 5) + 1; word < this.bits.length; word++) this.bits[word] = 0;
    for (let each = row; (each & 31) !== 0 || each === row; each++) this.set(each, false);
  }

  private toList(row: number): void {
    if (this.count === this.list.length) {
      const grown = new Uint32Array(this.list.length * 2);
      grown.set(this.list);
      this.list = grown;
    }
    this.list[this.count++] = row;
  }

  toArray(): Uint32Array {
    return this.list.slice(0, this.count);
  }
}

/**
 * The rows that pass a filter, kept while the capture grows: new rows are looked at as they come, and rows that
 * something new may have moved in or out are looked at again, as far as the filter's scope asks for it.
 */
export class View {
  private readonly rows = new RowSet();
  private evaluated = 0;
  private revision = 0;
  /** Walks along streams, newest row first, that are not done: the next row of each. */
  private readonly walks: number[] = [];
  /** The first row that entered or left since the list was right. */
  private stale = NO_ROW;
  /** Frames' numbers in order, where rows are not in the order of numbers. */
  private numbers: Uint32Array | undefined;

  constructor(
    readonly id: number,
    readonly text: string,
    private readonly filter: Filter,
    private readonly session: Session,
  ) {}

  get state(): ViewState {
    const { id, text, evaluated, revision } = this;
    return { view: id, filter: text, count: this.rows.count, evaluated, revision };
  }

  get settled(): boolean {
    return this.evaluated === this.session.frameCount && this.walks.length === 0;
  }

  /** Takes note of what happened to rows that were looked at before. */
  apply(changes: Changes): void {
    if (changes.restart < this.evaluated) this.restart(changes.restart);
    for (const row of changes.rows) this.test(row);
    this.settle();
    if (this.filter.scope === 'row') return;
    const { calls } = this.session.capture;
    for (const call of changes.calls) this.walks.push(calls.lastRow.get(call));
    if (this.filter.scope === 'stream') {
      for (const row of newestOfEach(changes.onStreams, this.session)) this.walks.push(row);
    }
  }

  /** Everything from `row` on is to be looked at again. */
  restart(row: number): void {
    this.rows.truncate(row);
    this.evaluated = Math.min(this.evaluated, row);
    this.stale = NO_ROW;
    this.numbers = undefined;
    this.revision++;
  }

  /** Looks at rows until `until` (of performance.now()). @returns whether all are done */
  work(until: number): boolean {
    while (this.walks.length > 0 && performance.now() < until) this.walk(this.walks.pop()!);
    this.settle();
    while (this.evaluated < this.session.frameCount && performance.now() < until) this.extend();
    return this.settled;
  }

  private walk(from: number): void {
    const { frames } = this.session.capture;
    let row = from;
    for (let steps = 0; row < frames.count; steps++) {
      if (steps === STEP) {
        this.walks.push(row);
        return;
      }
      this.test(row);
      row = frames.previousInStream.get(row);
    }
  }

  private test(row: number): void {
    if (row >= this.evaluated) return;
    const passes = this.filter.test(this.session, row);
    if (passes === this.rows.has(row)) return;
    this.rows.set(row, passes);
    if (row < this.stale) this.stale = row;
  }

  private settle(): void {
    if (this.stale === NO_ROW) return;
    this.rows.rebuild(this.stale, this.evaluated);
    this.stale = NO_ROW;
    this.numbers = undefined;
    this.revision++;
  }

  private extend(): void {
    const to = Math.min(this.evaluated + STEP, this.session.frameCount);
    const found: number[] = [];
    this.filter.select(this.session, this.evaluated, to, found);
    for (const row of found) this.rows.append(row);
    this.evaluated = to;
    this.numbers = undefined;
  }

  get count(): number {
    return this.rows.count;
  }

  /** Whether a row is known to pass. */
  has(row: number): boolean {
    return this.rows.has(row);
  }

  /** The number of the frame at a position, from 0 to `count - 1`. */
  numberAt(position: number): number {
    if (!this.session.reordered) return this.rows.at(position) + 1;
    return this.ordered()[position]!;
  }

  /** Position of frame `n`, or of the first after it. */
  positionOf(n: number): number {
    if (!this.session.reordered) return this.rows.positionOf(n - 1);
    const numbers = this.ordered();
    const found = numbers.findIndex((number) => number >= n);
    return found === -1 ? numbers.length : found;
  }

  private ordered(): Uint32Array {
    const { capture } = this.session;
    this.numbers ??= this.rows
      .toArray()
      .map((row) => capture.numberOf(row))
      .sort();
    return this.numbers;
  }
}

/** Of several rows of a stream, the newest: a walk from it meets the others. */
function newestOfEach(rows: readonly number[], { capture: { frames } }: Session): Iterable<number> {
  const newest = new Map<string, number>();
  for (const row of rows) newest.set(`${frames.conn.get(row)}:${frames.stream.get(row)}`, row);
  return newest.values();
}
