import { Flag, FrameType } from '../../shared/names';
import type { Capture } from '../capture/capture';
import { RowBit } from '../capture/frames';
import { F64Column, U32Column } from '../columns';
import type { Side } from '../tcp/types';

/** Frames on either side of a PING that are looked at for a WINDOW_UPDATE or SETTINGS in its chunk. */
const CHUNK_FRAMES = 64;
/** DATA frames of a round that are looked at for their streams. */
const MAX_DATA = 4096;
/** RFC 9113 §6.5.2. */
const INITIAL_WINDOW = 65_535;

/** A PING and its answer (RFC 9113 §6.7), and what came between: one measurement of a bandwidth-delay estimator. */
export interface Round {
  /** Which side sent the PING. */
  side: Side;
  pingRow: number;
  /** -1 while there is none. */
  ackRow: number;
  /** Arrival of the PING at the capture point, nanoseconds. */
  time: number;
  /** Nanoseconds, as the PING's sender saw it where deliveries are known; else beyond the capture point. NaN while unknown. */
  roundTrip: number;
  /**
   * Flow-controlled octets that reached the PING's sender from the DATA that made it send until the answer: what an
   * estimator counts (grpc-go internal/transport/bdp_estimator.go `add`, `calculate`). That DATA is the first after the
   * answer before; where it came longer than a round trip before the PING, as with a keepalive, the last before the PING.
   */
  octets: number;
  /** Streams whose DATA that was; NaN when it was too many frames to look. */
  streams: number;
  /** Frames of the PING's sender that stand in its chunk. */
  sameChunk: 'WINDOW_UPDATE' | 'SETTINGS' | undefined;
  /** SETTINGS_INITIAL_WINDOW_SIZE as the PING's sender last said it before the PING, and before its next PING. */
  windowBefore: number;
  windowAfter: number;
  /** The row of the SETTINGS that made it grow or shrink, or -1. */
  growthRow: number;
  /** What the WINDOW_UPDATE of stream 0 beside those SETTINGS, in their chunk, added; 0 without one. */
  connectionGrowth: number;
  /** Of a client's PING: how many it has sent since the server's last HEADERS or DATA, this one included; 0 of others. */
  sinceAnswer: number;
}

/** DATA of one side, in the order in which it was sent. */
class DataSent {
  readonly row = new U32Column();
  /** When it was with its receiver, or at the capture point; ascending, as a stream of octets is. */
  readonly time = new F64Column();
  /** Octets sent until then, its own included. */
  readonly sum = new F64Column();

  add(row: number, time: number, octets: number): void {
    const last = this.sum.length - 1;
    this.row.push(row);
    this.time.push(Number.isNaN(time) ? Number.POSITIVE_INFINITY : time);
    this.sum.push((last < 0 ? 0 : this.sum.get(last)) + octets);
  }

  /** How many satisfy `column <= value`. */
  count(column: { get(i: number): number; length: number }, value: number): number {
    let low = 0;
    let high = column.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (column.get(middle) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What is known of one connection while its rows pass. */
class Following {
  readonly rounds: Round[] = [];
  readonly sent: readonly [DataSent, DataSent] = [new DataSent(), new DataSent()];
  readonly windows: [number, number];
  /** The newest round of each side: what its sender says from then on belongs to it. */
  private readonly newest: [Round | undefined, Round | undefined] = [undefined, undefined];
  private since = 0;

  constructor(
    private readonly capture: Capture,
    private readonly clientSide: Side,
    partial: boolean,
  ) {
    const initial = partial ? Number.NaN : INITIAL_WINDOW;
    this.windows = [initial, initial];
  }

  add(row: number, side: Side, reachedAt: number): void {
    const { frames } = this.capture;
    const ack = (frames.flags.get(row) & Flag.ACK) !== 0;
    switch (frames.type.get(row)) {
      case FrameType.DATA:
        this.sent[side].add(row, reachedAt, frames.length.get(row));
        if (side !== this.clientSide) this.since = 0;
        break;
      case FrameType.HEADERS:
        if (side !== this.clientSide) this.since = 0;
        break;
      case FrameType.SETTINGS: {
        const window = frames.initialWindows.get(row);
        if (!ack && window !== undefined) this.said(row, side, window);
        break;
      }
      case FrameType.PING:
        if (!ack) this.ping(row, side);
        break;
      default:
        break;
    }
  }

  private said(row: number, side: Side, window: number): void {
    const round = this.newest[side];
    if (round !== undefined && window !== round.windowAfter) {
      round.windowAfter = window;
      round.growthRow = row;
      round.connectionGrowth = connectionGrowth(this.capture, row);
    }
    this.windows[side] = window;
  }

  private ping(row: number, side: Side): void {
    const client = side === this.clientSide;
    if (client) this.since++;
    const round = begin(this.capture, row, side, this.windows[side], client ? this.since : 0);
    this.newest[side] = round;
    this.rounds.push(round);
  }
}

/**
 * The rounds of all connections, or of one, in the order of their PINGs; by the connection's number. Rows are gone
 * through once, however many connections there are.
 */
export function roundsOf(capture: Capture, conn?: number): ReadonlyMap<number, readonly Round[]> {
  const { frames, chunks, hasDeliveries, connections } = capture;
  const reached = (row: number) => {
    const chunk = frames.lastChunk.get(row);
    return hasDeliveries ? chunks.delivered.get(chunk) : chunks.time.get(chunk);
  };
  const followed = new Map<number, Following>();
  for (let row = 0; row < frames.count; row++) {
    const of = frames.conn.get(row);
    if (conn !== undefined && of !== conn) continue;
    const bits = frames.bits.get(row);
    if ((bits & RowBit.NON_FRAME) !== 0) continue;
    let following = followed.get(of);
    if (following === undefined) {
      const { clientSide, joined } = connections[of - 1]!;
      following = new Following(capture, clientSide, joined === 'middle');
      followed.set(of, following);
    }
    following.add(row, (bits & RowBit.SIDE) as Side, reached(row));
  }
  const found = new Map<number, readonly Round[]>();
  for (const [of, { rounds, sent }] of followed) {
    const answered: [number, number] = [-1, -1];
    for (const round of rounds) {
      measure(capture, round, sent[round.side ^ 1]!, reached, answered[round.side]);
      answered[round.side] = Math.max(answered[round.side], round.ackRow);
    }
    found.set(of, rounds);
  }
  return found;
}

function begin(capture: Capture, row: number, side: Side, window: number, sinceAnswer: number): Round {
  const { frames, chunks } = capture;
  return {
    side,
    pingRow: row,
    ackRow: frames.aux.get(row) - 1,
    time: chunks.time.get(frames.lastChunk.get(row)),
    roundTrip: Number.NaN,
    octets: 0,
    streams: 0,
    sameChunk: companion(capture, row),
    windowBefore: window,
    windowAfter: window,
    growthRow: -1,
    connectionGrowth: 0,
    sinceAnswer,
  };
}

/** What of its estimator's frames stands in the chunk of a PING: grpc-go writes them at once. */
function companion(capture: Capture, ping: number): Round['sameChunk'] {
  for (const row of chunkmates(capture, ping)) {
    const type = capture.frames.type.get(row);
    if (type === FrameType.WINDOW_UPDATE) return 'WINDOW_UPDATE';
    if (type === FrameType.SETTINGS && (capture.frames.flags.get(row) & Flag.ACK) === 0) return 'SETTINGS';
  }
  return undefined;
}

function connectionGrowth(capture: Capture, settings: number): number {
  const { frames } = capture;
  for (const row of chunkmates(capture, settings)) {
    if (frames.type.get(row) === FrameType.WINDOW_UPDATE && frames.stream.get(row) === 0) return frames.aux.get(row);
  }
  return 0;
}

/** Frames that end in the chunk in which `row` ends, the nearest of those before it first. */
function* chunkmates({ frames }: Capture, row: number): Iterable<number> {
  const chunk = frames.lastChunk.get(row);
  const own = (other: number) => frames.lastChunk.get(other) === chunk;
  for (let i = row - 1; i >= 0 && i >= row - CHUNK_FRAMES && own(i); i--) if (!frames.isNonFrame(i)) yield i;
  for (let i = row + 1; i < frames.count && i <= row + CHUNK_FRAMES && own(i); i++) if (!frames.isNonFrame(i)) yield i;
}

/** What came in until the answer did. @param answered row of the newest answer to its sender before, or -1 */
function measure(
  capture: Capture,
  round: Round,
  sent: DataSent,
  reached: (row: number) => number,
  answered: number,
): void {
  const { frames } = capture;
  const { ackRow } = round;
  if (ackRow < 0) return;
  round.roundTrip = reached(ackRow) - round.time;
  // The answer and the DATA come on one stream of octets: what stands before it was there before it.
  const end = sent.count(sent.row, ackRow);
  if (end === 0) return;
  const first = sent.count(sent.row, answered);
  const last = Math.max(0, sent.count(sent.time, round.time) - 1);
  const prompt = first <= last && round.time - sent.time.get(first) <= round.roundTrip;
  const start = prompt ? first : last;
  if (end <= start) return;
  round.octets = sent.sum.get(end - 1) - (start === 0 ? 0 : sent.sum.get(start - 1));
  if (end - start > MAX_DATA) {
    round.streams = Number.NaN;
    return;
  }
  const streams = new Set<number>();
  for (let i = start; i < end; i++) streams.add(frames.stream.get(sent.row.get(i)));
  round.streams = streams.size;
}
