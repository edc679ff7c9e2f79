import type { Direction, StallRecord } from './records';

/** Which window had no credit while its sender had data. */
export type StallCause = 'stream-window' | 'connection-window' | 'both';

/** What held a transfer back, as far as the wire shows. */
export type LimitedBy =
  | StallCause
  /** Octets waited at the tap for the way on: a set rate, the link, or a socket that is not read. */
  | 'link'
  /** The window was empty for longer than a round trip explains: credit is returned late. */
  | 'receiver'
  /** No message was under way most of the time, and the windows were open. */
  | 'sender'
  /** All that was sent fitted in the windows at once. */
  | 'nothing'
  | 'unknown';

/** Throughput of a connection (`stream` 0) or a stream in one direction against what its windows allow. */
export interface LimitRecord {
  conn: number;
  dir: Direction;
  stream: number;
  limitedBy: LimitedBy;
  /** Joined in the middle: windows, and so stalls, are not known. */
  relative: boolean;
  /** Without deliveries in the file an empty window at the sender may not show near the receiver. */
  deliveries: boolean;
  /** The window that was empty, whatever the reason; null without stalls to speak of. */
  emptyWindow: StallCause | null;
  /** Flow-controlled octets sent. */
  octets: number;
  /** Seconds: the first DATA and the last, and how much of the time between them was not idle. */
  from: number;
  to: number;
  active: number;
  /** Octets a second while active; where windows bind, from the first stall on. Null when too little was sent. */
  measured: number | null;
  /** The window that binds (or would), octets: its size when nothing is out. Null where it is not known. */
  window: number | null;
  /** It grew while it was the limit (its receiver measures the path): sizes at the first stall and at the last. */
  grown: { from: number; to: number } | null;
  /** Seconds. */
  rtt: number | null;
  rttSource: 'ping' | 'settings' | 'tap' | null;
  /** The file tells no deliveries: the round trip is at least this, and limits are at most what they say. */
  rttLowerBound: boolean;
  /** window / rtt, octets a second. */
  limit: number | null;
  /** Part of the window after which its receiver returns credit, from the WINDOW_UPDATEs seen. */
  refill: number | null;
  /** (1 - refill) · limit: so much gets through at least when nothing else holds it back. */
  lowerLimit: number | null;
  /** Seconds in which a stream stood still for want of credit; its part of `active`. */
  stalled: number;
  stalledShare: number;
  stalls: number;
  /** Seconds of stalls by cause, of all streams together. */
  stalledBy: Record<StallCause, number>;
  /** Streams that held the connection's credit in the stalls, the most frequent first. */
  heldBy: number[];
  /** The receiver grants a stream room for a whole message (as grpc-go does): its window's size is no limit then. */
  wholeMessages: boolean;
  /** A window that would bind no more, and what it would allow (octets a second). */
  proposal: { window: number; rate: number } | null;
  /** Frames that prove it: those that ended the longest stalls. */
  evidence: number[];
  /** In words. */
  sentence: string;
  detail: string;
}

/** The window that lets a rate through whatever the refill: rate · rtt / (1 - refill), octets. */
export function windowFor(rate: number, rtt: number, refill: number): number {
  return Math.ceil((rate * rtt) / Math.max(0.05, 1 - refill));
}

/** What the windows view shows beside the windows: one connection, one direction, over a time. Times are seconds. */
export interface FlowQuery {
  conn: number;
  dir: Direction;
  view: 'sender' | 'receiver';
  /** The one whose limit is wanted beside the connection's; 0 for none. */
  stream: number;
  /** Streams whose stalls and WINDOW_UPDATEs are drawn; none: of all. */
  streams: number[];
  from: number;
  to: number;
  /** Intervals that there are pixels for. */
  buckets: number;
}

/** Stalls of a cause that touch, or lie closer than a bucket, in one. */
export interface StallSpan {
  from: number;
  to: number;
  cause: StallCause;
  /** Stalls in it. */
  count: number;
  /** Of the longest of them. */
  stream: number;
  heldBy: number[];
  releasedBy: number | null;
}

/** Octets of DATA in intervals: number i begins at `from + i * width`. */
export interface OctetSeries {
  from: number;
  width: number;
  octets: number[];
}

/** How long a stream stood still, in all. */
export interface StalledStream {
  stream: number;
  seconds: number;
  /** Of the call's time up to now. */
  share: number;
  /** The cause of most of it. */
  cause: StallCause;
  heldBy: number[];
}

export interface FlowAnswer {
  /** The connection's time: its first packet to its last. */
  start: number;
  end: number;
  /** Null where no DATA went. */
  limit: LimitRecord | null;
  streamLimit: LimitRecord | null;
  /** In the sender's books, whatever the view; in the order of time, by cause. */
  stalls: StallSpan[];
  /** The longest stall of the streams that are drawn, or of any where those have none, whenever it was. */
  longest: StallRecord | null;
  /** For bars, as fine as the buckets. */
  data: OctetSeries;
  /** Means over a few round trips, so that bursts show as the rate that they make. */
  rate: OctetSeries;
  updates: { t: number; n: number; stream: number; increment: number }[];
  pings: { t: number; n: number; by: 'client' | 'server' }[];
  /** Those that stood still the longest, first. */
  stalledStreams: StalledStream[];
}
