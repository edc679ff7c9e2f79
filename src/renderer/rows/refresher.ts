/** Whole captures are gone through for an answer: not more often than that while one grows (ms). */
const REFRESH_MS = 1000;
/** And not for more than this part of the time, since the engine reads the capture besides. */
const SHARE = 0.2;

/**
 * Asks a question again and again while what it is about changes: one at a time, the first at once. Answers of one that
 * has ended are dropped; a question that is refused is asked again with the next change.
 */
export class Refresher<T> {
  private stale = false;
  private busy = false;
  private ended = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** When it may ask again. */
  private next = 0;

  constructor(
    private readonly ask: () => Promise<T>,
    private readonly answered: (value: T) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What it is about has changed. */
  touch(): void {
    this.stale = true;
    if (this.busy || this.ended || this.timer !== undefined) return;
    const wait = this.next - this.now();
    if (wait > 0) this.timer = setTimeout(() => this.run(), wait);
    else this.run();
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private run(): void {
    this.timer = undefined;
    this.stale = false;
    this.busy = true;
    const asked = this.now();
    const done = () => {
      this.busy = false;
      this.next = asked + Math.max(REFRESH_MS, (this.now() - asked) / SHARE);
      if (this.stale) this.touch();
    };
    this.ask().then(
      (value) => {
        if (!this.ended) this.answered(value);
        done();
      },
      () => done(),
    );
  }
}
