/** RFC 9113 §6.9.2: what the connection and new streams start with. */
export const INITIAL_WINDOW = 65535;

/**
 * The windows of one direction in one peer's books. A stream's window is kept as its credit beyond the initial size,
 * so that a new SETTINGS_INITIAL_WINDOW_SIZE shifts all of them at once (RFC 9113 §6.9.2), to below 0 if need be.
 * Where the connection was joined in the middle, all windows count from 0.
 */
export class DirectionWindows {
  connection: number;
  private initial: number;
  /** Of streams on which DATA can still come. */
  private readonly credit = new Map<number, number>();

  constructor(private readonly relative: boolean) {
    this.connection = relative ? 0 : INITIAL_WINDOW;
    this.initial = this.connection;
  }

  /** A stream's window; undefined when it is not open in this direction. */
  window(stream: number): number | undefined {
    const credit = this.credit.get(stream);
    return credit === undefined ? undefined : credit + this.initial;
  }

  /** @returns the stream's window */
  open(stream: number): number {
    const window = this.relative ? 0 : this.initial;
    this.credit.set(stream, window - this.initial);
    return window;
  }

  close(stream: number): void {
    this.credit.delete(stream);
  }

  /** @returns the stream's window after the change; undefined when it is not open in this direction */
  add(stream: number, change: number): number | undefined {
    const credit = this.credit.get(stream);
    if (credit === undefined) return undefined;
    this.credit.set(stream, credit + change);
    return credit + change + this.initial;
  }

  shift(change: number): void {
    this.initial += change;
  }

  get openCount(): number {
    return this.credit.size;
  }

  /** Open streams, ascending. */
  openStreams(): number[] {
    return [...this.credit.keys()].sort((a, b) => a - b);
  }
}
