import { EmptiedRows } from '../../core/step/emptied';
import { moved } from '../../core/step/moves';
import { stepState } from '../../core/step/record';
import { Stepper } from '../../core/step/stepper';
import type { StepBy, StepState } from '../../shared/step';
import type { Session } from './session';

/** Connections whose steppers are kept, with their snapshots. */
const MAX_KEPT = 4;
/** Rows worked off between two looks at the clock, and milliseconds of work between two looks at what else waits. */
const ROWS = 256;
const TURN = 10;

interface Kept {
  /** What the connection was taken for: its client may be found out late. */
  key: string;
  stepper: Stepper;
  emptied: EmptiedRows;
}

/**
 * Steps through a session's connections. The first step far into a long capture goes over all rows of its connection
 * before it, in turns; from then on snapshots make each step short.
 */
export class Steps {
  private readonly kept = new Map<number, Kept>();
  /** One step at a time: two at work on one stepper would each undo the other's way. */
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly session: Session) {}

  /** The state of its connection at frame `n`. @throws RangeError where there is none */
  step(n: number): Promise<StepState> {
    return this.queue(() => this.stepTo(n));
  }

  /**
   * Where a move from frame `n` leads, within its connection; null where there is none further on.
   * @throws RangeError where there is no frame `n`
   */
  async move(n: number, by: StepBy, direction: 1 | -1): Promise<number | null> {
    const { session } = this;
    const { capture } = session;
    const row = session.rowOf(n);
    const conn = capture.frames.conn.get(row);
    const { stepper, emptied } = this.of(conn);
    const { samples } = session.flow.sender.connection(conn);
    const position = moved(capture, stepper, stepper.positionOf(row), by, direction, (each) =>
      emptied.has(samples, each),
    );
    return position === undefined ? null : capture.numberOf(stepper.rowAt(position));
  }

  close(): void {
    this.closed = true;
    this.kept.clear();
  }

  private queue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  private async stepTo(n: number): Promise<StepState> {
    const { session } = this;
    const { capture, payloads } = session;
    const row = session.rowOf(n);
    const conn = capture.frames.conn.get(row);
    const { stepper } = this.of(conn);
    const position = stepper.positionOf(row);
    let until = performance.now() + TURN;
    while (!stepper.seek(position, ROWS)) {
      if (performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.closed) throw new Error('the capture was closed');
      until = performance.now() + TURN;
    }
    return stepState(capture, capture.connections[conn - 1]!, payloads, stepper, position, session.frame(n));
  }

  private of(conn: number): Kept {
    const { capture, payloads } = this.session;
    const connection = capture.connections[conn - 1]!;
    const key = `${connection.clientSide} ${connection.joined} ${connection.protocol} ${capture.hasDeliveries}`;
    let kept = this.kept.get(conn);
    this.kept.delete(conn);
    if (kept?.key !== key) {
      kept = { key, stepper: new Stepper(capture, connection, payloads), emptied: new EmptiedRows() };
    }
    this.kept.set(conn, kept);
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value!);
    return kept;
  }
}
