import { CallKind, CallState, type CallTable, MessageBit, type MessageTable } from '../capture/calls';
import type { Connection } from '../capture/connection';
import { type FrameTable, NO_ROW } from '../capture/frames';
import { type HeaderStore, Known } from '../hpack/header-store';
import type { Stream } from '../http2/stream';
import type { Side } from '../tcp/types';
import { MessageParser } from './message-parser';

const REFUSED_STREAM = 7;
const GRPC_CONTENT_TYPE = [...'application/grpc'].map((c) => c.charCodeAt(0));
const IDENTITY = [...'identity'].map((c) => c.charCodeAt(0));

/** Keeps the calls of one connection: what each stream asked for, what came back, and how it ended. */
export class CallTracker {
  /** A content type that was found to be gRPC's. */
  private grpcField = -1;

  constructor(
    private readonly connection: Connection,
    private readonly frames: FrameTable,
    private readonly calls: CallTable,
    private readonly messages: MessageTable,
    private readonly headers: HeaderStore,
  ) {}

  /** A stream carries its first request, response or DATA. */
  open(stream: Stream, row: number): number {
    if (stream.call === -1) {
      stream.call = this.calls.push(this.connection.id, stream.id, row);
      this.connection.calls.push(stream.call);
      if (stream.id < this.connection.highestCallStream) this.connection.callsAscending = false;
      else this.connection.highestCallStream = stream.id;
    }
    return stream.call;
  }

  /** A frame of the stream has its row. */
  row({ call }: Stream, row: number): void {
    if (call !== -1) this.calls.lastRow.set(call, row);
  }

  /** The request's first frame has come behind answers to it: its octets had come late. */
  begun({ call }: Stream, row: number): void {
    if (call !== -1) this.calls.startRow.set(call, row);
  }

  /** A header block of a stream is complete. `promised`: it came in a PUSH_PROMISE, as the request to be answered. */
  block(stream: Stream, side: Side, list: number, row: number, promised: boolean): void {
    const call = this.open(stream, row);
    const { calls, headers } = this;
    calls.lastRow.set(call, row);
    if (promised) {
      calls.request.set(call, list + 1);
      this.setKind(call, list);
      return;
    }
    const state = stream.messages[side];
    if (state === undefined) return;
    if (this.isRequest(side, list)) {
      if (!state.headersSeen) {
        state.headersSeen = true;
        calls.request.set(call, list + 1);
        this.setKind(call, list);
      }
      return;
    }
    const status = headers.find(list, Known.STATUS);
    if (status !== -1) {
      const code = headers.number(status);
      if (code !== undefined && code >= 100 && code < 200) return; // informational: the final response follows
    }
    if (state.headersSeen) {
      calls.trailers.set(call, list + 1);
    } else {
      state.headersSeen = true;
      calls.responseRow.set(call, row);
      if (status === -1) {
        calls.trailers.set(call, list + 1); // joined in the middle: the response's beginning was before the capture
      } else {
        calls.response.set(call, list + 1);
      }
      if (calls.kind.get(call) === CallKind.UNKNOWN) this.setKind(call, list);
    }
  }

  private isRequest(side: Side, list: number): boolean {
    if (this.headers.find(list, Known.METHOD) !== -1) return true;
    if (this.headers.find(list, Known.STATUS) !== -1) return false;
    return side === this.connection.clientSide;
  }

  private setKind(call: number, list: number): void {
    const type = this.headers.find(list, Known.CONTENT_TYPE);
    const grpc = (type !== -1 && this.isGrpc(type)) || this.headers.find(list, Known.GRPC_STATUS) !== -1;
    // A request is plain HTTP when it does not say gRPC; trailers without grpc-status leave it open.
    if (grpc) this.calls.kind.set(call, CallKind.GRPC);
    else if (this.headers.find(list, Known.METHOD) !== -1 || type !== -1) this.calls.kind.set(call, CallKind.HTTP);
  }

  /** `application/grpc`, alone or followed by `+proto` or parameters; gRPC-Web frames its trailers differently. */
  private isGrpc(field: number): boolean {
    if (field === this.grpcField) return true; // nearly always: equal fields are stored once
    const value = this.headers.valueOctets(field);
    for (let i = 0; i < GRPC_CONTENT_TYPE.length; i++) if (value[i] !== GRPC_CONTENT_TYPE[i]) return false;
    const next = value[GRPC_CONTENT_TYPE.length];
    const grpc = next === undefined || next === 0x2b || next === 0x3b || next === 0x20;
    if (grpc) this.grpcField = field;
    return grpc;
  }

  /** Content of a DATA frame, as it arrives: padding left out. */
  data(stream: Stream, side: Side, data: Uint8Array, start: number, end: number): void {
    const call = this.open(stream, NO_ROW);
    this.addBytes(call, side, end - start);
    if (end > start) this.parser(stream, side, call)?.feed(data, start, end);
  }

  /** Content of a DATA frame that is in no packet. */
  unseen(stream: Stream, side: Side, count: number): void {
    if (stream.call !== -1) this.addBytes(stream.call, side, count);
    stream.messages[side]?.parser?.unseen(count);
  }

  private addBytes(call: number, side: Side, count: number): void {
    const bytes = side === this.connection.clientSide ? this.calls.requestBytes : this.calls.responseBytes;
    bytes.set(call, bytes.get(call) + count);
  }

  private parser(stream: Stream, side: Side, call: number): MessageParser | undefined {
    const state = stream.messages[side];
    if (state === undefined || state.parser !== undefined) return state?.parser;
    const kind = this.calls.kind.get(call);
    let assumed = 0;
    if (kind === CallKind.HTTP) return undefined;
    if (kind === CallKind.UNKNOWN) {
      // No headers were seen (joined in the middle): a plausible prefix is taken for one, and said so.
      assumed = MessageBit.ASSUMED;
    } else if (side !== this.connection.clientSide) {
      const response = this.calls.response.get(call);
      const type = response === 0 ? -1 : this.headers.find(response - 1, Known.CONTENT_TYPE);
      if (type !== -1 && !this.isGrpc(type)) return undefined; // a proxy's error page, say
    }
    const parser = new MessageParser(this.messages, this.frames, call, side | assumed, this.encoded);
    state.parser = parser;
    return parser;
  }

  private readonly encoded = (call: number, side: Side): boolean => {
    const { calls, headers } = this;
    const list = side === this.connection.clientSide ? calls.request.get(call) : calls.response.get(call);
    if (list === 0) return true; // not seen: nothing to hold against it
    const field = headers.find(list - 1, Known.GRPC_ENCODING);
    if (field === -1) return false;
    const value = headers.valueOctets(field);
    return value.length !== IDENTITY.length || value.some((octet, i) => octet !== IDENTITY[i]);
  };

  /** A DATA frame of a stream has its row. @returns the first message in it + 1, or 0. */
  dataEnd(stream: Stream, side: Side, row: number): number {
    const { call } = stream;
    if (call === -1) return 0;
    this.calls.lastRow.set(call, row);
    if (this.calls.startRow.get(call) === NO_ROW) this.calls.startRow.set(call, row);
    const parser = stream.messages[side]?.parser;
    if (parser === undefined) return 0;
    const first = parser.frameEnd(row);
    const count = side === this.connection.clientSide ? this.calls.requestMessages : this.calls.responseMessages;
    count.set(call, parser.count);
    return first;
  }

  /** A side sent END_STREAM. */
  ended(stream: Stream, side: Side, row: number): void {
    const { call } = stream;
    if (call === -1) return;
    const fault = stream.messages[side]?.parser?.end();
    if (fault !== undefined) this.frames.fault(row, fault);
    if (side === this.connection.clientSide) {
      this.calls.requestEndRow.set(call, row);
    } else if (this.calls.endRow.get(call) === NO_ROW) {
      this.calls.endRow.set(call, row);
      this.calls.state.set(call, CallState.CLOSED);
    }
  }

  reset(stream: Stream, code: number, row: number): void {
    const { call } = stream;
    if (call === -1) return;
    const { calls } = this;
    calls.lastRow.set(call, row);
    if (calls.reset.get(call) === 0) calls.reset.set(call, code + 1);
    if (calls.endRow.get(call) === NO_ROW) {
      calls.endRow.set(call, row);
      calls.state.set(call, CallState.RESET);
      if (code === REFUSED_STREAM) calls.unprocessed.set(call, 1);
    }
  }

  /** RFC 9113 §6.8: a GOAWAY says that its sender did not process this stream. What was answered in full was. */
  unprocessed(stream: Stream): void {
    const { call } = stream;
    if (call !== -1 && this.calls.state.get(call) !== CallState.CLOSED) this.calls.unprocessed.set(call, 1);
  }
}
