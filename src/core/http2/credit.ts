import type { FrameTable } from '../capture/frames';
import type { Side, TcpConnection } from '../tcp/types';
import { connectionFault, streamFault } from './faults';
import type { SideState } from './side-state';
import type { Stream } from './stream';

/** RFC 9113 §6.9.1, §6.9.2. */
const MAX_WINDOW = 0x7fffffff;
const INITIAL_WINDOW = 65_535;

/** Streams looked at in all when SETTINGS raise the initial window: so many, and so many for each such frame. */
const LOOKED_AT = 65_536;
const LOOKED_AT_PER_SETTINGS = 16;

/**
 * DATA beyond the credit that was given, and credit beyond 2^31-1 (RFC 9113 §6.9.1). Each is held against its sender
 * only when no books allow it: all credit that has passed the capture point counts for the sender of DATA, though it
 * may not have reached it, and a lowered SETTINGS_INITIAL_WINDOW_SIZE counts from its acknowledgement on (§6.9.3). Of a
 * connection of which octets are missing nothing is said, nor while they may only be late. The windows that views show
 * are core/flow's.
 */
export class Credit {
  /** The connection's windows, by the side whose DATA spends them. */
  private readonly connection: [number, number] = [INITIAL_WINDOW, INITIAL_WINDOW];
  private unknown = false;
  private lookedAt = -LOOKED_AT;

  constructor(
    private readonly tcp: TcpConnection,
    private readonly frames: FrameTable,
    private readonly sides: readonly [SideState, SideState],
    private readonly streams: { readonly partial: boolean; all(): Iterable<Stream> },
  ) {}

  /** Credit may have been given that was not seen. */
  lose(): void {
    this.unknown = true;
  }

  /**
   * Nothing can be said against a frame whose sender has had octets of `peer` that were not seen, or not yet: they may
   * have been credit, or DATA that this credit is for.
   */
  private silent(peer: Side): boolean {
    return this.unknown || this.streams.partial || this.tcp.behind[peer];
  }

  /** A stream's window with all that its receiver may have granted. @param side whose DATA spends it */
  private window(stream: Stream, side: Side): number {
    return this.sides[side ^ 1]!.settings.allowsInitialWindow + stream.credit[side];
  }

  /** DATA was sent, padding included; on a stream that is closed it counts for the connection alone (§5.1). */
  spent(side: Side, row: number, stream: Stream | undefined, length: number): void {
    if (length === 0) return;
    const before = this.connection[side];
    this.connection[side] = before - length;
    if (stream !== undefined) stream.credit[side] -= length;
    const left = stream === undefined ? length : this.window(stream, side) + length;
    if ((before >= length && left >= length) || this.silent((side ^ 1) as Side)) return;
    if (before < length) {
      const words = `${length} octets of DATA, the connection's window had ${before}`;
      this.frames.fault(row, connectionFault('FLOW_CONTROL_ERROR', '6.9.1', words));
    }
    if (left < length) {
      const words = `${length} octets of DATA, the stream's window had ${left}`;
      this.frames.fault(row, streamFault('FLOW_CONTROL_ERROR', '6.9.1', words));
    }
  }

  /** WINDOW_UPDATE. @param side whose DATA it is for; `stream` is undefined for one that is not known */
  granted(side: Side, row: number, id: number, stream: Stream | undefined, increment: number): void {
    if (id === 0) {
      this.connection[side] += increment;
      if (this.connection[side] <= MAX_WINDOW || this.silent(side)) return;
      const words = `the connection's window becomes ${this.connection[side]}, above 2^31-1`;
      this.frames.fault(row, connectionFault('FLOW_CONTROL_ERROR', '6.9.1', words));
      // The frame is in error, and counts no more.
      this.connection[side] -= increment;
      return;
    }
    if (stream === undefined) return;
    stream.credit[side] += increment;
    const window = this.window(stream, side);
    if (window <= MAX_WINDOW || this.silent(side)) return;
    const words = `the stream's window becomes ${window}, above 2^31-1`;
    this.frames.fault(row, streamFault('FLOW_CONTROL_ERROR', '6.9.1', words));
    stream.credit[side] -= increment;
  }

  /** SETTINGS raised the initial window of what `side` sends: a window that was granted more may overflow (§6.9.2). */
  raised(side: Side, row: number): void {
    if (this.silent(side)) return;
    this.lookedAt -= LOOKED_AT_PER_SETTINGS;
    for (const stream of this.streams.all()) {
      if (++this.lookedAt > 0) return;
      if (stream.closed || stream.credit[side] <= 0) continue;
      const window = this.window(stream, side);
      if (window <= MAX_WINDOW) continue;
      const words = `INITIAL_WINDOW_SIZE takes the window of stream ${stream.id} to ${window}, above 2^31-1`;
      this.frames.fault(row, connectionFault('FLOW_CONTROL_ERROR', '6.9.2', words));
      return;
    }
  }
}
