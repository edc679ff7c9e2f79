import { type FilterAnswer, MAX_VIEWS, type ViewState } from '../../shared/contract';
import type { Overview } from '../../shared/series';
import type { Changes } from './changes';
import { parseFilter } from './filter/filter';
import { overview } from './overview';
import type { Session } from './session';
import { View } from './view';

/** Milliseconds of filtering after which whoever waits for an answer gets one. */
const TURN = 8;

/** The filters at work on one session. Looking at rows is done in short turns, between which queries are answered. */
export class Views {
  private readonly views = new Map<number, View>();
  private nextId = 1;
  private scheduled: NodeJS.Immediate | undefined;
  private closed = false;

  /** @param onProgress a view has grown or changed */
  constructor(
    private readonly session: Session,
    private readonly onProgress: () => void,
  ) {}

  get states(): ViewState[] {
    return [...this.views.values()].map((view) => view.state);
  }

  create(text: string, replaces?: number): FilterAnswer {
    const result = parseFilter(text);
    if ('error' in result) return result;
    if (replaces !== undefined) this.views.delete(replaces);
    if (this.views.size >= MAX_VIEWS) {
      const message = `${MAX_VIEWS} filters are in use, which is all there can be: close one`;
      return { error: { message, at: 0, length: 0 } };
    }
    const view = new View(this.nextId++, text, result.filter, this.session);
    this.views.set(view.id, view);
    this.work();
    return { view: view.id };
  }

  /** @throws when there is no such view */
  get(id: number): View {
    const view = this.views.get(id);
    if (view === undefined) throw new Error(`there is no view ${id}`);
    return view;
  }

  drop(id: number): void {
    this.views.delete(id);
  }

  /** The capture has grown. */
  apply(changes: Changes): void {
    for (const view of this.views.values()) view.apply(changes);
    this.work();
  }

  /** Numbers of frames are others than before. */
  restart(): void {
    for (const view of this.views.values()) view.restart(0);
    this.work();
  }

  /** Of all rows, or of those that a view knows to pass. */
  overview(buckets: number, id?: number): Overview {
    const { capture } = this.session;
    if (id === undefined) return overview(capture, buckets);
    const view = this.get(id);
    return overview(capture, buckets, (row) => view.has(row));
  }

  close(): void {
    this.closed = true;
    if (this.scheduled !== undefined) clearImmediate(this.scheduled);
  }

  private work(): void {
    if (this.scheduled !== undefined || this.closed) return;
    const until = performance.now() + TURN;
    const done = [...this.views.values()].map((view) => view.work(until));
    if (done.length > 0) this.onProgress();
    if (done.every((each) => each)) return;
    this.scheduled = setImmediate(() => {
      this.scheduled = undefined;
      this.work();
    });
  }
}
