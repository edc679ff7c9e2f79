/**
 * The contract of the engine, which reads captures and answers queries in a thread of its own. Whatever carries it (a
 * message port, Electron's bridge, a WebSocket) carries exactly this. A capture is never handed over: every query names
 * a range, and every answer is bounded by it and by the limits below.
 */
import type { AccountsAnswer, AccountsQuery } from './accounts';
import type { ConcurrencyAnswer, ConcurrencyQuery, ConcurrencyRecord } from './concurrency';
import type { FrameDetail } from './detail';
import type { FlowAnswer, FlowQuery } from './flow';
import type {
  CallRecord,
  ConnectionRecord,
  Direction,
  FindingRecord,
  FrameRecord,
  HeaderField,
  MessageRecord,
  RoundRecord,
} from './records';
import type { Overview, WindowsAnswer } from './series';
import type { StepBy, StepState } from './step';

/** Records in one answer at most; a query that asks for more gets so many. */
export const MAX_RECORDS = 5000;
/** Octets in one answer at most. */
export const MAX_OCTETS = 1 << 20;
/** Series in one answer at most. */
export const MAX_WINDOWS = 64;
/** Views open at one time at most. */
export const MAX_VIEWS = 32;

/** Part of a list: `count` of its members (at most MAX_RECORDS) from position `from`, counted from 0. */
export interface Range {
  from: number;
  count: number;
}

export interface Page<T> {
  /** The whole list's length at the time of the answer. */
  total: number;
  from: number;
  items: T[];
}

/**
 * `idle`: no capture; `reading`: a file that is whole; `following`: one that grows; `complete`: all read; `failed`:
 * reading ended early (`failure` says why), and what was read can still be asked for.
 */
export type EngineState = 'idle' | 'reading' | 'following' | 'complete' | 'failed';

export interface EngineStatus {
  state: EngineState;
  failure: string | null;
  file: string | null;
  /** Octets of the file taken; of a compressed file, compressed ones. */
  read: number;
  /** Octets that are there to be taken: the committed length, or the file's size; null where that is unknown (a pipe). */
  committed: number | null;
  /** Octets committed but not read. */
  lag: number;
  packets: number;
  connections: number;
  frames: number;
  calls: number;
  messages: number;
  chunks: number;
  /** Faults of peers, on all frames. */
  faults: number;
  /** What was not understood of the file. */
  troubles: number;
  /** Time of the last packet, seconds since the first. */
  lastTime: number;
  /** The file tells when octets were delivered. */
  hasDeliveries: boolean;
}

export interface EngineProgress extends EngineStatus {
  /** Lowest number of a frame that reads differently since the last event (a delivery, an answer); null for none. */
  changedFrom: number | null;
  views: ViewState[];
}

/** A filter's rows. They grow while the capture does. */
export interface ViewState {
  view: number;
  filter: string;
  /** Frames that pass, of those looked at. */
  count: number;
  /** Frames looked at; fewer than there are while the filter is at work. */
  evaluated: number;
  /** Grows when frames entered or left before the view's end, so that positions known before may be wrong. */
  revision: number;
}

/** What is wrong with a filter, and where (UTF-16 units from 0). */
export interface FilterFault {
  message: string;
  at: number;
  length: number;
}

export type FilterAnswer = { view: number } | { error: FilterFault };

export interface FrameQuery extends Range {
  /** Without one, all frames. */
  view?: number;
  /** Answer only when the view has looked at all frames there are. */
  settled?: boolean;
}

/** `start` is the order in which streams opened. Calls without an end, or a status, come last. */
export type CallOrder = 'start' | 'duration' | 'bytes' | 'method' | 'status';

export interface CallQuery extends Range {
  /** `start` when not given. */
  order?: CallOrder;
  descending?: boolean;
  /** Calls whose method contains this, upper or lower case alike. */
  method?: string;
}

/** A call with its header lists; null for what was not seen. */
export interface CallDetail {
  call: CallRecord;
  request: HeaderField[] | null;
  response: HeaderField[] | null;
  trailers: HeaderField[] | null;
  /** Numbers of its first frame and its newest. */
  frames: [first: number, last: number];
}

export interface FramePage extends Page<FrameRecord> {
  /** The view's; 0 without one. */
  revision: number;
}

export interface OctetSlice {
  /** Octets of the whole. */
  total: number;
  from: number;
  octets: Uint8Array;
}

export interface TroubleRecord {
  fileOffset: number;
  message: string;
}

export interface InterfaceSummary {
  id: number;
  linkType: number;
  snapLength: number;
  name?: string;
  description?: string;
  comment?: string;
}

/** What the file is: `penstock info`. */
export interface CaptureSummary {
  format: 'pcap' | 'pcapng';
  /** The program that wrote it, where it says so. */
  application: string | null;
  /** Decompressed. */
  size: number;
  packets: number;
  /** Packets that carried no TCP. */
  ignoredPackets: number;
  /** Nanoseconds since 1970 of the first packet, in decimal; null without packets. */
  firstTime: string | null;
  /** Seconds from the first packet to the last. */
  duration: number;
  interfaces: InterfaceSummary[];
  /** Changes and marks that a tap wrote while it ran; comments are JSON in Penstock's files. */
  marks: { interface: number; t: number; comment?: string }[];
}

/** Windows of one connection over time. Times are seconds. */
export interface WindowsQuery {
  conn: number;
  /** In which direction the DATA goes that spends them. */
  dir: Direction;
  /** 0 is the connection's window; at most MAX_WINDOWS of them are answered. */
  streams: number[];
  view: 'sender' | 'receiver';
  from: number;
  to: number;
  /** Intervals that there are pixels for. */
  buckets: number;
}

/** What was found, the gravest first, and how many findings were left out because there were too many of their kind. */
export interface FindingsAnswer {
  findings: FindingRecord[];
  leftOut: number;
}

/** Promises reject only for requests that make no sense (a frame that is not there) and for faults of the engine. */
export interface EngineApi {
  /** Reads a whole file, or `-` for standard input; resolves when all of it is read. Queries are answered meanwhile. */
  open(file: string): Promise<void>;
  /** Follows a file that grows. Nothing is read until `committed` says how far it is complete. */
  follow(file: string): Promise<void>;
  committed(length: number): Promise<void>;
  /** The followed file grows no more: resolves when all that was committed is read. */
  finish(): Promise<void>;
  /** Forgets the capture; `open` or `follow` may come again. */
  close(): Promise<void>;

  status(): Promise<EngineStatus>;
  /** Null while the file's beginning is not read. */
  summary(): Promise<CaptureSummary | null>;
  troubles(range: Range): Promise<Page<TroubleRecord>>;

  /** @param replaces a view that is no longer wanted; it stays when the filter is wrong */
  setFilter(filter: string, replaces?: number): Promise<FilterAnswer>;
  view(view: number): Promise<ViewState>;
  dropView(view: number): Promise<void>;

  frames(query: FrameQuery): Promise<FramePage>;
  /** Position in the view of frame `n`, or of the first after it. */
  positionOf(n: number, view?: number): Promise<number>;
  frame(n: number): Promise<FrameDetail>;
  frameOctets(n: number, range: Range): Promise<OctetSlice>;
  chunkOctets(chunk: number, range: Range): Promise<OctetSlice>;

  connections(range: Range): Promise<Page<ConnectionRecord>>;
  /** In the order in which streams opened. */
  calls(query: CallQuery): Promise<Page<CallRecord>>;
  callDetail(conn: number, stream: number): Promise<CallDetail | null>;
  call(conn: number, stream: number): Promise<CallRecord | null>;
  /** In the order in which messages began. */
  messages(range: Range): Promise<Page<MessageRecord>>;
  /** Of one call: the client's first, each side's in order. */
  messagesOf(conn: number, stream: number, range: Range): Promise<Page<MessageRecord>>;

  /** Frames and octets over the whole time, in `buckets` intervals (at most 4096); of a view's frames when one is given. */
  overview(buckets: number, view?: number): Promise<Overview>;
  windows(query: WindowsQuery): Promise<WindowsAnswer>;
  /** Stalls, marks, rates and the limit of one connection in one direction. */
  flow(query: FlowQuery): Promise<FlowAnswer>;
  accounts(query: AccountsQuery): Promise<AccountsAnswer>;
  concurrency(query: ConcurrencyQuery): Promise<ConcurrencyAnswer>;
  /** Of each connection, in their order. */
  concurrencies(range: Range): Promise<Page<ConcurrencyRecord>>;
  /** Its connection as it was when frame `n` had been sent. Far into a long capture, the first takes a while. */
  step(n: number): Promise<StepState>;
  /** The frame that a step from frame `n` leads to, on the same connection; null where there is none further on. */
  stepTo(n: number, by: StepBy, direction: 1 | -1): Promise<number | null>;
  /** Of one connection, in the order of its PINGs. */
  rounds(conn: number, range: Range): Promise<Page<RoundRecord>>;
  /** Of all frames there are by now: the first answer about a long capture takes a while. */
  findings(): Promise<FindingsAnswer>;
}

/** What the engine tells unasked. Each event stands for itself: one that is missed is made good by the next. */
export interface EngineEvents {
  /** At most every 50 ms, and once when something is done. */
  progress(progress: EngineProgress): void;
}
