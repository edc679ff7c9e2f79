import { FrameType, NON_FRAME_KINDS } from '../../shared/names';
import type { StepBy } from '../../shared/step';
import type { Capture } from '../capture/capture';
import { NO_ROW, RowBit } from '../capture/frames';
import { Known } from '../hpack/header-store';
import type { Stepper } from './stepper';

/**
 * The place that a move leads to; undefined where there is none further on.
 * @param emptied whether a row leaves a window without credit
 */
export function moved(
  capture: Capture,
  stepper: Stepper,
  position: number,
  by: StepBy,
  direction: 1 | -1,
  emptied: (row: number) => boolean,
): number | undefined {
  const { count } = stepper;
  for (let at = position + direction; at >= 0 && at < count; at += direction) {
    if (stopsAt(capture, stepper, at, by, emptied)) return at;
  }
  return undefined;
}

function stopsAt(
  capture: Capture,
  stepper: Stepper,
  position: number,
  by: StepBy,
  emptied: (row: number) => boolean,
): boolean {
  const row = stepper.rowAt(position);
  switch (by) {
    case 'frame':
      return true;
    case 'chunk': {
      // The last of its chunk: all that came together has been taken in.
      if (position + 1 >= stepper.count) return true;
      const { lastChunk } = capture.frames;
      return lastChunk.get(row) !== lastChunk.get(stepper.rowAt(position + 1));
    }
    case 'call':
      return beginsCall(capture, row);
    case 'interesting':
      return isOfNote(capture, row) || emptied(row);
    default: {
      const never: never = by;
      return never;
    }
  }
}

/** The first HEADERS of a stream. */
function beginsCall({ frames }: Capture, row: number): boolean {
  return (
    !frames.isNonFrame(row) &&
    frames.type.get(row) === FrameType.HEADERS &&
    frames.stream.get(row) !== 0 &&
    frames.previousInStream.get(row) === NO_ROW
  );
}

/** A fault, octets that are missing, the end of a stream or of the connection before its time, a call that failed. */
function isOfNote({ frames, headers }: Capture, row: number): boolean {
  if ((frames.bits.get(row) & (RowBit.FAULT | RowBit.HOLE)) !== 0) return true;
  const type = frames.type.get(row);
  if (frames.isNonFrame(row)) return type === GAP;
  switch (type) {
    case FrameType.RST_STREAM:
    case FrameType.GOAWAY:
      return true;
    case FrameType.HEADERS:
    case FrameType.CONTINUATION: {
      const list = frames.aux.get(row) - 1;
      const status = list < 0 ? -1 : headers.find(list, Known.GRPC_STATUS);
      return status !== -1 && headers.number(status) !== 0;
    }
    default:
      return false;
  }
}

const GAP = NON_FRAME_KINDS.indexOf('GAP');
