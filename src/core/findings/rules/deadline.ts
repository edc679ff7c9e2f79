import type { FindingRecord } from '../../../shared/records';
import { formatDuration } from '../../../shared/units';
import { CallKind, CallState } from '../../capture/calls';
import type { Capture } from '../../capture/capture';
import { parseTimeout } from '../../grpc/timeout';
import { Known } from '../../hpack/header-store';
import { endedBy, pathOf, timeOf, wireStatus } from '../call-facts';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { NamedCounts } from '../named-counts';
import { counted } from '../words';

const DEADLINE_EXCEEDED = 4;
const CANCEL = 8;
/** A client's timer may fire a little early against the clock of the capture. */
const EARLY = 1e6;

interface Exceeded {
  byServer: number;
  byClient: number;
  shortest: number;
  methods: NamedCounts;
  marks: Marks;
  streams: Set<number>;
}

/**
 * Calls that took longer than their deadline: the server said so, or the client cancelled when its grpc-timeout had
 * passed. That the second was for the deadline is an inference: a caller may give up just then.
 */
export const deadlineExceeded: Rule = ({ capture }) => {
  const byConnection = new Map<number, Exceeded>();
  const { calls, connections } = capture;
  return {
    call(call) {
      if (calls.kind.get(call) !== CallKind.GRPC) return;
      const timeout = timeoutOf(capture, call);
      const byServer = wireStatus(capture, call) === DEADLINE_EXCEEDED;
      const conn = calls.conn.get(call);
      if (!byServer) {
        if (timeout === undefined || calls.state.get(call) !== CallState.RESET) return;
        if (calls.reset.get(call) - 1 !== CANCEL) return;
        if (endedBy(capture, call) !== connections[conn - 1]!.clientSide) return;
        const from = timeOf(capture, calls.startRow.get(call));
        const to = timeOf(capture, calls.endRow.get(call));
        if (from === undefined || to === undefined || to - from < timeout - EARLY) return;
      }
      let own = byConnection.get(conn);
      if (own === undefined) {
        own = {
          byServer: 0,
          byClient: 0,
          shortest: Number.POSITIVE_INFINITY,
          methods: new NamedCounts(),
          marks: new Marks(),
          streams: new Set(),
        };
        byConnection.set(conn, own);
      }
      if (byServer) own.byServer++;
      else own.byClient++;
      if (timeout !== undefined && timeout < own.shortest) own.shortest = timeout;
      own.methods.add(pathOf(capture, call) ?? 'unknown');
      own.marks.add(calls.endRow.get(call));
      if (own.streams.size < 2) own.streams.add(calls.stream.get(call));
    },
    *done(): Iterable<FindingRecord> {
      for (const [conn, { byServer, byClient, shortest, methods, marks, streams }] of byConnection) {
        const said = byServer === 0 ? [] : [`${counted(byServer, 'call')} ended with the status DEADLINE_EXCEEDED`];
        const cancelled =
          byClient === 0
            ? []
            : [`${counted(byClient, 'call')} cancelled by the client when the grpc-timeout had passed`];
        yield {
          id: 'deadline-exceeded',
          severity: 'warning',
          conn,
          ...(streams.size === 1 && { stream: [...streams][0]! }),
          title: `${counted(marks.count, 'call')} took longer than the deadline`,
          detail: `${[...said, ...cancelled].join('; ')}. Methods: ${methods.words()}.${shortest === Number.POSITIVE_INFINITY ? '' : ` The shortest timeout is ${formatDuration(shortest / 1e9)}.`}`,
          advice:
            'Look where the time went: waiting for the server (no answer on the wire), a stall (no credit), or the queue before the call was sent. Then make that faster, or set a deadline that fits: grpc-go context.WithTimeout, grpc-java withDeadlineAfter, C-core and grpc-js the call’s deadline; or the timeout of the method in the service config.',
          source: 'grpc/grpc doc/PROTOCOL-HTTP2.md, Timeout; grpc.io guides, Deadlines',
          evidence: marks.numbers(capture),
          numbers: {
            calls: marks.count,
            byServer,
            byClient,
            ...(shortest !== Number.POSITIVE_INFINITY && { shortestTimeout: shortest / 1e9 }),
          },
        };
      }
    },
  };
};

/** Nanoseconds. */
function timeoutOf({ calls, headers }: Capture, call: number): number | undefined {
  const request = calls.request.get(call);
  const field = request === 0 ? -1 : headers.find(request - 1, Known.GRPC_TIMEOUT);
  if (field === -1) return undefined;
  const timeout = parseTimeout(headers.value(field) ?? '');
  return timeout === undefined ? undefined : timeout.seconds * 1e9;
}
