import type { Fault, FindingRecord } from '../../../shared/records';
import { RowBit } from '../../capture/frames';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf, withCommas } from '../words';

/** RFC 9113 §4.2: a frame is longer than its receiver's SETTINGS_MAX_FRAME_SIZE. */
export function isTooLongFrame({ code, clause }: Fault): boolean {
  return code === 'FRAME_SIZE_ERROR' && clause === 'RFC 9113 §4.2';
}

export const frameSize: Rule = ({ capture }) => ({
  *done(): Iterable<FindingRecord> {
    const found = new BySide(() => ({ marks: new Marks(), longest: 0 }));
    const { frames } = capture;
    for (const [row, faults] of frames.faults) {
      if (!faults.some(isTooLongFrame)) continue;
      const sent = found.get(frames.conn.get(row), (frames.bits.get(row) & RowBit.SIDE) as Side);
      sent.marks.add(row);
      sent.longest = Math.max(sent.longest, frames.length.get(row));
    }
    for (const { conn, side, value } of found.entries()) {
      const { marks, longest } = value;
      const peer = peerOf(capture, conn, side);
      const receiver = peer === 'client' ? 'server' : 'client';
      yield {
        id: 'frame-size',
        severity: 'error',
        conn,
        title: `${counted(marks.count, 'frame')} of the ${peer} longer than the ${receiver}’s SETTINGS_MAX_FRAME_SIZE`,
        detail: `The longest has ${withCommas(longest)} octets of payload. A receiver answers with FRAME_SIZE_ERROR, for the stream or the whole connection.`,
        advice:
          'Keep frames within what the receiver’s SETTINGS allow (16,384 octets when it says nothing). The receiver’s knob: C-core grpc.http2.max_frame_size, Node settings.maxFrameSize, Go http2.Server.MaxReadFrameSize. A prefix of 0x48545450 (“HTTP”) is an HTTP/1.1 answer that was read as a frame.',
        source: 'RFC 9113 §4.2, §6.5.2; grpc/grpc include/grpc/impl/channel_arg_names.h; golang/net http2/server.go',
        evidence: marks.numbers(capture),
        numbers: { frames: marks.count, longest },
      };
    }
  },
});
