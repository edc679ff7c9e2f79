import type { FindingRecord } from '../../../shared/records';
import { CallKind, CallState } from '../../capture/calls';
import { Known } from '../../hpack/header-store';
import { timeOf, wireStatus } from '../call-facts';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, quoted } from '../words';

/** Calls of one method after each other; fewer are not worth another interface. */
const MIN_CALLS = 100;
/** Octets of a request's, or an answer's, messages: larger ones dwarf what the call costs. */
const SMALL = 1024;

interface Run {
  /** Number of the field `:path`. */
  path: number;
  count: number;
  firstStart: number;
  lastEnd: number;
  marks: Marks;
}

/** Small unary calls of one method, each begun when the last had ended: messages of one stream, perhaps. */
export const oneMessageStreams: Rule = ({ capture }) => {
  const { calls, headers } = capture;
  const current = new Map<number, Run>();
  const longest = new Map<number, Run>();
  return {
    call(call) {
      const conn = calls.conn.get(call);
      const run = current.get(conn);
      const path = smallUnary(call);
      const start = timeOf(capture, calls.startRow.get(call));
      const end = timeOf(capture, calls.endRow.get(call));
      if (path === -1 || start === undefined || end === undefined) {
        current.delete(conn);
        return;
      }
      const own =
        run !== undefined && run.path === path && start >= run.lastEnd
          ? run
          : { path, count: 0, firstStart: start, lastEnd: end, marks: new Marks() };
      own.count++;
      own.lastEnd = end;
      own.marks.add(calls.startRow.get(call));
      current.set(conn, own);
      if (own.count >= MIN_CALLS && own.count > (longest.get(conn)?.count ?? 0)) longest.set(conn, own);
    },
    *done(): Iterable<FindingRecord> {
      for (const [conn, { path, count, firstStart, lastEnd, marks }] of longest) {
        const method = headers.value(path) ?? 'unknown';
        const time = (lastEnd - firstStart) / 1e9;
        yield {
          id: 'one-message-streams',
          severity: 'info',
          conn,
          title: `${counted(count, 'small call')} of one method, one after the other`,
          detail: `${quoted(method)}: each call is one request and one answer of at most ${SMALL} octets, and begins when the last has ended. Each pays for a stream of its own: HEADERS both ways, trailers, and a round trip. Whether the method’s meaning allows one stream is for its owner to say.`,
          advice:
            'Where the calls belong together, a bidirectional streaming method sends them as messages of one stream; where they do not wait for each other’s answers, send them at once and let the connection carry them side by side.',
          source: 'grpc.io guides, Performance Best Practices; grpc/grpc doc/PROTOCOL-HTTP2.md',
          evidence: marks.numbers(capture),
          numbers: { calls: count, time, callsPerSecond: time > 0 ? count / time : 0, frames: count },
        };
      }
    },
  };

  /** The number of the field `:path`, or -1. */
  function smallUnary(call: number): number {
    if (calls.kind.get(call) !== CallKind.GRPC || calls.state.get(call) !== CallState.CLOSED) return -1;
    if (calls.requestMessages.get(call) !== 1 || calls.responseMessages.get(call) !== 1) return -1;
    if (calls.requestBytes.get(call) > SMALL || calls.responseBytes.get(call) > SMALL) return -1;
    const request = calls.request.get(call);
    return request === 0 || wireStatus(capture, call) !== 0 ? -1 : headers.find(request - 1, Known.PATH);
  }
};
