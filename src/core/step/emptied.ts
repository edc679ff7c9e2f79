import { WindowCause, type WindowSamples } from '../flow/window-samples';

/** The rows whose DATA left a window without credit (RFC 9113 §6.9), found as samples come. */
export class EmptiedRows {
  private scanned = 0;
  private source: WindowSamples | undefined;
  private readonly known = new Set<number>();

  /** @param samples the connection's, in the sender's view */
  has(samples: WindowSamples, row: number): boolean {
    if (samples !== this.source) {
      this.source = samples;
      this.scanned = 0;
      this.known.clear();
    }
    for (; this.scanned < samples.count; this.scanned++) {
      if (samples.cause.get(this.scanned) !== WindowCause.DATA || samples.window.get(this.scanned) > 0) continue;
      this.known.add(samples.row.get(this.scanned));
    }
    return this.known.has(row);
  }
}
