import type { FindingRecord } from '../../../shared/records';
import { MessageBit } from '../../capture/calls';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf } from '../words';

/** Compressed messages that are longer than what they say. How many are looked at is for `plainLength` to bound. */
export const compressionGrew: Rule = ({ capture, plainLength }) => {
  const found = new BySide(() => ({ looked: 0, wire: 0, plain: 0, marks: new Marks() }));
  const { messages, calls } = capture;
  return {
    message(message) {
      if (plainLength === undefined || messages.flag.get(message) !== 1) return;
      const bits = messages.bits.get(message);
      if ((bits & MessageBit.COMPLETE) === 0) return;
      const plain = plainLength(message);
      if (plain === undefined) return;
      const own = found.get(calls.conn.get(messages.call.get(message)), (bits & MessageBit.SIDE) as Side);
      own.looked++;
      const wire = messages.length.get(message);
      if (wire <= plain) return;
      own.wire += wire;
      own.plain += plain;
      own.marks.add(messages.firstRow.get(message));
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { looked, wire, plain, marks } = value;
        if (marks.count === 0) continue;
        const peer = peerOf(capture, conn, side);
        yield {
          id: 'compression-grew',
          severity: 'info',
          conn,
          title: `Compression made ${counted(marks.count, 'message')} of the ${peer} longer`,
          detail: `They have ${counted(wire, 'octet')} on the wire and ${counted(plain, 'octet')} without compression. Of the ${peer}’s compressed messages ${looked} were looked at.`,
          advice:
            'Leave small messages, and those of random or already compressed data, uncompressed. Per call: grpc-go UseCompressor, grpc-java withCompression, or setMessageCompression(false) for one message; C-core and grpc-js grpc.default_compression_algorithm for a channel.',
          source: 'grpc/grpc doc/compression.md; RFC 1952 §2.3 (gzip adds 18 octets)',
          evidence: marks.numbers(capture),
          numbers: { messages: marks.count, looked, wireOctets: wire, plainOctets: plain },
        };
      }
    },
  };
};
