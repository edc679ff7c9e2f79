import type { Capture } from '../capture/capture';
import { WindowTracker, type WindowView } from './window-tracker';

/** The windows of all connections in one view: each row of the capture is looked at once, however many there are. */
export class FlowIndex {
  private readonly trackers: WindowTracker[] = [];
  private scanned = 0;

  constructor(
    private readonly capture: Capture,
    readonly view: WindowView,
  ) {}

  /** The tracker of a connection, with all that is known by now. @param conn from 1 */
  connection(conn: number): WindowTracker {
    this.scan();
    let tracker = this.tracker(conn);
    tracker.advance();
    if (tracker.disordered && this.capture.ended) {
      tracker = tracker.reordered();
      tracker.advance();
      this.trackers[conn - 1] = tracker;
    }
    return tracker;
  }

  /** Takes in the rows that have come, so that who asks later waits for the last of them only. */
  advance(): void {
    for (const conn of this.scan()) this.trackers[conn - 1]!.advance();
  }

  /** @returns the connections of the rows that were new */
  private scan(): Set<number> {
    const { frames } = this.capture;
    const found = new Set<number>();
    let last = 0;
    for (; this.scanned < frames.count; this.scanned++) {
      const conn = frames.conn.get(this.scanned);
      this.tracker(conn).add(this.scanned);
      if (conn !== last) found.add(conn);
      last = conn;
    }
    return found;
  }

  private tracker(conn: number): WindowTracker {
    let tracker = this.trackers[conn - 1];
    if (tracker === undefined) {
      tracker = new WindowTracker(this.capture, this.capture.connections[conn - 1]!, this.view);
      this.trackers[conn - 1] = tracker;
    }
    return tracker;
  }
}
