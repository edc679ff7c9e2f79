import { Flag, FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import { formatDuration } from '../../../shared/units';
import { CallKind } from '../../capture/calls';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted } from '../words';
import { KEEPALIVE_ADVICE } from './goaway';

/** What gRPC servers allow by default: grpc-go MinTime, grpc-java permitKeepAliveTime, C-core's interval without data. */
const MIN_TIME = 5 * 60 * 1e9;
/** grpc-go maxPingStrikes, grpc-java MAX_PING_STRIKES, C-core grpc.http2.max_ping_strikes. */
const MAX_STRIKES = 2;

interface Pings {
  lastAt: number;
  strikes: number;
  mostStrikes: number;
  shortest: number;
  /** The server sent HEADERS or DATA since the last PING. */
  reset: boolean;
  marks: Marks;
}

/**
 * Counts PINGs as a gRPC server with default settings does: one that comes sooner than 5 minutes after the last is a
 * strike, unless the server sent HEADERS or DATA in between, and the third strike ends the connection. The two hours that
 * grpc-go asks for while no stream is open are left out: this counts fewer strikes than a server may.
 */
export const pingStrikes: Rule = ({ capture }) => {
  const byConnection = new Map<number, Pings>();
  const grpc = new Set<number>();
  const { calls } = capture;
  return {
    types: [FrameType.PING, FrameType.HEADERS, FrameType.DATA],
    frame({ row, conn, client, type, flags, time }) {
      if (type !== FrameType.PING) {
        if (client) return;
        const known = byConnection.get(conn);
        if (known !== undefined) known.reset = true;
        return;
      }
      if (!client || (flags & Flag.ACK) !== 0) return;
      let pings = byConnection.get(conn);
      if (pings === undefined) {
        pings = {
          lastAt: Number.NEGATIVE_INFINITY,
          strikes: 0,
          mostStrikes: 0,
          shortest: Number.POSITIVE_INFINITY,
          reset: false,
          marks: new Marks(),
        };
        byConnection.set(conn, pings);
      }
      const since = time - pings.lastAt;
      pings.lastAt = time;
      if (pings.reset) {
        pings.reset = false;
        pings.strikes = 0;
        return;
      }
      if (since >= MIN_TIME) return;
      pings.strikes++;
      pings.mostStrikes = Math.max(pings.mostStrikes, pings.strikes);
      pings.shortest = Math.min(pings.shortest, since);
      pings.marks.add(row);
    },
    call(call) {
      if (calls.kind.get(call) === CallKind.GRPC) grpc.add(calls.conn.get(call));
    },
    *done(): Iterable<FindingRecord> {
      for (const [conn, { mostStrikes, shortest, marks }] of byConnection) {
        if (mostStrikes <= MAX_STRIKES || !grpc.has(conn)) continue;
        yield {
          id: 'keepalive-too-frequent',
          severity: 'warning',
          conn,
          title: 'The client’s PINGs come more often than gRPC servers allow by default',
          detail: `${counted(marks.count, 'PING')} came sooner than 5 minutes after the one before, with no HEADERS or DATA of the server in between; the shortest interval is ${formatDuration(shortest / 1e9)}. A server with the default policy closes the connection at the third in a row (here: ${mostStrikes}), with GOAWAY too_many_pings. One with a policy of its own may allow it.`,
          advice: KEEPALIVE_ADVICE,
          source:
            'grpc/grpc doc/keepalive.md; grpc/grpc-go internal/transport/defaults.go and http2_server.go; gRPC proposal A8',
          evidence: marks.numbers(capture),
          numbers: { strikes: mostStrikes, pings: marks.count, shortest: shortest / 1e9, allowed: MIN_TIME / 1e9 },
        };
      }
    },
  };
};
