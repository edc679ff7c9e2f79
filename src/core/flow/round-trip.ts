import { Flag, FrameType } from '../../shared/names';
import type { Capture } from '../capture/capture';
import { RowBit } from '../capture/frames';
import { U32Column } from '../columns';

/** How a round trip was measured: what says most first. */
export type RoundTripSource = 'ping' | 'settings' | 'tap';

export interface RoundTrip {
  /** Nanoseconds. */
  time: number;
  source: RoundTripSource;
  /** Measurements that it is the median of. */
  count: number;
  /** The file tells no deliveries: only the way beyond the capture point is in it. */
  lowerBound: boolean;
}

/** Measurements kept of a kind; of more, every second, every fourth … is kept. */
const MAX_MEASURED = 4096;
/** SETTINGS are answered while peers are starting: beyond so many times what the tap took, they say little of the path. */
const PLAUSIBLE = 1.1;

/** A choice of values that stays small however many come, evenly spread over them. */
class Sampled {
  readonly values: number[] = [];
  private step = 1;
  private seen = 0;

  add(value: number): void {
    if (this.seen++ % this.step !== 0) return;
    this.values.push(value);
    if (this.values.length < MAX_MEASURED) return;
    for (let i = 0; i * 2 < this.values.length; i++) this.values[i] = this.values[i * 2]!;
    this.values.length = Math.ceil(this.values.length / 2);
    this.step *= 2;
  }

  quantile(part: number): number {
    const sorted = [...this.values].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  }
}

/**
 * What of one connection's frames tells its round-trip time. Frames are given in order (`add`). A PING's or SETTINGS'
 * round trip is what its sender saw: from its arrival at the tap to the delivery of its acknowledgement.
 */
export class RoundTripMeter {
  private readonly pings = new Sampled();
  private readonly settings = new Sampled();
  /** By the side that sent them: from arrival to delivery. */
  private readonly ways = [new Sampled(), new Sampled()] as const;

  /** Rows of PINGs, acknowledgements left out. */
  readonly pingRows = new U32Column();
  /** Acknowledgements that were on their way when they were looked at. */
  private underWay: number[] = [];

  constructor(private readonly capture: Capture) {}

  add(row: number): void {
    const { frames, chunks, hasDeliveries } = this.capture;
    const bits = frames.bits.get(row);
    if ((bits & RowBit.NON_FRAME) !== 0) return;
    if (frames.type.get(row) === FrameType.PING && (frames.flags.get(row) & Flag.ACK) === 0) this.pingRows.push(row);
    const chunk = frames.lastChunk.get(row);
    const delivered = hasDeliveries ? chunks.delivered.get(chunk) : chunks.time.get(chunk);
    if (Number.isNaN(delivered)) {
      const type = frames.type.get(row);
      const wanted = type === FrameType.PING || type === FrameType.SETTINGS;
      if (wanted && this.underWay.length < MAX_MEASURED) this.underWay.push(row);
      return;
    }
    if (hasDeliveries) this.ways[bits & RowBit.SIDE]!.add(delivered - chunks.time.get(chunk));
    const type = frames.type.get(row);
    if (type !== FrameType.PING && type !== FrameType.SETTINGS) return;
    const asked = frames.aux.get(row) - 1;
    if ((frames.flags.get(row) & Flag.ACK) === 0 || asked < 0) return;
    const time = delivered - chunks.time.get(frames.lastChunk.get(asked));
    if (time > 0) (type === FrameType.PING ? this.pings : this.settings).add(time);
  }

  /**
   * PINGs where there are any; else SETTINGS, unless the tap's own figures make them implausible; else how long the
   * tap kept what went each way (a lower quartile: queues at the tap are no part of the path). Undefined without any.
   */
  result(): RoundTrip | undefined {
    const { underWay } = this;
    this.underWay = [];
    for (const row of underWay) this.add(row);
    const lowerBound = !this.capture.hasDeliveries;
    const { pings, settings, ways } = this;
    if (pings.values.length > 0) {
      return { time: pings.quantile(0.5), source: 'ping', count: pings.values.length, lowerBound };
    }
    const both = ways[0].values.length > 0 && ways[1].values.length > 0;
    const tap = both ? ways[0].quantile(0.25) + ways[1].quantile(0.25) : undefined;
    if (settings.values.length > 0) {
      const time = settings.quantile(0);
      // A tap without a delay knows nothing of the path.
      if (tap === undefined || tap < 1e6 || time <= tap * PLAUSIBLE) {
        return { time, source: 'settings', count: settings.values.length, lowerBound };
      }
    }
    if (tap === undefined || tap <= 0) return undefined;
    return { time: tap, source: 'tap', count: Math.min(ways[0].values.length, ways[1].values.length), lowerBound };
  }

  /** What the tap keeps octets for at the best of times, both ways, nanoseconds; undefined where unknown. */
  least(): number | undefined {
    const [there, back] = [this.kept(0), this.kept(1)];
    return there === undefined || back === undefined ? undefined : there.least + back.least;
  }

  /** Octets wait at the tap: how long what `side` sent is kept, as a rule and at least. Undefined where unknown. */
  kept(side: number): { least: number; usual: number } | undefined {
    const way = this.ways[side]!;
    return way.values.length === 0 ? undefined : { least: way.quantile(0), usual: way.quantile(0.5) };
  }
}

/** The round trips of all connections: each row of the capture is looked at once. */
export class RoundTrips {
  private readonly meters: RoundTripMeter[] = [];
  private scanned = 0;

  constructor(private readonly capture: Capture) {}

  /** What is known by now. @param conn from 1 */
  connection(conn: number): RoundTripMeter {
    const { frames } = this.capture;
    for (; this.scanned < frames.count; this.scanned++) this.meter(frames.conn.get(this.scanned)).add(this.scanned);
    return this.meter(conn);
  }

  private meter(conn: number): RoundTripMeter {
    this.meters[conn - 1] ??= new RoundTripMeter(this.capture);
    return this.meters[conn - 1]!;
  }
}
