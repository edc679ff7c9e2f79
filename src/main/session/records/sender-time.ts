import type { Capture } from '../../../core/capture/capture';
import { FrameType } from '../../../shared/names';

/**
 * When a row counts in the books of the DATA's sender, nanoseconds: what it sent itself at its arrival at the capture
 * point, credit at its delivery. NaN while credit is on its way.
 */
export function senderTime(capture: Capture, row: number): number {
  const { frames, chunks } = capture;
  const chunk = frames.lastChunk.get(row);
  const type = frames.type.get(row);
  const credit = type === FrameType.WINDOW_UPDATE || type === FrameType.SETTINGS;
  return credit && capture.hasDeliveries ? chunks.delivered.get(chunk) : chunks.time.get(chunk);
}
