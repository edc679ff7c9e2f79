import type { AccountsQuery } from '../../shared/accounts';
import type { ConcurrencyQuery } from '../../shared/concurrency';
import type { CallQuery, EngineApi, FrameQuery, Range, WindowsQuery } from '../../shared/contract';
import type { FlowQuery } from '../../shared/flow';
import type { StepBy } from '../../shared/step';

/** What a window asks of the engine, handed on as it is: the engine bounds its answers itself. */
export abstract class EngineQueries {
  protected abstract get engine(): EngineApi;

  status() {
    return this.engine.status();
  }
  summary() {
    return this.engine.summary();
  }
  troubles(range: Range) {
    return this.engine.troubles(range);
  }
  setFilter(filter: string, replaces?: number) {
    return this.engine.setFilter(filter, replaces);
  }
  view(view: number) {
    return this.engine.view(view);
  }
  dropView(view: number) {
    return this.engine.dropView(view);
  }
  frames(query: FrameQuery) {
    return this.engine.frames(query);
  }
  positionOf(n: number, view?: number) {
    return this.engine.positionOf(n, view);
  }
  frame(n: number) {
    return this.engine.frame(n);
  }
  frameOctets(n: number, range: Range) {
    return this.engine.frameOctets(n, range);
  }
  chunkOctets(chunk: number, range: Range) {
    return this.engine.chunkOctets(chunk, range);
  }
  connections(range: Range) {
    return this.engine.connections(range);
  }
  calls(query: CallQuery) {
    return this.engine.calls(query);
  }
  callDetail(conn: number, stream: number) {
    return this.engine.callDetail(conn, stream);
  }
  call(conn: number, stream: number) {
    return this.engine.call(conn, stream);
  }
  messages(range: Range) {
    return this.engine.messages(range);
  }
  messagesOf(conn: number, stream: number, range: Range) {
    return this.engine.messagesOf(conn, stream, range);
  }
  overview(buckets: number, view?: number) {
    return this.engine.overview(buckets, view);
  }
  windows(query: WindowsQuery) {
    return this.engine.windows(query);
  }
  flow(query: FlowQuery) {
    return this.engine.flow(query);
  }
  accounts(query: AccountsQuery) {
    return this.engine.accounts(query);
  }
  concurrency(query: ConcurrencyQuery) {
    return this.engine.concurrency(query);
  }
  concurrencies(range: Range) {
    return this.engine.concurrencies(range);
  }
  step(n: number) {
    return this.engine.step(n);
  }
  stepTo(n: number, by: StepBy, direction: 1 | -1) {
    return this.engine.stepTo(n, by, direction);
  }
  rounds(conn: number, range: Range) {
    return this.engine.rounds(conn, range);
  }
  findings() {
    return this.engine.findings();
  }
}
