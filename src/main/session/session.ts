import { Capture } from '../../core/capture/capture';
import { RowBit } from '../../core/capture/frames';
import { FlowAnalysis } from '../../core/flow/flow-analysis';
import { FlowIndex } from '../../core/flow/flow-index';
import type { WindowView } from '../../core/flow/window-tracker';
import type { Side } from '../../core/tcp/types';
import type { CallRecord, ConnectionRecord, FrameRecord, MessageRecord } from '../../shared/records';
import type { ByteSource } from './byte-source';
import type { Filter, FilterRows } from './filter/filter';
import { FindingsCache } from './findings';
import { Payloads } from './payloads';
import { callMethod, callRecord, callStatus } from './records/calls';
import { connectionRecord } from './records/connections';
import { frameRecord } from './records/frames';
import { rowInfo } from './records/info';
import { messageRecord } from './records/messages';
import { RoundsCache } from './rounds';

/**
 * One capture file and its index, as records. Octets are fed in order (`capture.push`) by who reads the file; payloads
 * are read back from `source` when a record needs them.
 */
export class Session implements FilterRows {
  readonly capture = new Capture();
  readonly payloads: Payloads;
  /** Windows in both views; counted when first asked for. */
  readonly flow: Readonly<Record<WindowView, FlowIndex>>;
  /** Stalls and limits; computed when first asked for. */
  readonly analysis: FlowAnalysis;
  /** Computed when first asked for. */
  readonly findings: FindingsCache;
  readonly rounds: RoundsCache;
  private moved: boolean | undefined;

  constructor(readonly source: ByteSource) {
    this.payloads = new Payloads(this.capture, source);
    this.flow = { sender: new FlowIndex(this.capture, 'sender'), receiver: new FlowIndex(this.capture, 'receiver') };
    this.analysis = new FlowAnalysis(this.capture, this.flow);
    this.rounds = new RoundsCache(this.capture, this.payloads);
    this.findings = new FindingsCache(this.capture, this.payloads, this.analysis);
  }

  get frameCount(): number {
    return this.capture.frames.count;
  }

  /** @param n from 1 to `frameCount`. @throws RangeError for any other */
  rowOf(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > this.frameCount) {
      throw new RangeError(`there is no frame ${n}: the capture has ${this.frameCount}`);
    }
    return this.capture.rowOf(n);
  }

  /** @param n from 1 to `frameCount` */
  frame(n: number): FrameRecord {
    return frameRecord(this.capture, this.payloads, this.rowOf(n), this.flow.sender);
  }

  /** A frame's octets as captured, header included; none of a gap. */
  frameOctets(n: number): Uint8Array {
    return this.payloads.row(this.rowOf(n));
  }

  connections(): ConnectionRecord[] {
    return this.capture.connections.map((connection) => connectionRecord(this.capture, connection));
  }

  get callCount(): number {
    return this.capture.calls.count;
  }

  /** @param index from 0, in the order in which streams opened */
  call(index: number): CallRecord {
    return callRecord(this.capture, index);
  }

  get messageCount(): number {
    return this.capture.messages.count;
  }

  /** @param index from 0, in the order in which messages began */
  message(index: number): MessageRecord {
    return messageRecord(this.capture, this.payloads, index);
  }

  /** Messages of one call, the client's first, each side's in order. */
  messagesOf(call: number): MessageRecord[] {
    return this.messageRowsOf(call).map((message) => this.message(message));
  }

  /** Rows of the message table, in the order of `messagesOf`. */
  messageRowsOf(call: number): number[] {
    const { messages, calls, connections } = this.capture;
    const client = connections[calls.conn.get(call) - 1]!.clientSide;
    const found: [number[], number[]] = [[], []];
    for (let message = 0; message < messages.count; message++) {
      if (messages.call.get(message) === call) found[(messages.bits.get(message) & RowBit.SIDE) as Side].push(message);
    }
    return [...found[client], ...found[client ^ 1]!];
  }

  /** Frames' numbers are not in the order of the capture's rows: segments had come out of order. Known at the end. */
  get reordered(): boolean {
    const { capture, frameCount } = this;
    if (!capture.ended) return false;
    if (this.moved === undefined) {
      let row = 0;
      while (row < frameCount && capture.numberOf(row) === row + 1) row++;
      this.moved = row < frameCount;
    }
    return this.moved;
  }

  /** Numbers of the frames that pass, ascending. */
  select(filter: Filter | undefined, from = 1, to = this.frameCount): number[] {
    if (filter === undefined) return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
    const rows: number[] = [];
    filter.select(this, 0, this.frameCount, rows);
    return rows
      .map((row) => this.capture.numberOf(row))
      .filter((n) => n >= from && n <= to)
      .sort((a, b) => a - b);
  }

  // FilterRows

  info(row: number): string {
    return rowInfo(this.capture, this.payloads, row, this.flow.sender);
  }

  callOf(row: number): number {
    const { frames } = this.capture;
    return frames.stream.get(row) === 0 ? -1 : this.capture.callAt(frames.conn.get(row), frames.stream.get(row));
  }

  callStatus(call: number): number | null {
    return callStatus(this.capture, call)?.status ?? null;
  }

  callMethod(call: number): string | null {
    return callMethod(this.capture, call);
  }

  close(): void {
    this.source.close();
  }
}
