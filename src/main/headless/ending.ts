const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first wish to end: a signal, or `end` called. A second signal ends the program as it stands. */
export class Ending {
  readonly reached: Promise<unknown>;
  private settle: (reason: unknown) => void = () => undefined;
  private signalled = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly onSignal = () => {
    if (this.signalled) process.exit(1);
    this.signalled = true;
    // Behind the ^C that the terminal shows.
    if (process.stderr.isTTY) process.stderr.write('\n');
    this.end(undefined);
  };

  constructor() {
    this.reached = new Promise((resolve) => {
      this.settle = resolve;
    });
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
  }

  /** @param reason what `reached` resolves to: an error, or undefined for an end in good order */
  end(reason: unknown): void {
    this.settle(reason);
  }

  after(milliseconds: number): void {
    this.timer = setTimeout(() => this.end(undefined), milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const signal of SIGNALS) process.off(signal, this.onSignal);
  }
}
