import { errorCodeName, grpcStatusName } from '../../../shared/names';
import type { FindingRecord, Severity } from '../../../shared/records';
import { CallState } from '../../capture/calls';
import { statusFromReset } from '../../grpc/status';
import { BySide } from '../by-side';
import { endedBy, pathOf } from '../call-facts';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { NamedCounts } from '../named-counts';
import { counted, peerOf } from '../words';

const NO_ERROR = 0;
const REFUSED_STREAM = 7;
const CANCEL = 8;
/** Codes told apart of a side: RFC 9113 has 14, a hostile peer four thousand million. */
const MAX_CODES = 32;

interface Resets {
  marks: Marks;
  methods: NamedCounts;
  streams: number[];
}

/** Calls that a reset ended before their answer was whole, by code and by who sent it; REFUSED_STREAM has its own finding. */
export const resets: Rule = ({ capture }) => {
  const found = new BySide(() => new Map<number, Resets>());
  const { calls } = capture;
  return {
    call(call) {
      if (calls.state.get(call) !== CallState.RESET) return;
      const code = calls.reset.get(call) - 1;
      const side = endedBy(capture, call);
      if (code === REFUSED_STREAM || side === undefined) return;
      const codes = found.get(calls.conn.get(call), side);
      let own = codes.get(code);
      if (own === undefined) {
        if (codes.size >= MAX_CODES) return;
        own = { marks: new Marks(), methods: new NamedCounts(), streams: [] };
        codes.set(code, own);
      }
      own.marks.add(calls.endRow.get(call));
      own.methods.add(pathOf(capture, call) ?? 'unknown');
      if (own.streams.length < 2) own.streams.push(calls.stream.get(call));
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        for (const [code, { marks, methods, streams }] of value) {
          const peer = peerOf(capture, conn, side);
          const name = errorCodeName(code);
          const status = statusFromReset(code);
          const means = status === undefined ? '' : ` gRPC takes it for ${grpcStatusName(status.status)}.`;
          yield {
            id: 'resets',
            severity: severityOf(code, peer),
            conn,
            ...(streams.length === 1 && { stream: streams[0]! }),
            title: `The ${peer} reset ${counted(marks.count, 'call')} with ${name}`,
            detail: `The calls’ answers were not whole. Methods: ${methods.words()}.${means}`,
            advice: adviceFor(code, peer),
            source: 'RFC 9113 §6.4, §7; grpc/grpc doc/PROTOCOL-HTTP2.md, Errors',
            evidence: marks.numbers(capture),
            numbers: { resets: marks.count, code },
          };
        }
      }
    },
  };
};

/** A client may cancel at any time; a server that resets has failed or refused. */
function severityOf(code: number, peer: 'client' | 'server'): Severity {
  if (code === CANCEL && peer === 'client') return 'info';
  return code === NO_ERROR || code === CANCEL ? 'warning' : 'error';
}

const ADVICE: Readonly<Record<number, string>> = {
  0: 'A server may end a call so when its answer was whole; here it was not. Look at what the server logged at that time.',
  1: 'One peer holds the other for breaking the protocol: look for protocol faults on the stream just before, and for header fields that HTTP/2 forbids (connection, upper-case names).',
  2: 'Look at the sender’s log of that time. Proxies send INTERNAL_ERROR when their own upstream fails; some clients when the answer’s headers are too long for them (grpc-java and C-core: 8 KiB by default).',
  3: 'The sender’s peer spent more window than it had: look at the windows of the stream and of the connection.',
  8: 'A client cancels when its caller gives up, or when a deadline passes on its side; the wire does not tell the two apart. A server cancels when its handler gave up.',
  9: 'The peers’ header tables differ: nothing after it on the connection can be read. Look at what rewrites headers in between.',
  11: 'The peer asks to slow down: fewer calls or PINGs at a time, smaller headers.',
};

function adviceFor(code: number, peer: 'client' | 'server'): string {
  return ADVICE[code] ?? `Look at what the ${peer} logged at that time.`;
}
