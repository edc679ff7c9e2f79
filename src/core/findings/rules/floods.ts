import { Flag, FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import type { Side } from '../../tcp/types';
import { Burst } from '../burst';
import { BySide } from '../by-side';
import type { FindingSources, FrameView, Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf, withCommas } from '../words';

/** nghttp2 (and Node.js) lets a client reset 33 streams a second for long; three times that in a second is no habit of an application. */
const RESETS_A_SECOND = 100;
/** A BDP estimator sends at most one SETTINGS a round trip, and some ten in all. */
const SETTINGS_A_SECOND = 50;
/** PINGs sent while another was unanswered. An estimator has one on its way at a time; Node.js allows ten. */
const PINGS_A_SECOND = 50;
/** nghttp2 takes 8 CONTINUATIONs of a header block. */
const CONTINUATIONS = 8;

/** Streams that a client opens and resets at once (CVE-2023-44487). */
export const resetFlood: Rule = (given) =>
  flood(given, [FrameType.RST_STREAM], () => true, RESETS_A_SECOND, {
    id: 'reset-flood',
    what: 'RST_STREAM frames',
    means:
      'Streams that are opened and reset at once cost the peer the work of each call, and count towards no limit of streams: this is how “rapid reset” looks. Many cancelled calls look the same.',
    advice:
      'Find out why calls are cancelled so fast; a client that cancels on purpose should do so less often. What a server can set: nginx keepalive_requests; Envoy overload.premature_reset_total_stream_count; Node.js streamResetBurst and streamResetRate.',
    source:
      'CVE-2023-44487; RFC 9113 §10.5; nghttp2 lib/nghttp2_session.h (stream reset rate limit 1,000 and 33 a second)',
  });

/** CVE-2019-9515. */
export const settingsFlood: Rule = (given) =>
  flood(given, [FrameType.SETTINGS], ({ flags }) => (flags & Flag.ACK) === 0, SETTINGS_A_SECOND, {
    id: 'settings-flood',
    what: 'SETTINGS frames',
    means:
      'Each has to be applied and acknowledged; a peer that cannot send its acknowledgements keeps them in memory.',
    advice:
      'Send SETTINGS when a value changes. Receivers close such connections by themselves: Envoy max_outbound_control_frames (1,000), Node.js maxOutstandingSettings, ENHANCE_YOUR_CALM elsewhere.',
    source: 'CVE-2019-9515; RFC 9113 §10.5; Envoy config.core.v3.Http2ProtocolOptions',
  });

interface Pings {
  /** Sent and not answered. */
  open: number;
  burst: Burst;
  marks: Marks;
}

/** CVE-2019-9512. PINGs that wait for their answer, as those of estimators do, are no flood however many they are. */
export const pingFlood: Rule = ({ capture }) => {
  const found = new BySide<Pings>(() => ({ open: 0, burst: new Burst(), marks: new Marks() }));
  return {
    types: [FrameType.PING],
    frame({ row, conn, side, flags, time }) {
      if ((flags & Flag.ACK) !== 0) {
        const asked = found.get(conn, (side ^ 1) as Side);
        if (asked.open > 0) asked.open--;
        return;
      }
      const own = found.get(conn, side);
      if (own.open++ === 0) return;
      own.burst.add(time);
      own.marks.add(row);
    },
    *done() {
      for (const { conn, side, value } of found.entries()) {
        if (value.burst.most < PINGS_A_SECOND) continue;
        yield floodFinding(
          peerOf(capture, conn, side),
          conn,
          value.burst.most,
          value.marks,
          value.marks.numbers(capture),
          {
            id: 'ping-flood',
            what: 'PING frames before the last was answered',
            means: 'Each has to be answered; a peer that cannot send its answers keeps them in memory.',
            advice:
              'Send a PING when the last is answered. Receivers close such connections: gRPC servers with too_many_pings, Envoy by max_outbound_control_frames, Node.js by maxOutstandingPings.',
            source: 'CVE-2019-9512; RFC 9113 §6.7, §10.5',
          },
        );
      }
    },
  };
};

/** Header blocks of many small pieces (CVE-2024-27316, CVE-2024-28182 and others). */
export const continuationFlood: Rule = ({ capture }) => {
  const found = new BySide(() => ({ run: 0, longest: 0, octets: 0, marks: new Marks() }));
  return {
    types: [FrameType.HEADERS, FrameType.PUSH_PROMISE, FrameType.CONTINUATION],
    frame({ row, conn, side, type, length }) {
      if (type !== FrameType.CONTINUATION) {
        // Most connections never have one: nothing is kept of them.
        const known = found.find(conn, side);
        if (known !== undefined) known.run = 0;
        return;
      }
      const own = found.get(conn, side);
      own.run++;
      if (own.run <= CONTINUATIONS) return;
      own.marks.add(row);
      own.octets += length;
      own.longest = Math.max(own.longest, own.run);
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { longest, octets, marks } = value;
        if (longest === 0) continue;
        const peer = peerOf(capture, conn, side);
        yield {
          id: 'continuation-flood',
          severity: 'error',
          conn,
          title: `A header block of the ${peer} in ${counted(longest, 'CONTINUATION frame')}`,
          detail: `Receivers hold all of a block until it ends. nghttp2 takes ${CONTINUATIONS} CONTINUATIONs of a block and then closes the connection; without such a limit the block takes memory and time without end.`,
          advice:
            'Send smaller header lists, in frames as large as the peer allows. What a receiver can set: SETTINGS_MAX_HEADER_LIST_SIZE (grpc-go MaxHeaderListSize, grpc-java maxInboundMetadataSize, C-core grpc.max_metadata_size, Envoy max_request_headers_kb).',
          source: 'CVE-2024-28182; RFC 9113 §6.10, §10.5.1; nghttp2 lib/nghttp2_session.h',
          evidence: marks.numbers(capture),
          numbers: { continuations: longest, frames: marks.count, octets },
        };
      }
    },
  };
};

interface Words {
  id: string;
  what: string;
  means: string;
  advice: string;
  source: string;
}

function flood(
  { capture }: FindingSources,
  types: readonly number[],
  counts: (frame: FrameView) => boolean,
  limit: number,
  words: Words,
) {
  const found = new BySide(() => ({ burst: new Burst(), marks: new Marks() }));
  return {
    types,
    frame(frame: FrameView) {
      if (!counts(frame)) return;
      const own = found.get(frame.conn, frame.side);
      own.burst.add(frame.time);
      own.marks.add(frame.row);
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { burst, marks } = value;
        if (burst.most < limit) continue;
        yield floodFinding(peerOf(capture, conn, side), conn, burst.most, marks, marks.numbers(capture), words);
      }
    },
  };
}

function floodFinding(
  peer: 'client' | 'server',
  conn: number,
  most: number,
  marks: Marks,
  evidence: number[],
  { id, what, means, advice, source }: Words,
): FindingRecord {
  return {
    id,
    severity: 'error',
    conn,
    title: `The ${peer} sends ${withCommas(most)} ${what} within a second`,
    detail: `${counted(marks.count, 'frame')} in all. ${means}`,
    advice,
    source,
    evidence,
    numbers: { frames: marks.count, mostInASecond: most },
  };
}
