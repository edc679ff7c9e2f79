import type { FrameTable } from '../capture/frames';
import type { Side } from '../tcp/types';

/** PINGs without an answer that are remembered of one side. */
const OPEN_PINGS = 1024;
/** Distinct PING payloads noted of a side. */
const PAYLOADS_NOTED = 8;

class SidePings {
  /** Not answered yet: row and payload. */
  readonly open: { row: number; high: number; low: number }[] = [];
  lastHigh = -1;
  lastLow = -1;
}

/** Finds the PING that an acknowledgement answers, by its eight octets (RFC 9113 §6.7). */
export class PingAnswers {
  private readonly sides: [SidePings, SidePings] = [new SidePings(), new SidePings()];

  /** @param payloads the first few payloads of each side are noted there, in hex: they tell implementations */
  constructor(
    private readonly frames: FrameTable,
    private readonly payloads: readonly [Set<string>, Set<string>],
  ) {}

  sent(side: Side, row: number, high: number, low: number): void {
    const own = this.sides[side];
    own.open.push({ row, high, low });
    if (own.open.length > OPEN_PINGS) own.open.shift();
    if (high === own.lastHigh && low === own.lastLow) return;
    own.lastHigh = high;
    own.lastLow = low;
    const noted = this.payloads[side];
    if (noted.size < PAYLOADS_NOTED) noted.add(hex32(high) + hex32(low));
  }

  /** The two rows get each other's number. An answer to no known PING gets none. */
  answered(by: Side, row: number, high: number, low: number): void {
    const { open } = this.sides[by ^ 1]!;
    const at = open.findIndex((ping) => ping.high === high && ping.low === low);
    if (at === -1) return;
    const asked = open[at]!.row;
    open.splice(at, 1);
    this.frames.aux.set(row, asked + 1);
    this.frames.aux.set(asked, row + 1);
  }
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, '0');
}
