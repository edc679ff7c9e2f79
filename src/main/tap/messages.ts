/** What goes between the tap worker and who started it, and the shapes that both speak of. */

export interface TapSettings {
  /** Milliseconds, one way. */
  delayToServer: number;
  delayToClient: number;
  /** Octets a second; absent or undefined means no limit. */
  rateToServer?: number | undefined;
  rateToClient?: number | undefined;
  /** Hold a connection's first octets for a round trip, as a TCP handshake over the delayed path would. */
  delayConnect: boolean;
}

export interface HostPort {
  /** A name or an address; IPv6 with or without brackets. */
  host: string;
  port: number;
}

export interface TapSpec {
  /** Port 0 lets the system choose. */
  listen: HostPort;
  upstream: HostPort;
  settings: TapSettings;
}

export interface TapOptions {
  /** The capture file; an existing one is overwritten once all listeners stand. */
  file: string;
  /** Octets at which capturing stops (forwarding goes on); 2 GiB when not given. */
  maxSize?: number;
  taps: TapSpec[];
}

export type NoticeCode =
  | 'upstream-refused'
  | 'upstream-lost'
  | 'accept-failed'
  | 'listener-failed'
  | 'disk-slow'
  | 'disk-caught-up'
  | 'size-limit'
  | 'disk-full'
  | 'write-failed'
  | 'tap-crashed';

/** Something to tell the user, in one line. */
export interface TapNotice {
  severity: 'info' | 'warning' | 'error';
  code: NoticeCode;
  message: string;
}

export interface DelayErrors {
  /** Chunks measured: those that waited in a delay line without a rate limit. */
  count: number;
  /** Milliseconds between a chunk's due time and its write. */
  p50: number;
  p99: number;
  max: number;
}

export interface TapStats {
  connections: { open: number; total: number };
  /** Octets that arrived at the tap, by direction. */
  octets: { toServer: number; toClient: number };
  /** Octets in the delay lines. */
  spool: { notDue: number; notTaken: number };
  /** Octets of the capture that are not in the file yet, and that are. */
  unwritten: number;
  committed: number;
  /** False once the size limit or a full disk has ended the capture. */
  capturing: boolean;
  delayError: DelayErrors;
}

export interface TapSummary {
  file: string;
  /** Octets. */
  length: number;
  packets: number;
  connections: number;
  octets: { toServer: number; toClient: number };
  /** Why the capture ended before the tap did. */
  ended?: 'size-limit' | 'disk-full' | 'write-failed';
}

/** Requests carry an id that their reply repeats. */
export type ToWorker =
  | { kind: 'update'; id: number; tap: number; settings: Partial<TapSettings> }
  | { kind: 'stats'; id: number }
  | { kind: 'stop'; id: number };

export type FromWorker =
  | { kind: 'started'; listening: HostPort[] }
  | { kind: 'failed'; message: string }
  | { kind: 'updated'; id: number }
  | { kind: 'stats'; id: number; stats: TapStats }
  | { kind: 'stopped'; id: number; summary: TapSummary }
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'committed'; length: number }
  | { kind: 'notice'; notice: TapNotice };
