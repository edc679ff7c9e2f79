import type { Capture } from '../capture/capture';
import { NO_ROW, RowBit } from '../capture/frames';

/** Messages of one frame looked at: those that stand in one frame have their rows close together. */
const MAX_LOOKED_AT = 4096;

/**
 * A gRPC message was begun and not complete after a stream's DATA frame.
 * @param row of the DATA
 * @param next row of the stream's next DATA, or NO_ROW
 */
export function messageOpenAfter(capture: Capture, row: number, next: number): boolean {
  const { frames, messages } = capture;
  if (next !== NO_ROW) {
    const message = frames.aux.get(next) - 1;
    return message >= 0 && messages.firstRow.get(message) !== next;
  }
  const first = frames.aux.get(row) - 1;
  if (first < 0) return false;
  const call = messages.call.get(first);
  const side = messages.bits.get(first) & RowBit.SIDE;
  let last = first;
  const end = Math.min(messages.count, first + MAX_LOOKED_AT);
  for (let i = first + 1; i < end; i++) {
    const began = messages.firstRow.get(i);
    if (began > row && began !== NO_ROW) break;
    if (messages.call.get(i) === call && (messages.bits.get(i) & RowBit.SIDE) === side) last = i;
  }
  return messages.seen.get(last) < messages.length.get(last) || messages.lastRow.get(last) > row;
}
