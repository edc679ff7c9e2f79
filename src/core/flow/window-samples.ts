import { F64Column, U8Column, U32Column } from '../columns';

/** Why a window has the size it has now. */
export const WINDOW_CAUSES = ['DATA', 'WINDOW_UPDATE', 'SETTINGS', 'OPEN'] as const;
/** Positions in WINDOW_CAUSES. */
export const WindowCause = { DATA: 0, WINDOW_UPDATE: 1, SETTINGS: 2, OPEN: 3 } as const;
export type WindowCause = (typeof WindowCause)[keyof typeof WindowCause];

/**
 * One row per change of a flow-control window (RFC 9113 §5.2, §6.9), ordered by time, then by the frame's place in the file. A window is signed: a lowered
 * SETTINGS_INITIAL_WINDOW_SIZE can take it below 0 (§6.9.2). Example: 65,535 granted, 60,000 spent, the initial size
 * lowered to 16,384 gives 5,535 - 49,151 = -43,616.
 */
export class WindowSamples {
  /** Nanoseconds since the capture's first packet, in the view's sense. */
  readonly time = new F64Column();
  /** Which TCP side spends this window with its DATA. */
  readonly side = new U8Column();
  /** 0 for the connection's window. */
  readonly stream = new U32Column();
  readonly window = new F64Column();
  readonly change = new F64Column();
  /** A WindowCause. */
  readonly cause = new U8Column();
  /** Row of the frame that changed it. */
  readonly row = new U32Column();

  get count(): number {
    return this.time.length;
  }

  push(
    time: number,
    side: number,
    stream: number,
    window: number,
    change: number,
    cause: WindowCause,
    row: number,
  ): void {
    this.time.push(time);
    this.side.push(side);
    this.stream.push(stream);
    this.window.push(window);
    this.change.push(change);
    this.cause.push(cause);
    this.row.push(row);
  }
}
