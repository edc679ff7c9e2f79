import { STALL_CAUSES } from '../../../core/flow/stall-table';
import type { CallRecord } from '../../../shared/records';
import type { Session } from '../session';

/** A call with how long it stood still for want of credit; as it was, where it never did. */
export function withStalled({ capture, analysis }: Session, call: CallRecord): CallRecord {
  const by = analysis.stalledByStream(call.conn).get(call.stream);
  if (by === undefined) return call;
  const seconds = (by[0] + by[1] + by[2]) / 1e9;
  const whole = (call.end ?? capture.lastTime / 1e9) - call.start;
  const share = whole > 0 ? Math.min(1, seconds / whole) : 0;
  return { ...call, stalled: { seconds, share, cause: STALL_CAUSES[by.indexOf(Math.max(...by))]! } };
}
