/** Streams remembered of each kind, odd and even: half of them are forgotten when there are so many. */
const REMEMBERED = 1 << 16;

/** Which streams were opened already: trailers, and frames on closed streams, must not open them again. */
export class SeenStreams {
  private readonly seen = [new Set<number>(), new Set<number>()] as const;
  /** The highest that was forgotten: those up to it count as seen. */
  private readonly forgotten = [0, 0];

  /** Takes note of a stream. @returns whether it is new */
  isNew(stream: number): boolean {
    const parity = stream & 1;
    const seen = this.seen[parity]!;
    if (stream <= this.forgotten[parity]! || seen.has(stream)) return false;
    seen.add(stream);
    if (seen.size > REMEMBERED) this.forget(parity);
    return true;
  }

  private forget(parity: number): void {
    const seen = this.seen[parity]!;
    const half = seen.size / 2;
    let count = 0;
    for (const stream of seen) {
      if (count++ >= half) break;
      seen.delete(stream);
      if (stream > this.forgotten[parity]!) this.forgotten[parity] = stream;
    }
  }
}
