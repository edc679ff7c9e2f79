import type { Capture } from '../../core/capture/capture';
import { NO_ROW } from '../../core/capture/frames';
import type { FlowIndex } from '../../core/flow/flow-index';
import type { Side } from '../../core/tcp/types';
import {
  MAX_OCTETS,
  MAX_RECORDS,
  MAX_WINDOWS,
  type OctetSlice,
  type Page,
  type Range,
  type WindowsQuery,
} from '../../shared/contract';
import type { WindowsAnswer } from '../../shared/series';
import type { Session } from './session';
import { windowSeries } from './window-series';

/** The part of `[0, total)` that a range names, `limit` long at most; nothing for what makes no sense. */
function clamp({ from, count }: Range, total: number, limit: number): Range {
  const start = Math.min(total, Math.max(0, Math.floor(from) || 0));
  const wanted = Math.min(limit, Math.max(0, Math.floor(count) || 0));
  return { from: start, count: Math.min(wanted, total - start) };
}

/** MAX_RECORDS members at most, made one by one. */
export function page<T>(range: Range, total: number, make: (position: number) => T): Page<T> {
  const { from, count } = clamp(range, total, MAX_RECORDS);
  return { total, from, items: Array.from({ length: count }, (_, i) => make(from + i)) };
}

/** MAX_OCTETS octets at most of a row or of a chunk. */
export function octetSlice(session: Session, of: { row: number } | { chunk: number }, range: Range): OctetSlice {
  const { capture, payloads } = session;
  const whole = 'row' in of ? payloads.placeOf(of.row) : payloads.placeOfChunk(of.chunk);
  if (whole === undefined) throw new Error('chunk' in of ? `there is no chunk ${of.chunk}` : 'there is no such row');
  const { from, count } = clamp(range, whole.length, MAX_OCTETS);
  const connection = capture.connections[whole.conn - 1]!;
  const octets = payloads.octets(connection, whole.side, whole.offset + from, count);
  return { total: whole.length, from, octets };
}

/** When one side of a stream was over, nanoseconds; undefined while it is not. */
function streamEnd(
  capture: Capture,
  conn: number,
  stream: number,
  ofClient: boolean,
  atDelivery: boolean,
): number | undefined {
  const { calls, frames, chunks } = capture;
  const call = stream === 0 ? -1 : capture.callAt(conn, stream);
  if (call === -1) return undefined;
  const ended = ofClient ? calls.requestEndRow.get(call) : calls.endRow.get(call);
  const row = ended === NO_ROW ? calls.endRow.get(call) : ended;
  if (row === NO_ROW) return undefined;
  const chunk = frames.lastChunk.get(row);
  const delivered = chunks.delivered.get(chunk);
  return atDelivery && !Number.isNaN(delivered) ? delivered : chunks.time.get(chunk);
}

export function windowsOf(capture: Capture, flow: FlowIndex, query: WindowsQuery): WindowsAnswer {
  const connection = capture.connections[query.conn - 1];
  if (connection === undefined) throw new Error(`there is no connection ${query.conn}`);
  const tracker = flow.connection(query.conn);
  const client = connection.clientSide;
  const side = query.dir === 'toServer' ? client : ((client ^ 1) as Side);
  const since = connection.tcp.start;
  const numberOf = (row: number) => capture.numberOf(row);
  return {
    relative: tracker.relative,
    deliveries: capture.hasDeliveries,
    series: query.streams.slice(0, MAX_WINDOWS).map((stream) => {
      const { from, to, buckets } = query;
      const series = windowSeries(tracker.samples, side, stream, from * 1e9, to * 1e9, buckets, numberOf, since);
      const end = streamEnd(capture, query.conn, stream, side === client, query.view === 'receiver');
      return end === undefined ? series : { ...series, end: end / 1e9 };
    }),
  };
}
