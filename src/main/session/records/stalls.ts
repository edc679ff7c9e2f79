import type { Capture } from '../../../core/capture/capture';
import { NO_ROW } from '../../../core/capture/frames';
import type { FlowAnalysis } from '../../../core/flow/flow-analysis';
import { STALL_CAUSES, STALL_EVIDENCE, StallCause, type StallTable } from '../../../core/flow/stall-table';
import type { StallRecord } from '../../../shared/records';
import { callEnd, callStart } from './calls';

/** The stalls of all connections, by their beginnings, then by connection and stream; each is made when asked for. */
export function* stallRecords(capture: Capture, analysis: FlowAnalysis): Iterable<StallRecord> {
  const found: { conn: number; stalls: StallTable; i: number }[] = [];
  for (const { id } of capture.connections) {
    const stalls = analysis.stalls(id);
    for (let i = 0; i < stalls.count; i++) found.push({ conn: id, stalls, i });
  }
  found.sort(
    (a, b) =>
      a.stalls.from.get(a.i) - b.stalls.from.get(b.i) ||
      a.conn - b.conn ||
      a.stalls.stream.get(a.i) - b.stalls.stream.get(b.i),
  );
  for (const { conn, stalls, i } of found) yield stallRecord(capture, conn, stalls, i);
}

export function stallRecord(capture: Capture, conn: number, stalls: StallTable, i: number): StallRecord {
  const from = stalls.from.get(i);
  const to = stalls.to.get(i);
  const stream = stalls.stream.get(i);
  const cause = stalls.cause.get(i) as StallCause;
  const row = stalls.releasedBy.get(i);
  return {
    conn,
    dir: stalls.side.get(i) === capture.connections[conn - 1]!.clientSide ? 'toServer' : 'toClient',
    stream,
    from: from / 1e9,
    to: to / 1e9,
    cause: STALL_CAUSES[cause]!,
    ...(cause !== StallCause.STREAM && { heldBy: [...stalls.heldBy[i]!] }),
    releasedBy: row === NO_ROW ? null : capture.numberOf(row),
    share: shareOfCall(capture, conn, stream, to - from),
    evidence: STALL_EVIDENCE[stalls.evidence.get(i)]!,
  };
}

function shareOfCall(capture: Capture, conn: number, stream: number, time: number): number | null {
  const call = capture.callAt(conn, stream);
  if (call === -1) return null;
  const end = callEnd(capture, call);
  if (end === undefined) return null;
  const whole = end - callStart(capture, call);
  return whole > 0 ? Math.min(1, time / whole) : null;
}
