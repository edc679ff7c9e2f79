/** One second, in nanoseconds. */
const SECOND = 1e9;

/**
 * The most events within one second, told apart by seconds that begin with an event: at least so many came so close
 * together. What goes on for longer than two seconds cannot hide between them.
 */
export class Burst {
  most = 0;
  private began = Number.NEGATIVE_INFINITY;
  private count = 0;

  add(time: number): void {
    if (time - this.began > SECOND || time < this.began) {
      this.began = time;
      this.count = 0;
    }
    if (++this.count > this.most) this.most = this.count;
  }
}
