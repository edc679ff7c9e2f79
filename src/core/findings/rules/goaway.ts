import { errorCodeName, FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import { latin1 } from '../../hpack/header-store';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { peerOf, quoted } from '../words';

const NO_ERROR = 0;
const ENHANCE_YOUR_CALM = 11;
/** Octets read of a GOAWAY: debug data that anybody reads is shorter. */
const MAX_READ = 8 + 128;
/** GOAWAYs read of a capture: each is read from the file. */
const MAX_LOOKED_AT = 4096;

interface Goaways {
  marks: Marks;
  /** Of the first with an error. */
  code: number;
  debug: string;
  row: number;
}

/** Connections that a peer ended for an error. One that is shut down in peace is no finding. */
export const goawayErrors: Rule = ({ capture, payload }) => {
  const found = new BySide<Goaways>(() => ({ marks: new Marks(), code: NO_ERROR, debug: '', row: 0 }));
  let looked = 0;
  return {
    types: [FrameType.GOAWAY],
    frame({ row, conn, side }) {
      if (payload === undefined || looked >= MAX_LOOKED_AT) return;
      looked++;
      const octets = payload(row, MAX_READ);
      if (octets.length < 8) return;
      const code = new DataView(octets.buffer, octets.byteOffset).getUint32(4);
      if (code === NO_ERROR) return;
      const own = found.get(conn, side);
      own.marks.add(row);
      if (own.marks.count > 1) return;
      own.code = code;
      own.debug = latin1(octets.subarray(8));
      own.row = row;
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { marks, code, debug } = value;
        const peer = peerOf(capture, conn, side);
        const name = errorCodeName(code);
        const tooManyPings = code === ENHANCE_YOUR_CALM && debug === 'too_many_pings';
        const said = debug === '' ? 'It gives no reason.' : `It says ${quoted(debug)}.`;
        yield {
          id: tooManyPings ? 'too-many-pings' : 'goaway-error',
          severity: 'error',
          conn,
          title: tooManyPings
            ? 'The server closed the connection for too many PINGs'
            : `The ${peer} ended the connection with ${name}`,
          detail: tooManyPings
            ? `${said} A gRPC server counts a strike for each PING that comes sooner than its policy allows, and starts anew when it sends HEADERS or DATA; beyond two strikes it closes the connection. Calls on it fail with UNAVAILABLE.`
            : `${said} Streams that were open and above its last stream can be retried; others have failed.`,
          advice: tooManyPings ? TOO_MANY_PINGS : (ADVICE[code] ?? `Look at what the ${peer} logged at that time.`),
          source: tooManyPings
            ? 'grpc/grpc doc/keepalive.md; grpc/grpc-go internal/transport/http2_server.go'
            : 'RFC 9113 §6.8, §7',
          evidence: marks.numbers(capture),
          numbers: { goaways: marks.count, code },
        };
      }
    },
  };
};

const TOO_MANY_PINGS = `Lengthen the client’s keepalive time to what the server allows: grpc-go keepalive.ClientParameters.Time, grpc-java keepAliveTime, C-core and grpc-js grpc.keepalive_time_ms; or allow more at the server: grpc-go KeepaliveEnforcementPolicy (MinTime, 5 minutes; PermitWithoutStream), grpc-java permitKeepAliveTime (5 minutes) and permitKeepAliveWithoutCalls, C-core grpc.http2.min_ping_interval_without_data_ms and grpc.http2.max_ping_strikes.`;

const ADVICE: Readonly<Record<number, string>> = {
  1: 'Look for protocol faults of the other peer just before it.',
  2: 'Look at the sender’s log of that time.',
  3: 'Look at the windows just before it: the other peer spent more than it had, or raised a window beyond 2^31-1.',
  6: 'Look for a frame of the other peer beyond SETTINGS_MAX_FRAME_SIZE, or of a wrong length.',
  9: 'The peers’ header tables differ: look at what rewrites headers in between.',
  11: 'The sender found the other peer to cause too much work: look for floods of frames, large header blocks or many PINGs before it.',
  12: 'The TLS connection does not meet HTTP/2’s demands (RFC 9113 §9.2).',
};

/** For the finding that tells of PINGs before a server has had enough of them. */
export const KEEPALIVE_ADVICE = TOO_MANY_PINGS;
