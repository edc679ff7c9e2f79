import type { LimitRecord } from '../../shared/flow';
import type { Capture } from '../capture/capture';
import type { U32Column } from '../columns';
import type { Side } from '../tcp/types';
import type { FlowIndex } from './flow-index';
import { limitOf } from './limit';
import { type RoundTrip, RoundTrips } from './round-trip';
import type { StallTable } from './stall-table';
import { stallsOf } from './stalls';

/** Connections whose stalls are kept at one time. */
const MAX_KEPT = 64;
/** Summaries are made anew when there are so many times as many samples. */
const GROWTH = 1.1;
/** Limits kept of a connection. */
const MAX_LIMITS = 1024;

/** Stalls, round trips and limits of all connections, each computed when it is first asked for. */
export class FlowAnalysis {
  private readonly trips: RoundTrips;
  private readonly kept = new Map<
    number,
    { key: string; stalls: StallTable; limits: Map<string, LimitRecord | undefined> }
  >();

  private readonly byStream = new Map<
    number,
    { samples: number; ended: boolean; streams: ReadonlyMap<number, readonly [number, number, number]> }
  >();

  constructor(
    private readonly capture: Capture,
    private readonly flow: Readonly<Record<'sender' | 'receiver', FlowIndex>>,
  ) {
    this.trips = new RoundTrips(capture);
  }

  /** Undefined where nothing measured it. @param conn from 1 */
  roundTrip(conn: number): RoundTrip | undefined {
    return this.trips.connection(conn).result();
  }

  /** Rows of a connection's PINGs, without acknowledgements. */
  pingRows(conn: number): U32Column {
    return this.trips.connection(conn).pingRows;
  }

  /** The stalls of a connection with all that is known by now, in the order in which they ended. */
  stalls(conn: number): StallTable {
    const { capture } = this;
    // A stall that goes on lasts until the newest packet.
    const key = `${this.flow.sender.connection(conn).samples.count} ${capture.lastTime} ${capture.ended}`;
    const known = this.kept.get(conn);
    if (known?.key === key) return known.stalls;
    const roundTrip = capture.hasDeliveries ? undefined : this.roundTrip(conn);
    const stalls = stallsOf(capture, this.flow.sender, conn, roundTrip);
    this.kept.delete(conn);
    this.kept.set(conn, { key, stalls, limits: new Map() });
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value!);
    return stalls;
  }

  /**
   * Nanoseconds of stalls by stream and cause (as STALL_CAUSES), of both sides together. For a list that is asked for
   * all the time: while the capture grows it may be a tenth behind.
   */
  stalledByStream(conn: number): ReadonlyMap<number, readonly [number, number, number]> {
    const { samples } = this.flow.sender.connection(conn);
    const known = this.byStream.get(conn);
    const { ended } = this.capture;
    if (known !== undefined && known.ended === ended && samples.count <= known.samples * GROWTH + 1000) {
      if (!ended || samples.count === known.samples) return known.streams;
    }
    const stalls = this.stalls(conn);
    const streams = new Map<number, [number, number, number]>();
    for (let i = 0; i < stalls.count; i++) {
      const stream = stalls.stream.get(i);
      let by = streams.get(stream);
      if (by === undefined) {
        by = [0, 0, 0];
        streams.set(stream, by);
      }
      by[stalls.cause.get(i) as 0 | 1 | 2] += stalls.to.get(i) - stalls.from.get(i);
    }
    if (this.byStream.size >= MAX_KEPT) this.byStream.delete(this.byStream.keys().next().value!);
    this.byStream.set(conn, { samples: samples.count, ended, streams });
    return streams;
  }

  /** @param stream 0: the connection as a whole. @returns undefined where the side sent no DATA on it */
  limit(conn: number, side: Side, stream = 0): LimitRecord | undefined {
    const { capture, flow } = this;
    const stalls = this.stalls(conn);
    const { limits } = this.kept.get(conn)!;
    const key = `${side} ${stream}`;
    if (limits.has(key)) return limits.get(key);
    const meter = this.trips.connection(conn);
    const limit = limitOf({ capture, sender: flow.sender, receiver: flow.receiver, meter, stalls }, conn, side, stream);
    if (limits.size >= MAX_LIMITS) limits.clear();
    limits.set(key, limit);
    return limit;
  }
}
