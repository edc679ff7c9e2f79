import type { FindingRecord } from '../../../shared/records';
import { NO_ROW } from '../../capture/frames';
import type { FindingSources, Rule } from '../given';
import { Marks } from '../marks';
import { counted } from '../words';

const REFUSED_STREAM = 7;

const RETRY =
  'They can be sent again without harm, whatever they do. grpc-go and grpc-java retry such calls once by themselves (transparent retry); others need a retry policy in the service config.';

/** Calls that the server says it never looked at. */
function unprocessed(
  { capture }: FindingSources,
  refused: boolean,
  record: (count: number) => Omit<FindingRecord, 'conn' | 'evidence' | 'numbers'>,
) {
  const byConnection = new Map<number, Marks>();
  const { calls } = capture;
  return {
    call(call: number) {
      if (calls.unprocessed.get(call) !== 1) return;
      if ((calls.reset.get(call) - 1 === REFUSED_STREAM) !== refused) return;
      const conn = calls.conn.get(call);
      let marks = byConnection.get(conn);
      if (marks === undefined) {
        marks = new Marks();
        byConnection.set(conn, marks);
      }
      const end = calls.endRow.get(call);
      marks.add(refused && end !== NO_ROW ? end : calls.startRow.get(call));
    },
    *done(): Iterable<FindingRecord> {
      for (const [conn, marks] of byConnection) {
        yield {
          ...record(marks.count),
          conn,
          evidence: marks.numbers(capture),
          numbers: { calls: marks.count },
        };
      }
    },
  };
}

/** REFUSED_STREAM: mostly, more streams than SETTINGS_MAX_CONCURRENT_STREAMS allows. */
export const refusedStreams: Rule = (given) =>
  unprocessed(given, true, (count) => ({
    id: 'refused-streams',
    severity: 'warning',
    title: `${counted(count, 'call')} refused with REFUSED_STREAM`,
    detail: `A server refuses a stream that comes beyond its limit of open streams, or that it has no room for. It did nothing for these calls. ${RETRY}`,
    advice:
      'Let the client wait for the server’s SETTINGS and keep to SETTINGS_MAX_CONCURRENT_STREAMS, or spread calls over more connections. The server’s limit: grpc-go MaxConcurrentStreams, grpc-java maxConcurrentCallsPerConnection, C-core and grpc-js grpc.max_concurrent_streams, nginx http2_max_concurrent_streams (128), Envoy max_concurrent_streams.',
    source: 'RFC 9113 §5.1.2, §8.7; grpc/grpc-go server.go; nginx ngx_http_v2_module',
  }));

/** GOAWAY: streams above its last stream identifier. */
export const unprocessedCalls: Rule = (given) =>
  unprocessed(given, false, (count) => ({
    id: 'unprocessed-calls',
    severity: 'warning',
    title: `${counted(count, 'call')} left unprocessed by a GOAWAY`,
    detail: `Their streams are above the last one that the GOAWAY names, so the server did nothing for them. ${RETRY}`,
    advice:
      'A server that shuts down gracefully first sends GOAWAY with the last stream 2^31-1 and waits a round trip, so that calls on their way are still taken. Where connections are ended for their age, allow a grace: grpc-go MaxConnectionAgeGrace, grpc-java maxConnectionAgeGrace, C-core and grpc-js grpc.max_connection_age_grace_ms, Envoy drain_timeout.',
    source: 'RFC 9113 §6.8, §8.7; grpc/grpc-go keepalive/keepalive.go',
  }));
