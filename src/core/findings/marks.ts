import type { Capture } from '../capture/capture';
import { NO_ROW } from '../capture/frames';

/** Frames that are named as a finding's evidence: enough to look at; the total is in the numbers. */
export const MAX_EVIDENCE = 20;

/** Rows that prove something: the first of them, and how many there were. */
export class Marks {
  count = 0;
  private readonly rows: number[] = [];

  add(row: number): void {
    this.count++;
    if (row !== NO_ROW && this.rows.length < MAX_EVIDENCE) this.rows.push(row);
  }

  /** Numbers of the frames, ascending and each once. */
  numbers(capture: Capture): number[] {
    const numbers = new Set(this.rows.map((row) => capture.numberOf(row)));
    return [...numbers].sort((a, b) => a - b);
  }
}
