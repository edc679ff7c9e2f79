import type { Capture } from '../../../core/capture/capture';
import { NO_ROW } from '../../../core/capture/frames';
import type { FlowIndex } from '../../../core/flow/flow-index';
import type { DetailField, FrameDetail } from '../../../shared/detail';
import { FrameType } from '../../../shared/names';
import type { Payloads } from '../payloads';
import { frameRecord } from '../records/frames';
import { chunkDetail } from './chunk';
import { frameFields } from './frame-fields';
import { headerBlock } from './header-block';
import { messageFields } from './messages';
import { frameWords } from './words';

/** The longest frame that there can be (RFC 9113 §4.1), its header included. */
const MAX_DESCRIBED = 9 + 0xffffff;
/** Rows looked at for the stream's next one. */
const MAX_NEXT = 1 << 20;

/** Everything that is known of one row. */
export function frameDetail(capture: Capture, payloads: Payloads, flow: FlowIndex, row: number): FrameDetail {
  const { frames } = capture;
  const frame = frameRecord(capture, payloads, row, flow);
  const chunk = frames.lastChunk.get(row);
  const previous = frames.previousInStream.get(row);
  const next = frame.stream === 0 ? NO_ROW : nextInStream(capture, row);
  const call = frame.stream === 0 ? -1 : capture.callAt(frame.conn, frame.stream);
  return {
    frame,
    words: frameWords(capture, payloads, row, flow.connection(frame.conn)),
    fields: detailFields(capture, payloads, row, frame.n),
    chunk: chunk === 0 ? null : chunkDetail(capture, chunk, row),
    captured: frames.captured.get(row) ?? frames.extent(row),
    previousInStream: previous === NO_ROW ? null : capture.numberOf(previous),
    nextInStream: next === NO_ROW ? null : capture.numberOf(next),
    call: call === -1 ? null : call,
  };
}

function detailFields(capture: Capture, payloads: Payloads, row: number, n: number): DetailField[] {
  const { frames } = capture;
  if (frames.isNonFrame(row)) {
    return [{ id: 'octets', label: 'Octets', value: '', spans: [{ n, start: 0, end: frames.length.get(row) }] }];
  }
  const fields = frameFields(payloads.row(row, MAX_DESCRIBED), n);
  const block = headerBlock(capture, payloads, row);
  if (block !== undefined) fields.push(block);
  if (frames.type.get(row) === FrameType.DATA) fields.push(...messageFields(capture, payloads, row));
  return fields;
}

function nextInStream({ frames }: Capture, row: number): number {
  const conn = frames.conn.get(row);
  const stream = frames.stream.get(row);
  const end = Math.min(frames.count, row + MAX_NEXT);
  for (let next = row + 1; next < end; next++) {
    if (frames.previousInStream.get(next) === row && frames.stream.get(next) === stream) {
      if (frames.conn.get(next) === conn) return next;
    }
  }
  return NO_ROW;
}
