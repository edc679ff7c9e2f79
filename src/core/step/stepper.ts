import type { StreamState } from '../../shared/step';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { RowBit } from '../capture/frames';
import { U32Column } from '../columns';
import type { StepOctets } from './block-octets';
import { ConnectionState, type StepContext } from './connection-state';
import type { StepNote } from './notes';
import { stateOf } from './stream-table';

/** Rows between two snapshots, at least. */
const INTERVAL = 512;
/** Snapshots kept of one connection; when there are so many, every other goes. */
const MAX_SNAPSHOTS = 256;

interface Snapshot {
  /** Rows that were applied. */
  count: number;
  state: ConnectionState;
}

/** What the newest row did. */
export interface StepNotes {
  meanwhile: StepNote[];
  own: StepNote[];
  /** Its stream's state before it; undefined on stream 0. */
  before: StreamState | undefined;
}

/**
 * One connection, step by step, in the order of decoding. Back is as quick as forward: snapshots stand so that a step
 * replays a few hundred rows, or for a connection of n rows n / 128 at most. A snapshot is taken only after as many
 * rows as it has parts, so that all of them together take no more than the rows themselves.
 */
export class Stepper {
  private readonly rows = new U32Column();
  private readonly context: StepContext;
  private readonly sent = [new U32Column(), new U32Column()] as const;
  private scanned = 0;
  private interval: number;
  private snapshots: Snapshot[] = [];
  private applied = 0;
  state: ConnectionState;
  notes: StepNotes | undefined;
  /** Rows replayed so far, for tests of what a step costs. */
  replayed = 0;

  constructor(
    private readonly capture: Capture,
    private readonly connection: Connection,
    octets: StepOctets,
    options: { interval?: number } = {},
  ) {
    this.interval = options.interval ?? INTERVAL;
    this.context = { capture, connection, octets, sent: this.sent };
    this.state = new ConnectionState(this.context);
  }

  /** Rows of the connection that there are by now. */
  get count(): number {
    const { frames } = this.capture;
    const { id } = this.connection;
    for (; this.scanned < frames.count; this.scanned++) {
      if (frames.conn.get(this.scanned) !== id) continue;
      this.rows.push(this.scanned);
      this.sent[(frames.bits.get(this.scanned) & RowBit.SIDE) as 0 | 1].push(this.scanned);
    }
    return this.rows.length;
  }

  /** @param position from 0, below `count` */
  rowAt(position: number): number {
    return this.rows.get(position);
  }

  /** The place of a row of this connection. */
  positionOf(row: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.rows.get(middle) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Works towards the state after the row at `position` (below `count`), with its notes.
   * @param limit rows to apply at most
   * @returns whether it is there; call again until it is
   */
  seek(position: number, limit = Number.POSITIVE_INFINITY): boolean {
    if (this.applied === position + 1 && this.notes !== undefined) return true;
    if (position >= this.count) throw new RangeError(`the connection has ${this.count} rows, not ${position + 1}`);
    this.depart(position);
    let left = limit;
    while (this.applied <= position && left-- > 0) this.next(this.applied === position);
    return this.applied === position + 1;
  }

  /** Starts from where the fewest rows are left to go. */
  private depart(position: number): void {
    const at = this.nearest(position);
    if (this.applied <= position && this.applied >= at) return;
    const snapshot = this.snapshots.find(({ count }) => count === at);
    this.state = snapshot === undefined ? new ConnectionState(this.context) : snapshot.state.clone();
    this.applied = at;
    this.notes = undefined;
  }

  /** Rows of the newest snapshot that is not behind `position`. */
  private nearest(position: number): number {
    let found = 0;
    for (const { count } of this.snapshots) {
      if (count > position) break;
      found = count;
    }
    return found;
  }

  private next(noted: boolean): void {
    const { state, capture } = this;
    this.keep();
    const row = this.rows.get(this.applied);
    if (noted) {
      const stream = capture.frames.isNonFrame(row) ? 0 : capture.frames.stream.get(row);
      const before = stream === 0 ? undefined : stateOf(state.streams.get(stream), this.connection.clientSide);
      // Asked before anything happens: of a stream that is long forgotten nothing but its end is known.
      const known = before === 'idle' && !state.streams.isIdle(stream) ? 'closed' : before;
      this.notes = { meanwhile: [], own: [], before: known };
      state.apply(row, this.notes.own, this.notes.meanwhile);
    } else {
      this.notes = undefined;
      state.apply(row);
    }
    this.applied++;
    this.replayed++;
  }

  private keep(): void {
    const last = this.snapshots[this.snapshots.length - 1]?.count ?? 0;
    if (this.applied < last + Math.max(this.interval, this.state.weight)) return;
    this.snapshots.push({ count: this.applied, state: this.state.clone() });
    if (this.snapshots.length < MAX_SNAPSHOTS) return;
    this.snapshots = this.snapshots.filter((_, i) => i % 2 === 1);
    this.interval *= 2;
  }
}
