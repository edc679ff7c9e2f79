import { F64Column, U8Column, U32Column } from '../columns';

/** Which window had no credit. */
export const STALL_CAUSES = ['stream-window', 'connection-window', 'both'] as const;
/** Positions in STALL_CAUSES. */
export const StallCause = { STREAM: 0, CONNECTION: 1, BOTH: 2 } as const;
export type StallCause = (typeof StallCause)[keyof typeof StallCause];

/**
 * What tells that the sender had data, the strongest first: `message`: a gRPC message was begun and not complete;
 * `resumed`: DATA followed promptly on the credit; `cut`: the last frame was shorter than those before it and took the
 * window to exactly 0, and the stream was not ended; `headers`: a gRPC stream was opened without credit, and its first
 * message never came.
 */
export const STALL_EVIDENCE = ['message', 'resumed', 'cut', 'headers'] as const;
/** Positions in STALL_EVIDENCE. */
export const StallEvidence = { MESSAGE: 0, RESUMED: 1, CUT: 2, HEADERS: 3 } as const;
export type StallEvidence = (typeof StallEvidence)[keyof typeof StallEvidence];

/** One row per stall of a stream, in the order in which they ended. */
export class StallTable {
  /** Which TCP side stood still. */
  readonly side = new U8Column();
  readonly stream = new U32Column();
  /** Nanoseconds since the capture's first packet, in the sender's books. */
  readonly from = new F64Column();
  readonly to = new F64Column();
  readonly cause = new U8Column();
  readonly evidence = new U8Column();
  /** Row of the frame whose credit ended it; NO_ROW where none did. */
  readonly releasedBy = new U32Column();
  /** Streams that held the connection's credit, the largest first; none when the cause is the stream's window alone. */
  readonly heldBy: (readonly number[])[] = [];
  /** Stalls that were left out because there were too many. */
  leftOut = 0;

  get count(): number {
    return this.stream.length;
  }
}
