import { FrameType } from '../../../shared/names';
import type { FindingRecord } from '../../../shared/records';
import { MessageBit } from '../../capture/calls';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf } from '../words';

/** DATA frames of a side, so that a few odd messages are no finding. */
const MIN_FRAMES = 100;
/** DATA frames a message, where one would do. */
const FRAMES_PER_MESSAGE = 4;
/** Octets: of a shorter frame, the nine octets of its header and a write of its own are a good part of the cost. */
const SMALL = 1024;

/** Messages cut into many short DATA frames. */
export const smallFrames: Rule = ({ capture }) => {
  const found = new BySide(() => ({ frames: 0, octets: 0, messages: 0, marks: new Marks() }));
  const { messages, calls } = capture;
  return {
    types: [FrameType.DATA],
    frame({ row, conn, side, length }) {
      if (length === 0) return; // the end of a stream alone
      const own = found.get(conn, side);
      own.frames++;
      own.octets += length;
      if (length < SMALL) own.marks.add(row);
    },
    message(message) {
      const bits = messages.bits.get(message);
      if ((bits & MessageBit.COMPLETE) === 0) return;
      found.get(calls.conn.get(messages.call.get(message)), (bits & MessageBit.SIDE) as Side).messages++;
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { frames, octets, messages: whole, marks } = value;
        if (frames < MIN_FRAMES || whole === 0) continue;
        if (frames / whole < FRAMES_PER_MESSAGE || octets / frames >= SMALL) continue;
        const peer = peerOf(capture, conn, side);
        yield {
          id: 'small-frames',
          severity: 'info',
          conn,
          title: `The ${peer} cuts its messages into small DATA frames`,
          detail: `${(frames / whole).toFixed(1)} DATA frames a message, of ${Math.round(octets / frames)} octets on the average; frames may have 16,384 octets and more. Each costs nine octets and work on both sides. Either the sender writes so, or its receiver returns credit in crumbs: the windows tell which.`,
          advice:
            'Let the sender hand over whole messages: serialise into one buffer, and do not flush after each part. grpc-go WithWriteBufferSize (32 KiB); nginx http2_chunk_size (8k) and buffers of grpc_buffer_size; in servers by hand, larger writes.',
          source: 'RFC 9113 §4.2, §6.1; grpc/grpc-go dialoptions.go; nginx ngx_http_v2_module',
          evidence: marks.numbers(capture),
          numbers: { frames, messages: whole, meanLength: octets / frames, smallFrames: marks.count },
        };
      }
    },
  };
};

/** Octets of both chunks that a short frame is split over: less than any path's segment by far. */
const TINY = 256;
const MIN_SPLIT = 50;

/** Short frames that arrive in several tiny reads: the sender writes a header and its payload apart. */
export const tinyChunks: Rule = ({ capture }) => {
  const found = new BySide(() => ({ frames: 0, marks: new Marks() }));
  const { frames, chunks } = capture;
  return {
    types: [FrameType.DATA, FrameType.HEADERS],
    frame({ row, conn, side, length }) {
      const own = found.get(conn, side);
      own.frames++;
      if (length >= SMALL) return;
      const first = frames.firstChunk.get(row);
      const last = frames.lastChunk.get(row);
      if (first === last || chunks.length.get(first) >= TINY || chunks.length.get(last) >= TINY) return;
      own.marks.add(row);
    },
    *done(): Iterable<FindingRecord> {
      for (const { conn, side, value } of found.entries()) {
        const { frames: count, marks } = value;
        if (marks.count < MIN_SPLIT) continue;
        const peer = peerOf(capture, conn, side);
        const unit = capture.hasDeliveries ? 'reads at the tap' : 'TCP segments';
        yield {
          id: 'tiny-chunks',
          severity: 'info',
          conn,
          title: `The ${peer}’s small frames arrive in pieces`,
          detail: `${counted(marks.count, 'frame')} of fewer than ${SMALL} octets came in two or more ${unit} of fewer than ${TINY}; HEADERS and DATA in all: ${count}. That looks like a system call for each part of a frame. With Nagle’s algorithm the second part may also wait for an acknowledgement.`,
          advice:
            'Gather a frame, and what is ready with it, into one write (buffered writer, writev, cork). Keep TCP_NODELAY on: gRPC’s libraries set it.',
          source: 'RFC 9293 §3.7.4; grpc/grpc-go internal/transport/http_util.go (bufWriter)',
          evidence: marks.numbers(capture),
          numbers: { splitFrames: marks.count, frames: count },
        };
      }
    },
  };
};
