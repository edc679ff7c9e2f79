/**
 * The records that the command line prints as JSON Lines and that the views show. Field names are a contract with
 * scripts: fields may be added, never changed. Times are seconds since the capture's first packet; sizes are octets.
 */

export type Direction = 'toServer' | 'toClient';

/** What a peer did wrong, or what a decoder could not follow: a value, never an exception. */
export interface Fault {
  /** An RFC 9113 §7 error name where there is one (`PROTOCOL_ERROR`), else a name of Penstock's (`GRPC_MESSAGE`). */
  code: string;
  scope: 'connection' | 'stream';
  /** Where the rule stands: `RFC 9113 §6.5.2`, `gRPC PROTOCOL-HTTP2 Length-Prefixed-Message`. */
  clause: string;
  message: string;
}

/** RFC 9113 §5.3.1, deprecated but still on the wire. `weight` is 1 to 256, one more than its octet. */
export interface Priority {
  exclusive: boolean;
  dependency: number;
  weight: number;
}

/** A header field; both parts are Latin-1 readings of the octets. A null value was never seen (joined mid-connection). */
export type HeaderField = [name: string, value: string | null];

/** One row of the timeline: a frame, or with `typeId` null what stands between frames (PREFACE, GAP, TLS, …). */
export interface FrameRecord {
  n: number;
  /** Arrival of the last octet at the capture point. */
  t: number;
  /** Arrival of the first octet, when it differs from `t`. */
  tFirst?: number;
  /** When the tap had handed the last octet on; only in files that Penstock wrote, null until then. */
  delivered?: number | null;
  conn: number;
  dir: Direction;
  /** Chunk of the last octet. Ids are file-wide, from 1. */
  chunk: number;
  chunks: [first: number, last: number];
  type: string;
  typeId: number | null;
  flags: string[];
  flagBits: number;
  stream: number;
  /** The reserved bit before the stream identifier. */
  reserved: number;
  length: number;
  /** Of the frame's first octet in its direction's octet stream. */
  offset: number;
  complete: boolean;
  /** Octets seen of an incomplete frame, its nine-octet header included. */
  captured?: number;
  info: string;
  headers?: HeaderField[];
  /** Fields behind those in `headers`, left out because a record cannot hold them all. */
  headersLeftOut?: number;
  /** The rows that carry this header block. */
  block?: number[];
  settings?: [id: number, name: string, value: number][];
  increment?: number;
  errorCode?: string;
  errorCodeId?: number;
  lastStream?: number;
  debug?: string;
  promised?: number;
  payload?: string;
  dataLength?: number;
  padding?: number;
  priority?: Priority;
  faults?: Fault[];
}

export type Protocol = 'h2' | 'h2c-upgrade' | 'http/1.1' | 'tls' | 'opaque';

export interface ConnectionRecord {
  conn: number;
  client: string;
  server: string;
  protocol: Protocol;
  joined: 'start' | 'middle';
  /** Frames by type and direction. */
  frames: Record<Direction, Record<string, number>>;
  bytes: Record<Direction, number>;
  start: number;
  end: number;
  closed: { by: 'client' | 'server'; how: 'fin' | 'reset' } | null;
  /** Software that the peers' settings, pings and headers speak of. */
  clientImplementation?: string;
  serverImplementation?: string;
}

export interface CallRecord {
  conn: number;
  stream: number;
  kind: 'grpc' | 'http';
  /** gRPC: the path; plain HTTP: method and path. */
  method: string | null;
  httpStatus: number | null;
  status: number | null;
  statusName: string | null;
  statusMessage: string | null;
  /** True when `status` was not on the wire but follows from the HTTP status or the reset code. */
  statusInferred?: boolean;
  start: number;
  end: number | null;
  /** When the client had sent all of its request; and when the response's beginning was with it. */
  requestEnd: number | null;
  responseStart: number | null;
  requestMessages: number;
  responseMessages: number;
  requestBytes: number;
  responseBytes: number;
  state: 'open' | 'closed' | 'reset';
  resetCode: string | null;
  /** The peer said by GOAWAY or REFUSED_STREAM that it did not process this call: it can be retried. */
  unprocessed: boolean;
  /** How long its senders stood still for want of credit, and the window of most of it; told to the window alone. */
  stalled?: { seconds: number; share: number; cause: 'stream-window' | 'connection-window' | 'both' };
  faults?: Fault[];
}

export interface MessageRecord {
  conn: number;
  stream: number;
  dir: Direction;
  index: number;
  compressed: boolean;
  encoding: string;
  /** Without the five-octet prefix. */
  wireLength: number;
  /** After decompression; null when it could not be decompressed. */
  length: number | null;
  complete: boolean;
  /** Octets of the body seen, when incomplete. */
  captured?: number;
  /** The start of the message was not seen but supposed. */
  assumed: boolean;
  /** Rows of the DATA frames that carry it. */
  frames: number[];
  type?: string;
  value?: unknown;
  fields?: unknown[];
  faults?: Fault[];
}

/** A change of one flow-control window. */
export interface WindowRecord {
  conn: number;
  /** In which direction DATA spends this window. */
  dir: Direction;
  /** 0 for the connection's window. */
  stream: number;
  /** When it counts in the view's books. */
  t: number;
  /** After the change; it can be below 0 (RFC 9113 §6.9.2). */
  window: number;
  change: number;
  cause: 'DATA' | 'WINDOW_UPDATE' | 'SETTINGS' | 'OPEN';
  frame: number;
  view: 'sender' | 'receiver';
  /** The connection was joined in the middle: windows count from 0. */
  relative?: true;
}

/** Rows of one type in one direction. */
export interface AccountOfType {
  frames: number;
  bytes: number;
  /** Chunks that have octets of such a row. */
  chunks: number;
}

/** What went in one direction. Octets of frames include their nine-octet headers; a mean is null where there is none. */
export interface AccountSide {
  frames: number;
  /** Of all rows but GAPs: what was seen. */
  bytes: number;
  chunks: number;
  /** By type; rows that are no frame too. */
  types: Record<string, AccountOfType>;
  /** gRPC messages that ended, and their octets with the five-octet prefixes. */
  messages: number;
  messageBytes: number;
  /** Header blocks that ended, and those of them that could not be decoded. */
  headerBlocks: number;
  headerBlocksUnread: number;
  /** Header block fragments as they went over the wire (padding, where there is any, included). */
  headerBytes: number;
  /** Names and values of the decoded blocks: what stood there before HPACK. */
  headerBytesPlain: number;
  /** All frames but DATA, HEADERS, CONTINUATION and PUSH_PROMISE. */
  controlFrames: number;
  controlBytes: number;
  /** Without acknowledgements. */
  pings: number;
  pingAcks: number;
  /** Chunks that have octets of calls' frames; of more than one call; the most calls in one chunk. */
  callChunks: number;
  sharedChunks: number;
  mostCallsInChunk: number;
  /** Mean over `callChunks`. */
  callsPerChunk: number | null;
  framesPerCall: number | null;
  chunksPerCall: number | null;
  controlFramesPerCall: number | null;
  pingsPerCall: number | null;
}

/** What the application asked for, and what the protocol added to it: of a capture, a connection or a call, over a time. */
export interface AccountRecord {
  /** Null: of all connections. */
  conn: number | null;
  /** Null: of all streams, and of the connection itself. */
  stream: number | null;
  /** The first and the last row that were counted; both 0 where there were none. */
  from: number;
  to: number;
  /** That have rows among those counted. */
  connections: number;
  /** With part in the time: begun before its end, and not over before its beginning. */
  calls: number;
  toServer: AccountSide;
  toClient: AccountSide;
}

/** An interval in which a sender had data to send and no credit, in its own books. */
export interface StallRecord {
  conn: number;
  /** In which direction the DATA would have gone. */
  dir: Direction;
  stream: number;
  from: number;
  to: number;
  cause: 'stream-window' | 'connection-window' | 'both';
  /** Streams that held the connection's credit, the largest first (an inference: credit of a connection names no stream). */
  heldBy?: number[];
  /** The frame whose credit ended it; null when none did before the stream, the connection or the capture ended. */
  releasedBy: number | null;
  /** Its part of the call's time; null while the call is open. */
  share: number | null;
  /** What tells that the sender had data: see core/flow/stalls. */
  evidence: 'message' | 'resumed' | 'cut' | 'headers';
}

/** The gravest first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A conclusion with the frames that prove it. */
export interface FindingRecord {
  /** What kind it is: `connection-window-limit`. */
  id: string;
  severity: Severity;
  /** Where it concerns several connections, the first of them. */
  conn: number;
  stream?: number;
  /** One line. */
  title: string;
  /** Plain sentences; what is inferred is said to be. */
  detail: string;
  /** What to change, with the name of the knob where there is one. */
  advice: string;
  /** Where the rule, or the knob and its default, is documented. */
  source: string;
  /** Numbers of frames, ascending: the first 20; `numbers.frames` counts all where there are more. */
  evidence: number[];
  /** Times in seconds, sizes in octets. */
  numbers: Record<string, number>;
}

/** A PING and its answer, and what came between: one measurement of a bandwidth-delay estimator, or a keepalive. */
export interface RoundRecord {
  conn: number;
  by: 'client' | 'server';
  /** Whose payload it is, by core/grpc/pings; `unknown` for one that nobody is known by. */
  implementation: string;
  /** `unknown` too. */
  purpose: string;
  ping: number;
  /** Null while there is none. */
  ack: number | null;
  t: number;
  /** Seconds, as the PING's sender saw it; null without an answer, or before its delivery. */
  rtt: number | null;
  /** The file tells no deliveries: `rtt` is the way beyond the capture point alone. */
  lowerBound?: true;
  /** Flow-controlled octets that came to the PING's sender meanwhile, with the DATA that made it send. */
  bytes: number;
  /** Streams whose DATA that was; null when there were too many frames to look at. */
  calls: number | null;
  /** What else of its sender stands in the PING's chunk. */
  sameChunk: 'WINDOW_UPDATE' | 'SETTINGS' | null;
  /** SETTINGS_INITIAL_WINDOW_SIZE of the PING's sender, before the PING and until its next; null where it is not known. */
  windowBefore: number | null;
  windowAfter: number | null;
  /** The SETTINGS that changed it, and what a WINDOW_UPDATE of the connection beside them added. */
  growth?: { frame: number; connectionIncrement: number };
  /** Of a client's: PINGs since the server's last HEADERS or DATA, this one included. A gRPC server counts those that come too soon. */
  sinceAnswer?: number;
}
