import { grpcStatusName } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import { CallKind, CallState } from '../../capture/calls';
import { statusFromHttp } from '../../grpc/status';
import { hasWireStatus, httpStatus } from '../call-facts';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted } from '../words';

/** HTTP statuses told apart of a connection. */
const MAX_STATUSES = 16;

/** gRPC calls whose answer ended without grpc-status, and what clients take that for. By HTTP status. */
export const missingStatus: Rule = ({ capture }) => {
  const byConnection = new Map<number, Map<number, Marks>>();
  const { calls } = capture;
  return {
    call(call) {
      if (calls.kind.get(call) !== CallKind.GRPC || calls.state.get(call) !== CallState.CLOSED) return;
      if (hasWireStatus(capture, call)) return;
      // What was not seen cannot be missed.
      if (calls.request.get(call) === 0 || calls.response.get(call) === 0) return;
      const status = httpStatus(capture, call) ?? 200;
      const conn = calls.conn.get(call);
      let statuses = byConnection.get(conn);
      if (statuses === undefined) {
        statuses = new Map();
        byConnection.set(conn, statuses);
      }
      let marks = statuses.get(status);
      if (marks === undefined) {
        if (statuses.size >= MAX_STATUSES) return;
        marks = new Marks();
        statuses.set(status, marks);
      }
      marks.add(calls.endRow.get(call));
    },
    *done(): Iterable<FindingRecord> {
      for (const [conn, statuses] of byConnection) {
        for (const [http, marks] of statuses) {
          const inferred = statusFromHttp(http);
          const taken = inferred === undefined ? 'unknown' : grpcStatusName(inferred.status);
          yield {
            id: 'missing-grpc-status',
            severity: 'error',
            conn,
            title: `${counted(marks.count, 'gRPC call')} ended without grpc-status (HTTP ${http})`,
            detail: `A client has to make one up: with HTTP ${http} it takes the call for ${taken}. Whether the call was done is not on the wire.`,
            advice:
              http === 200
                ? 'Something drops the trailers: a proxy that speaks HTTP/1.1 to the server or does not forward trailers, or a server that ends the answer by itself. With nginx use grpc_pass, not proxy_pass; with a handler of Go’s net/http see that it writes its trailers.'
                : 'The answer is that of a proxy or a web server, not of a gRPC server: look at the route, the health of its upstream and its authorisation. Envoy and nginx (grpc_pass) can be made to answer with a grpc-status.',
            source: 'grpc/grpc doc/http-grpc-status-mapping.md; grpc/grpc doc/PROTOCOL-HTTP2.md, Responses',
            evidence: marks.numbers(capture),
            numbers: {
              calls: marks.count,
              httpStatus: http,
              ...(inferred !== undefined && { status: inferred.status }),
            },
          };
        }
      }
    },
  };
};
