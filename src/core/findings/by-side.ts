import type { Side } from '../tcp/types';

/** Something kept for each side of each connection that has it, in the order in which it came up. */
export class BySide<T> {
  private readonly kept = new Map<number, T>();
  private lastKey = -1;
  private last: T | undefined;

  constructor(private readonly make: () => T) {}

  get(conn: number, side: Side): T {
    const key = conn * 2 + side;
    if (key === this.lastKey) return this.last!;
    let value = this.kept.get(key);
    if (value === undefined) {
      value = this.make();
      this.kept.set(key, value);
    }
    this.lastKey = key;
    this.last = value;
    return value;
  }

  find(conn: number, side: Side): T | undefined {
    return this.kept.get(conn * 2 + side);
  }

  *entries(): Iterable<{ conn: number; side: Side; value: T }> {
    for (const [key, value] of this.kept) yield { conn: Math.floor(key / 2), side: (key & 1) as Side, value };
  }
}
