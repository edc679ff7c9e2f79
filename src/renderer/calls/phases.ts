import type { CallRecord } from '../../shared/records';

/** A stretch of a call's bar, in shares (0 to 1) of the axis. */
export interface Phase {
  kind: 'sending' | 'waiting' | 'receiving';
  from: number;
  to: number;
}

export interface Axis {
  /** Seconds. */
  from: number;
  to: number;
}

/** The times that a list of calls spans; one that goes on lasts until `now`. */
export function axisOf(calls: readonly CallRecord[], now: number): Axis {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    from = Math.min(from, call.start);
    to = Math.max(to, call.end ?? now);
  }
  if (from > to) return { from: 0, to: 1 };
  return { from, to: to === from ? from + 1e-6 : to };
}

/**
 * What a call's client did when: sending its request, waiting for the response to begin, receiving it. A response that
 * begins before the request has ended (streams both ways) counts as receiving from there on.
 */
export function phasesOf(call: CallRecord, axis: Axis, now: number): Phase[] {
  const end = call.end ?? now;
  const responseStart = call.responseStart ?? end;
  const requestEnd = Math.min(call.requestEnd ?? responseStart, responseStart, end);
  const at = (time: number) => Math.max(0, Math.min(1, (time - axis.from) / (axis.to - axis.from)));
  const phases: Phase[] = [
    { kind: 'sending', from: at(call.start), to: at(requestEnd) },
    { kind: 'waiting', from: at(requestEnd), to: at(Math.min(responseStart, end)) },
    { kind: 'receiving', from: at(Math.min(responseStart, end)), to: at(end) },
  ];
  return phases.filter(({ from, to }) => to > from);
}

/** Whether a call went wrong: another gRPC status than OK, an HTTP status from 400 on, or a reset. */
export function isFailed(call: CallRecord): boolean {
  if (call.status !== null) return call.status !== 0;
  return call.state === 'reset' || (call.httpStatus !== null && call.httpStatus >= 400);
}

/** What came of a call, in a word or two. */
export function outcomeOf(call: CallRecord): string {
  if (call.unprocessed) return 'not processed';
  if (call.statusName !== null) return call.statusName;
  if (call.state === 'reset') return call.resetCode ?? 'reset';
  if (call.httpStatus !== null) return String(call.httpStatus);
  return call.state === 'open' ? 'open' : '';
}
