/** Milliseconds between two events at least. */
const INTERVAL = 50;

/** Tells something at most every 50 ms, and then as it is at that time: what happens in between is told together. */
export class ProgressTimer {
  private last = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly tell: () => void) {}

  /** Something has changed. */
  touch(): void {
    if (this.timer !== undefined) return;
    const wait = this.last + INTERVAL - performance.now();
    if (wait <= 0) this.flush();
    else this.timer = setTimeout(() => this.flush(), wait);
  }

  /** Tells now. */
  flush(): void {
    this.stop();
    this.last = performance.now();
    this.tell();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
