import { Flag, FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import { CallState } from '../../capture/calls';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { peerOf } from '../words';

/** Payloads of estimators: see core/grpc/pings. */
const BDP_PAYLOADS: readonly { payload: string; words: string }[] = [
  { payload: '02041010090e0707', words: 'grpc-go' },
  { payload: '00000000000004d2', words: 'grpc-java' },
];
/** Calls, and PINGs of a side, so that a ratio means something. */
const MIN_COUNT = 20;
/** PINGs a call. */
const PINGS_PER_CALL = 0.5;
/** Octets of a call's messages, both ways, on the average: with more than that a window is worth measuring. */
const SMALL = 4096;

/** An estimator of the bandwidth-delay product at work on calls that no window will ever hold up. */
export const bdpChatter: Rule = ({ capture }) => {
  const pings = new BySide(() => new Marks());
  const byConnection = new Map<number, { calls: number; octets: number }>();
  const { calls, connections } = capture;
  return {
    types: [FrameType.PING],
    frame({ row, conn, side, flags }) {
      if ((flags & Flag.ACK) === 0) pings.get(conn, side).add(row);
    },
    call(call) {
      if (calls.state.get(call) !== CallState.CLOSED) return;
      const conn = calls.conn.get(call);
      let own = byConnection.get(conn);
      if (own === undefined) {
        own = { calls: 0, octets: 0 };
        byConnection.set(conn, own);
      }
      own.calls++;
      own.octets += calls.requestBytes.get(call) + calls.responseBytes.get(call);
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value: marks } of pings.entries()) {
        const own = byConnection.get(conn);
        if (own === undefined || own.calls < MIN_COUNT || marks.count < MIN_COUNT) continue;
        if (marks.count / own.calls < PINGS_PER_CALL || own.octets / own.calls >= SMALL) continue;
        const known = estimatorOf(connections[conn - 1]!.pings[side]);
        if (known === undefined) continue;
        const peer = peerOf(capture, conn, side);
        const perCall = marks.count / own.calls;
        yield {
          id: 'bdp-chatter',
          severity: 'info',
          conn,
          title: `The ${peer} measures its windows with ${perCall.toFixed(2)} PINGs a call, though the calls are small`,
          detail: `${known}’s estimator sends a PING as data arrives and none is on its way, and the peer answers it: two frames and often two writes, for calls of ${Math.round(own.octets / own.calls)} octets on the average. Such calls fit in any window. Calls that share a round trip share its PING: many callers of one connection cost less than one.`,
          advice:
            'Windows of a fixed size switch the estimator off: grpc-go StaticStreamWindowSize and StaticConnWindowSize at a server, WithStaticStreamWindowSize and WithStaticConnWindowSize at a client; grpc-java flowControlWindow in place of initialFlowControlWindow. C-core’s probe: grpc.http2.bdp_probe 0. Choose them as large as the largest transfers need.',
          source:
            'grpc/grpc-go internal/transport/bdp_estimator.go and server.go; grpc/grpc-java NettyServerBuilder; grpc/grpc include/grpc/impl/channel_arg_names.h',
          evidence: marks.numbers(capture),
          numbers: {
            pings: marks.count,
            calls: own.calls,
            pingsPerCall: perCall,
            octetsPerCall: own.octets / own.calls,
          },
        };
      }
    },
  };
};

function estimatorOf(payloads: ReadonlySet<string>): string | undefined {
  return BDP_PAYLOADS.find(({ payload }) => payloads.has(payload))?.words;
}
