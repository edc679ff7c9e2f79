import type { AccountsAnswer, AccountsQuery } from '../../shared/accounts';
import type { ConcurrencyAnswer, ConcurrencyQuery, ConcurrencyRecord } from '../../shared/concurrency';
import type {
  CallDetail,
  CallQuery,
  CaptureSummary,
  EngineApi,
  EngineEvents,
  EngineProgress,
  EngineState,
  EngineStatus,
  FilterAnswer,
  FindingsAnswer,
  FramePage,
  FrameQuery,
  OctetSlice,
  Page,
  Range,
  TroubleRecord,
  ViewState,
  WindowsQuery,
} from '../../shared/contract';
import type { FrameDetail } from '../../shared/detail';
import type { FlowAnswer, FlowQuery } from '../../shared/flow';
import type { CallRecord, ConnectionRecord, MessageRecord, RoundRecord } from '../../shared/records';
import type { Overview, WindowsAnswer } from '../../shared/series';
import type { StepBy, StepState } from '../../shared/step';
import { accountsView } from './accounts-view';
import { FileSource } from './byte-source';
import { CallList } from './call-list';
import { ChangeTracker } from './changes';
import { concurrencyRecord, concurrencyView } from './concurrency-view';
import { frameDetail } from './detail/detail';
import { flowView } from './flow-view';
import { Follower } from './follower';
import { openInput } from './input';
import { readAll } from './open';
import { openProblem } from './open-problem';
import { octetSlice, page, windowsOf } from './pages';
import { ProgressTimer } from './progress';
import { callDetail } from './records/call-detail';
import { connectionRecord } from './records/connections';
import { withStalled } from './records/stalled-call';
import { Session } from './session';
import { Steps } from './steps';
import { captureSummary } from './summary';
import { Views } from './views';

/** One capture under work: everything that goes with it. */
interface Work {
  session: Session;
  tracker: ChangeTracker;
  views: Views;
  callList: CallList;
  steps: Steps;
  follower: Follower | undefined;
  /** Ends the reading of a whole file. */
  abort: AbortController;
  read(): number;
  committed(): number | null;
}

/**
 * Reads one capture at a time, whole or while it grows, and answers queries meanwhile. It runs in any thread; what
 * takes long is done in turns of some 10 ms.
 */
export class Engine implements EngineApi {
  private work: Work | undefined;
  private state: EngineState = 'idle';
  /** Counts captures, those that could not be opened too. */
  private opening = 0;
  private failure: string | null = null;
  private file: string | null = null;
  private changedFrom: number | null = null;
  private readonly progress: ProgressTimer;

  constructor(events: EngineEvents) {
    this.progress = new ProgressTimer(() => {
      events.progress(this.progressNow());
      this.changedFrom = null;
    });
  }

  async open(file: string): Promise<void> {
    const opening = this.begin(file, 'reading');
    try {
      const input = await openInput(file);
      const session = new Session(input.source);
      if (opening !== this.opening) {
        session.close();
        throw new Error('reading was given up');
      }
      const { abort } = this.take(session, undefined, {
        read: () => input.taken,
        committed: () => input.total ?? null,
      });
      await readAll(session.capture, input, { signal: abort.signal, onProgress: () => this.advance() });
      this.ended(undefined);
    } catch (error) {
      if (opening === this.opening) this.ended((error as Error).message);
      throw error;
    }
  }

  async follow(file: string): Promise<void> {
    this.begin(file, 'following');
    try {
      const source = openSource(file);
      const session = new Session(source);
      const follower = new Follower(file, source, session.capture, {
        advanced: () => this.advance(),
        ended: (failure) => this.ended(failure),
      });
      this.take(session, follower, { read: () => follower.position, committed: () => follower.committedLength });
    } catch (error) {
      this.ended((error as Error).message);
      throw error;
    }
  }

  async committed(length: number): Promise<void> {
    this.work?.follower?.committed(length);
    this.progress.touch();
  }

  async finish(): Promise<void> {
    const follower = this.work?.follower;
    if (follower === undefined) throw new Error('no file is being followed');
    await follower.finish();
  }

  async close(): Promise<void> {
    const { work } = this;
    this.opening++;
    this.work = undefined;
    this.state = 'idle';
    this.failure = null;
    this.file = null;
    this.changedFrom = null;
    this.progress.stop();
    if (work === undefined) return;
    work.abort.abort(new Error('reading was given up'));
    work.views.close();
    work.steps.close();
    work.follower?.close();
    work.session.close();
  }

  /** @returns what tells this capture's turn from a later one's */
  private begin(file: string, state: EngineState): number {
    const free = this.work === undefined && (this.state === 'idle' || this.state === 'failed');
    if (!free) throw new Error(`${this.file} is open: close it first`);
    this.file = file;
    this.state = state;
    this.failure = null;
    return ++this.opening;
  }

  private take(session: Session, follower: Follower | undefined, figures: Pick<Work, 'read' | 'committed'>): Work {
    const { capture } = session;
    this.work = {
      session,
      tracker: new ChangeTracker(capture),
      views: new Views(session, () => this.progress.touch()),
      callList: new CallList(capture),
      steps: new Steps(session),
      follower,
      abort: new AbortController(),
      ...figures,
    };
    return this.work;
  }

  /** Octets were decoded. */
  private advance(): void {
    if (this.work === undefined) return;
    const changes = this.work.tracker.advance();
    for (const row of changes.rows) this.changed(row + 1);
    if (changes.restart < changes.from) this.changed(changes.restart + 1);
    this.work.views.apply(changes);
    // Rows of WINDOW_UPDATEs tell it: the first of a long file must not wait for all of them.
    this.work.session.flow.sender.advance();
    this.progress.touch();
  }

  /** Reading is over: the capture has its last rows, and these their final numbers. */
  private ended(failure: string | undefined): void {
    this.state = failure === undefined ? 'complete' : 'failed';
    this.failure = failure ?? null;
    this.advance();
    if (this.work?.session.reordered === true) {
      this.changed(1);
      this.work.views.restart();
    }
    this.progress.flush();
  }

  private changed(n: number): void {
    if (this.changedFrom === null || n < this.changedFrom) this.changedFrom = n;
  }

  private statusNow(): EngineStatus {
    const { work, state, failure, file } = this;
    const capture = work?.session.capture;
    const read = work?.read() ?? 0;
    const committed = work === undefined ? null : work.committed();
    return {
      state,
      failure,
      file,
      read,
      committed,
      lag: committed === null ? 0 : Math.max(0, committed - read),
      packets: capture?.packetCount ?? 0,
      connections: capture?.connections.length ?? 0,
      frames: capture?.frames.count ?? 0,
      calls: capture?.calls.count ?? 0,
      messages: capture?.messages.count ?? 0,
      chunks: capture?.chunks.count ?? 0,
      faults: capture?.frames.faultCount ?? 0,
      troubles: capture?.troubles.length ?? 0,
      lastTime: (capture?.lastTime ?? 0) / 1e9,
      hasDeliveries: capture?.hasDeliveries ?? false,
    };
  }

  private progressNow(): EngineProgress {
    return { ...this.statusNow(), changedFrom: this.changedFrom, views: this.work?.views.states ?? [] };
  }

  async status(): Promise<EngineStatus> {
    return this.statusNow();
  }

  async summary(): Promise<CaptureSummary | null> {
    return this.work === undefined ? null : (captureSummary(this.work.session.capture) ?? null);
  }

  async troubles(range: Range): Promise<Page<TroubleRecord>> {
    const { troubles } = this.session.capture;
    return page(range, troubles.length, (i) => ({ ...troubles[i]! }));
  }

  async setFilter(filter: string, replaces?: number): Promise<FilterAnswer> {
    return this.opened.views.create(filter, replaces);
  }

  async view(view: number): Promise<ViewState> {
    return this.opened.views.get(view).state;
  }

  async dropView(view: number): Promise<void> {
    this.work?.views.drop(view);
  }

  async frames({ view: id, settled, ...range }: FrameQuery): Promise<FramePage> {
    const { session, views } = this.opened;
    if (id === undefined) {
      return { ...page(range, session.frameCount, (i) => session.frame(i + 1)), revision: 0 };
    }
    const view = views.get(id);
    if (settled === true) view.work(Number.POSITIVE_INFINITY);
    const { revision } = view.state;
    return { ...page(range, view.count, (i) => session.frame(view.numberAt(i))), revision };
  }

  async positionOf(n: number, view?: number): Promise<number> {
    const { session, views } = this.opened;
    if (view !== undefined) return views.get(view).positionOf(n);
    return Math.max(0, Math.min(n - 1, session.frameCount));
  }

  async frame(n: number): Promise<FrameDetail> {
    const { session } = this;
    return frameDetail(session.capture, session.payloads, session.flow.sender, session.rowOf(n));
  }

  async frameOctets(n: number, range: Range): Promise<OctetSlice> {
    const { session } = this.opened;
    return octetSlice(session, { row: session.rowOf(n) }, range);
  }

  async chunkOctets(chunk: number, range: Range): Promise<OctetSlice> {
    return octetSlice(this.session, { chunk }, range);
  }

  async connections(range: Range): Promise<Page<ConnectionRecord>> {
    const { capture } = this.session;
    const { connections } = capture;
    return page(range, connections.length, (i) => connectionRecord(capture, connections[i]!));
  }

  async calls(query: CallQuery): Promise<Page<CallRecord>> {
    const { session, callList } = this.opened;
    const order = callList.order(query);
    return page(query, order?.length ?? session.callCount, (i) => withStalled(session, session.call(order?.[i] ?? i)));
  }

  async callDetail(conn: number, stream: number): Promise<CallDetail | null> {
    const index = this.callIndex(conn, stream);
    if (index === -1) return null;
    const detail = callDetail(this.session.capture, index);
    return { ...detail, call: withStalled(this.session, detail.call) };
  }

  async call(conn: number, stream: number): Promise<CallRecord | null> {
    const index = this.callIndex(conn, stream);
    return index === -1 ? null : this.session.call(index);
  }

  async messages(range: Range): Promise<Page<MessageRecord>> {
    const { session } = this;
    return page(range, session.messageCount, (i) => session.message(i));
  }

  async messagesOf(conn: number, stream: number, range: Range): Promise<Page<MessageRecord>> {
    const { session } = this;
    const index = this.callIndex(conn, stream);
    const rows = index === -1 ? [] : session.messageRowsOf(index);
    return page(range, rows.length, (i) => session.message(rows[i]!));
  }

  async overview(buckets: number, view?: number): Promise<Overview> {
    return this.opened.views.overview(buckets, view);
  }

  async windows(query: WindowsQuery): Promise<WindowsAnswer> {
    const { session } = this;
    return windowsOf(session.capture, session.flow[query.view], query);
  }

  async flow(query: FlowQuery): Promise<FlowAnswer> {
    return flowView(this.session, query);
  }

  async accounts(query: AccountsQuery): Promise<AccountsAnswer> {
    return accountsView(this.session.capture, query);
  }

  async concurrency(query: ConcurrencyQuery): Promise<ConcurrencyAnswer> {
    return concurrencyView(this.session.capture, query);
  }

  async concurrencies(range: Range): Promise<Page<ConcurrencyRecord>> {
    const { capture } = this.session;
    return page(range, capture.connections.length, (i) => concurrencyRecord(capture, i + 1));
  }

  async step(n: number): Promise<StepState> {
    return this.opened.steps.step(n);
  }

  async stepTo(n: number, by: StepBy, direction: 1 | -1): Promise<number | null> {
    return this.opened.steps.move(n, by, direction);
  }

  async rounds(conn: number, range: Range): Promise<Page<RoundRecord>> {
    return this.session.rounds.page(conn, range);
  }

  async findings(): Promise<FindingsAnswer> {
    return this.session.findings.get();
  }

  private callIndex(conn: number, stream: number): number {
    const { capture } = this.session;
    return capture.connections[conn - 1] === undefined ? -1 : capture.callAt(conn, stream);
  }

  private get opened(): Work {
    if (this.work === undefined) throw new Error('no capture is open');
    return this.work;
  }

  private get session(): Session {
    return this.opened.session;
  }
}

function openSource(file: string): FileSource {
  try {
    return new FileSource(file);
  } catch (error) {
    throw openProblem(file, error as NodeJS.ErrnoException);
  }
}
