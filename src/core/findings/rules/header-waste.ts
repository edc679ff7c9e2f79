import { FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import type { Capture } from '../../capture/capture';
import { PlainSizes } from '../../flow/plain-sizes';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf, percent, quoted } from '../words';

/** Header blocks of a side: the first few fill the table and are long for good reason. */
const MIN_BLOCKS = 50;
/** Octets a block. Shorter ones fit beside the data. */
const LONG = 100;
/** Of what the fields' names and values have, so much is on the wire: HPACK saves little. */
const HARDLY_SMALLER = 0.6;
/** Blocks whose fields are measured. */
const MAX_MEASURED = 64;

interface Blocks {
  count: number;
  wire: number;
  plain: number;
  /** Octets by field name in the first blocks. */
  names: Map<string, number>;
  measured: number;
  marks: Marks;
}

/** Headers that HPACK hardly shrinks and that are longer than the messages they go with. */
export const headerWaste: Rule = ({ capture }) => {
  const found = new BySide<Blocks>(() => ({
    count: 0,
    wire: 0,
    plain: 0,
    names: new Map(),
    measured: 0,
    marks: new Marks(),
  }));
  const messageOctets = new BySide(() => ({ octets: 0 }));
  const sizes = new PlainSizes(capture.headers);
  const { frames, calls, connections } = capture;
  return {
    types: [FrameType.HEADERS, FrameType.CONTINUATION],
    frame({ row, conn, side, length }) {
      const own = found.get(conn, side);
      own.wire += length;
      const list = frames.aux.get(row);
      if (list === 0) return;
      own.count++;
      own.plain += sizes.of(list - 1);
      own.marks.add(row);
      if (own.measured < MAX_MEASURED) {
        own.measured++;
        measure(capture, list - 1, own.names);
      }
    },
    call(call) {
      const conn = calls.conn.get(call);
      const client = connections[conn - 1]!.clientSide;
      messageOctets.get(conn, client).octets += calls.requestBytes.get(call);
      messageOctets.get(conn, (client ^ 1) as Side).octets += calls.responseBytes.get(call);
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { count, wire, plain, names, measured, marks } = value;
        if (count < MIN_BLOCKS || wire / count < LONG || wire < HARDLY_SMALLER * plain) continue;
        const octets = messageOctets.find(conn, side)?.octets ?? 0;
        if (wire <= octets) continue;
        const peer = peerOf(capture, conn, side);
        const largest = [...names].sort((a, b) => b[1] - a[1]).slice(0, 3);
        const fields = largest.map(
          ([name, size]) => `${quoted(name, 40)} (${Math.round(size / measured)} octets a block)`,
        );
        yield {
          id: 'header-waste',
          severity: 'info',
          conn,
          title: `The ${peer}’s headers are longer than its messages, and HPACK hardly shrinks them`,
          detail: `${counted(count, 'header block')} of ${Math.round(wire / count)} octets on the average, ${percent(wire / plain)} of their fields’ text; messages in the same direction: ${counted(octets, 'octet')}. The largest fields: ${fields.join(', ')}.`,
          advice:
            'Fields that repeat belong in the dynamic table: a sender that writes them as literals without indexing sends them anew with each call. See that the receiver’s SETTINGS_HEADER_TABLE_SIZE is not 0 (grpc-go HeaderTableSize, C-core grpc.http2.hpack_table_size.decoder, Envoy hpack_table_size), that large values which change with each call (tokens, baggage) are needed, and move what belongs to the call into its message.',
          source: 'RFC 7541 §2.3.2, §6.2; RFC 9113 §6.5.2',
          evidence: marks.numbers(capture),
          numbers: {
            blocks: count,
            headerOctets: wire,
            plainOctets: plain,
            messageOctets: octets,
            frames: marks.count,
          },
        };
      }
    },
  };
};

/** Distinct names in a capture are without bound: those of the first blocks are kept, up to so many. */
const MAX_NAMES = 256;
/** Of a list, which a peer may make of millions. */
const MAX_FIELDS = 128;

function measure({ headers }: Capture, list: number, names: Map<string, number>): void {
  const count = Math.min(MAX_FIELDS, headers.listLength(list));
  for (let i = 0; i < count; i++) {
    const field = headers.fieldOf(list, i);
    const name = headers.name(field).slice(0, 64);
    if (!names.has(name) && names.size >= MAX_NAMES) continue;
    names.set(name, (names.get(name) ?? 0) + headers.size(field) - 32);
  }
}
