import type { StreamState } from '../../shared/step';
import { Half, type HalfState } from '../http2/stream';
import type { Side } from '../tcp/types';

/** Closed streams remembered: enough to see them off. */
const CLOSED_KEPT = 32;

/** A stream as the frames up to here have made it. */
export interface StepStreamState {
  id: number;
  /** What each side has sent of its half; see core/http2/stream. */
  half: [HalfState, HalfState];
  /** Credit of each side beyond the initial window size, in its own books. */
  credit: [number, number];
  /** Its newest row. */
  lastRow: number;
}

/** The streams of one connection (RFC 9113 §5.1) with their windows, by the side whose DATA spends them (§6.9). */
export class StreamTable {
  readonly open = new Map<number, StepStreamState>();
  /** The newest last. */
  readonly closed = new Map<number, StepStreamState>();
  /** Highest identifier opened, and highest that was forgotten after its end, of even ones and odd ones. */
  private readonly highest: [number, number] = [0, 0];
  private readonly forgotten: [number, number] = [0, 0];

  clone(): StreamTable {
    const copy = new StreamTable();
    for (const [id, stream] of this.open) copy.open.set(id, cloned(stream));
    for (const [id, stream] of this.closed) copy.closed.set(id, cloned(stream));
    for (const parity of [0, 1] as const) {
      copy.highest[parity] = this.highest[parity];
      copy.forgotten[parity] = this.forgotten[parity];
    }
    return copy;
  }

  get(id: number): StepStreamState | undefined {
    return this.open.get(id) ?? this.closed.get(id);
  }

  /** Nothing has used it, and it was not skipped (RFC 9113 §5.1.1). */
  isIdle(id: number): boolean {
    return this.get(id) === undefined && id > this.highest[(id & 1) as 0 | 1];
  }

  /** It may have been opened before the capture began, or in octets that were lost. */
  mayBeUnseen(id: number): boolean {
    return this.get(id) === undefined && id > this.forgotten[(id & 1) as 0 | 1];
  }

  /** @param credit what both sides may send beyond the initial window size */
  add(id: number, half: [HalfState, HalfState], credit: [number, number], row: number): StepStreamState {
    const stream: StepStreamState = { id, half, credit, lastRow: row };
    const parity = (id & 1) as 0 | 1;
    if (id > this.highest[parity]) this.highest[parity] = id;
    this.open.set(id, stream);
    return stream;
  }

  /** To be called when a half has changed. @returns whether the stream is closed now */
  settle(stream: StepStreamState): boolean {
    if (!isClosed(stream)) return false;
    if (!this.open.delete(stream.id)) return true;
    this.closed.set(stream.id, stream);
    if (this.closed.size > CLOSED_KEPT) {
      const oldest: number = this.closed.keys().next().value!;
      this.closed.delete(oldest);
      const parity = (oldest & 1) as 0 | 1;
      if (oldest > this.forgotten[parity]) this.forgotten[parity] = oldest;
    }
    return true;
  }
}

/** Whether the side can still send DATA on it. */
export function canSend(stream: StepStreamState, side: Side): boolean {
  const half = stream.half[side];
  return half === Half.OPEN || half === Half.RESERVED;
}

function isClosed({ half: [a, b] }: StepStreamState): boolean {
  return a === Half.RESET || b === Half.RESET || (a === Half.ENDED && b === Half.ENDED);
}

/** @param client which side is the client; @param stream undefined for one that nothing has opened */
export function stateOf(stream: StepStreamState | undefined, client: Side): StreamState {
  if (stream === undefined) return 'idle';
  if (isClosed(stream)) return 'closed';
  const { half } = stream;
  if (half[0] === Half.RESERVED || half[1] === Half.RESERVED) return 'reserved';
  if (half[client] === Half.ENDED) return 'half-closed (client)';
  if (half[client ^ 1] === Half.ENDED) return 'half-closed (server)';
  return 'open';
}

function cloned({ id, half, credit, lastRow }: StepStreamState): StepStreamState {
  return { id, half: [...half], credit: [...credit], lastRow };
}
