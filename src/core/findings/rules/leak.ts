import { FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import { formatDuration } from '../../../shared/units';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf, withCommas } from '../words';

/** Streams whose reset is remembered, of all connections. */
const MAX_RESET = 1 << 17;
/** Without any credit of the connection after it, what was not returned for so long may not come any more. */
const QUIET = 1e9;

/** What a side sent of the connection's credit, and what came back. */
interface Spending {
  /** DATA sent less connection credit granted by WINDOW_UPDATE: below 0 where the window was enlarged. */
  out: number;
  /** The lowest that `out` was just after credit, before DATA came on reset streams and after the last of it. */
  before: number;
  after: number | undefined;
  /** DATA on streams that its receiver had reset. */
  late: number;
  lateAt: number;
  marks: Marks;
}

/**
 * DATA that arrives after its receiver has reset the stream still spends the connection's window (RFC 9113 §6.9), and a
 * receiver that throws it away without crediting it has that much less window for good. Told from octets that are
 * credited later by the level that the spending falls to when credit comes: it is higher after than before.
 */
export const creditLeak: Rule = ({ capture }) => {
  const found = new BySide<Spending>(() => ({
    out: 0,
    before: 0,
    after: undefined,
    late: 0,
    lateAt: 0,
    marks: new Marks(),
  }));
  /** Connection and stream, by who sent the reset. */
  const reset: [Set<number>, Set<number>] = [new Set(), new Set()];
  const keyOf = (conn: number, stream: number) => conn * 2 ** 31 + stream;
  return {
    types: [FrameType.DATA, FrameType.RST_STREAM, FrameType.WINDOW_UPDATE],
    frame({ row, conn, side, type, stream, length, time }) {
      const other = (side ^ 1) as Side;
      if (type === FrameType.RST_STREAM) {
        if (reset[side].size < MAX_RESET) reset[side].add(keyOf(conn, stream));
        return;
      }
      if (type === FrameType.WINDOW_UPDATE) {
        if (stream !== 0) return;
        const spent = found.get(conn, other);
        spent.out -= capture.frames.aux.get(row);
        if (spent.late === 0) spent.before = Math.min(spent.before, spent.out);
        else spent.after = Math.min(spent.after ?? spent.out, spent.out);
        return;
      }
      if (length === 0) return;
      const own = found.get(conn, side);
      own.out += length;
      if (reset[other].size === 0 || !reset[other].has(keyOf(conn, stream))) return;
      own.late += length;
      own.lateAt = time;
      own.after = undefined;
      own.marks.add(row);
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { before, after, late, lateAt, out, marks } = value;
        if (late === 0) continue;
        const connection = capture.connections[conn - 1]!;
        const quiet = (connection.closed === undefined ? capture.lastTime : connection.end) - lateAt;
        // With no credit at all since, only time tells.
        if (after === undefined && quiet < QUIET) continue;
        const kept = Math.min(late, (after ?? out) - before);
        if (kept < late) continue;
        const receiver = peerOf(capture, conn, (side ^ 1) as Side);
        yield {
          id: 'credit-leak',
          severity: 'warning',
          conn,
          title: `${withCommas(late)} octets of the connection’s window were not returned by the ${receiver}`,
          detail: `${counted(marks.count, 'DATA frame')} came on streams that the ${receiver} had reset. They spend the connection’s window all the same, and ${
            after === undefined
              ? `no credit of the connection came in the ${formatDuration(quiet / 1e9)} after the last of them`
              : 'the credit that came after them leaves just as much unreturned'
          }. Each such reset makes the window smaller for all streams, until nothing can be sent.`,
          advice: `Mend the ${receiver}’s HTTP/2 stack: octets of a stream that it has reset must be counted and credited for the connection. Until then, a new connection starts with a whole window: limit its age (grpc-go MaxConnectionAge, grpc-java maxConnectionAge, C-core and grpc-js grpc.max_connection_age_ms, nginx keepalive_time, Envoy max_connection_duration).`,
          source: 'RFC 9113 §5.1 (closed), §5.4.2, §6.9',
          evidence: marks.numbers(capture),
          numbers: { octets: late, frames: marks.count },
        };
      }
    },
  };
};
