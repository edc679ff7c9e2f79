import type { FindingRecord } from '../../../shared/records';
import type { Connection } from '../../capture/connection';
import { NO_ROW } from '../../capture/frames';
import type { Side } from '../../tcp/types';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted } from '../words';

/** Fewer may be a pool that was just made, or a client that was started a few times. */
const MIN_CONNECTIONS = 5;
/** So many of a client's connections have one call, at least. */
const SHARE = 0.8;

/** A client that opens a connection for each call. Connections of one client host to one server count together. */
export const connectionPerCall: Rule = ({ capture }) => ({
  *done(): Iterable<FindingRecord> {
    const groups = new Map<string, Connection[]>();
    for (const connection of capture.connections) {
      if (connection.protocol !== 'h2' || connection.calls.length === 0 || connection.joined === 'middle') continue;
      const client = connection.tcp.endpoints[connection.clientSide];
      const server = connection.tcp.endpoints[(connection.clientSide ^ 1) as Side];
      const key = `${client.address} ${server.address} ${server.port}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [connection]);
      else group.push(connection);
    }
    for (const connections of groups.values()) {
      // A connection that is still open may carry more.
      const single = connections.filter(({ calls, closed }) => calls.length === 1 && closed !== undefined);
      if (single.length < MIN_CONNECTIONS || single.length < SHARE * connections.length) continue;
      const marks = new Marks();
      let time = 0;
      for (const { calls, tcp, end } of single) {
        marks.add(capture.calls.startRow.get(calls.get(0)) ?? NO_ROW);
        time += end - tcp.start;
      }
      const { address } = single[0]!.tcp.endpoints[single[0]!.clientSide];
      yield {
        id: 'connection-per-call',
        severity: 'warning',
        conn: single[0]!.id,
        title: `${counted(single.length, 'connection')} of ${address} carried one call each`,
        detail: `Each call paid for a TCP handshake, the exchange of SETTINGS and empty header tables, and began with the initial windows. The client’s connections to this server: ${connections.length}.`,
        advice:
          'Keep one channel and use it for all calls: grpc-go grpc.NewClient, grpc-java ManagedChannel, grpc-js and C-core one channel object for the life of the process. In a proxy in between, let upstream connections live on: nginx keepalive in the upstream block, Envoy without max_requests_per_connection.',
        source: 'grpc.io guides, Performance Best Practices; RFC 9113 §9.1',
        evidence: marks.numbers(capture),
        numbers: {
          connections: connections.length,
          withOneCall: single.length,
          meanConnectionTime: time / single.length / 1e9,
        },
      };
    }
  },
});
