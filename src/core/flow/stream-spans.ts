import { FrameType } from '../../shared/names';
import { CallState } from '../capture/calls';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { NO_ROW, RowBit } from '../capture/frames';

/**
 * When the streams that a client opened were open, in the client's books: from its HEADERS until it has sent its end
 * and has had the server's, or a reset. Streams that the server pushed are not among them: another limit binds those
 * (RFC 9113 §5.1.2).
 */
export interface StreamSpans {
  count: number;
  /** Nanoseconds, ascending, and the row that opened each stream. */
  openTime: Float64Array;
  openRow: Uint32Array;
  /** Of the same streams: NaN and NO_ROW while open. */
  closeTime: Float64Array;
  closeRow: Uint32Array;
  /** Reset with REFUSED_STREAM: the server says that it had too many, or would not take it. */
  refused: number;
}

const REFUSED_STREAM = 7;

export function streamSpans(capture: Capture, connection: Connection): StreamSpans {
  const { calls } = capture;
  const found: number[] = [];
  for (let i = 0; i < connection.calls.length; i++) {
    const call = connection.calls.get(i);
    if ((calls.stream.get(call) & 1) === 1 && calls.startRow.get(call) !== NO_ROW) found.push(call);
  }
  const clock = new ClientClock(capture, connection);
  // Nearly always in order already: only segments that came late change it.
  found.sort((a, b) => clock.at(calls.startRow.get(a)) - clock.at(calls.startRow.get(b)));
  const spans: StreamSpans = {
    count: found.length,
    openTime: new Float64Array(found.length),
    openRow: new Uint32Array(found.length),
    closeTime: new Float64Array(found.length).fill(Number.NaN),
    closeRow: new Uint32Array(found.length).fill(NO_ROW),
    refused: 0,
  };
  for (const [i, call] of found.entries()) {
    const start = calls.startRow.get(call);
    spans.openTime[i] = clock.at(start);
    spans.openRow[i] = start;
    if (calls.reset.get(call) === REFUSED_STREAM + 1) spans.refused++;
    const row = closingRow(capture, call, clock);
    if (row === NO_ROW) continue;
    spans.closeRow[i] = row;
    // Segments out of order may tell the end first.
    spans.closeTime[i] = Math.max(clock.at(row), spans.openTime[i]!);
  }
  return spans;
}

/** The row that closed a call's stream for the client, NO_ROW while it is open or what closes it is on its way. */
function closingRow({ calls, frames }: Capture, call: number, clock: ClientClock): number {
  const end = calls.endRow.get(call);
  if (end === NO_ROW) return NO_ROW;
  if (calls.state.get(call) === CallState.RESET) return end;
  const requestEnd = calls.requestEndRow.get(call);
  if (requestEnd !== NO_ROW) return clock.at(requestEnd) > clock.at(end) ? requestEnd : end;
  if (calls.reset.get(call) === 0) return NO_ROW;
  // Answered in full, then reset: the client need not send the rest (RFC 9113 §8.1).
  let reset = NO_ROW;
  const stream = calls.stream.get(call);
  for (let row = calls.lastRow.get(call); row !== NO_ROW; row = frames.previousInStream.get(row)) {
    if (frames.stream.get(row) !== stream) break;
    if (frames.type.get(row) === FrameType.RST_STREAM) reset = row;
  }
  return reset;
}

/** When a row counts for the client: what it sent at its arrival, what it received at its delivery where that is known. */
export class ClientClock {
  constructor(
    private readonly capture: Capture,
    private readonly connection: Connection,
  ) {}

  /** Nanoseconds; NaN for what is on its way, and for NO_ROW. */
  at(row: number): number {
    if (row === NO_ROW) return Number.NaN;
    const { frames, chunks, hasDeliveries } = this.capture;
    const chunk = frames.lastChunk.get(row);
    const sent = (frames.bits.get(row) & RowBit.SIDE) === this.connection.clientSide;
    return sent || !hasDeliveries ? chunks.time.get(chunk) : chunks.delivered.get(chunk);
  }
}
