import type { Fault, FindingRecord } from '../../../shared/records';
import { MessageBit } from '../../capture/calls';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { FindingSources, Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf } from '../words';

/** The fault of a message whose length stands before its flag: see core/grpc/message-parser. */
export function isReversedPrefix({ code, message }: Fault): boolean {
  return code === 'GRPC_MESSAGE' && message.includes('wrong way round');
}

interface Sent {
  lengthFirst: number;
  littleEndian: number;
  length: number;
  marks: Marks;
}

/** Prefixes that make sense when they are read another way: the length before the flag, or its octets in reverse. */
export const reversedPrefix: Rule = ({ capture }: FindingSources) => {
  const found = new BySide<Sent>(() => ({ lengthFirst: 0, littleEndian: 0, length: 0, marks: new Marks() }));
  const { messages, calls } = capture;
  return {
    message(message) {
      const bits = messages.bits.get(message);
      if ((bits & (MessageBit.COMPLETE | MessageBit.ASSUMED | MessageBit.HOLE)) !== 0) return;
      const seen = messages.seen.get(message);
      const length = messages.length.get(message);
      if (seen === 0 || seen >= length) return;
      // Only what was cut by the end of its side: a message that still grows may fit by chance.
      if (!messages.faults.has(message)) return;
      const lengthFirst = (length & 0xff) <= 1 && messages.flag.get(message) * 2 ** 24 + (length >>> 8) === seen;
      const littleEndian = reversed(length) === seen;
      if (!lengthFirst && !littleEndian) return;
      const sent = found.get(calls.conn.get(messages.call.get(message)), (bits & MessageBit.SIDE) as Side);
      if (lengthFirst) sent.lengthFirst++;
      else sent.littleEndian++;
      if (sent.marks.count === 0) sent.length = seen;
      sent.marks.add(messages.firstRow.get(message));
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { lengthFirst, littleEndian, length, marks } = value;
        const peer = peerOf(capture, conn, side);
        const how =
          lengthFirst > 0 ? 'the length stands before the flag' : 'the length’s octets are in little-endian order';
        yield {
          id: 'reversed-length-prefix',
          severity: 'error',
          conn,
          title: `The ${peer} writes message prefixes the wrong way round`,
          detail: `In ${counted(marks.count, 'message')}, ${how}: read so, the prefix fits what came exactly (${counted(length, 'octet')} in the first). Read as gRPC reads it, the message never ends.`,
          advice:
            'Write one octet of compressed flag, then four octets of length, the most significant first. This happens where a client frames messages by hand.',
          source: 'grpc/grpc doc/PROTOCOL-HTTP2.md, Length-Prefixed-Message',
          evidence: marks.numbers(capture),
          numbers: { messages: marks.count, lengthFirst, littleEndian, length },
        };
      }
    },
  };
};

function reversed(value: number): number {
  return ((value & 0xff) * 2 ** 24 + ((value & 0xff00) << 8) + ((value >>> 8) & 0xff00) + (value >>> 24)) >>> 0;
}
