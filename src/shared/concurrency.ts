/**
 * How many streams a client had open at a time, against what the server allows. All of it is in the client's books: its
 * own frames count when it sends them, the server's when they have come to it, where the file tells that.
 */

/** One connection's figures. Times are seconds; `n` are numbers of frames. */
export interface ConcurrencyRecord {
  conn: number;
  /** Joined in the middle: what was open before is not known, and counts are lower bounds. */
  partial: boolean;
  start: number;
  end: number;
  /** Streams that the client opened. */
  streams: number;
  /** Most at one time, and the frame that opened the last of them; null without streams. */
  peak: number;
  peakFrame: number | null;
  /** Mean from the first opening on, to the last close or to the end. */
  mean: number;
  /** The last SETTINGS_MAX_CONCURRENT_STREAMS in force, and its frame; null where none was acknowledged. */
  limit: number | null;
  limitFrame: number | null;
  /** Sent, but not acknowledged by the client. */
  pendingLimit: number | null;
  /** Seconds at which all streams that are allowed were open. */
  atLimit: number;
  /** Streams that took another's place within 10 ms, all places having been taken: they may have waited for it. */
  prompt: number;
  /** Streams opened beyond the limit in force. */
  beyond: number;
  /** Streams reset with REFUSED_STREAM. */
  refused: number;
  waves: number;
}

export interface ConcurrencyQuery {
  conn: number;
  /** Seconds. */
  from: number;
  to: number;
  /** Intervals that there are pixels for. */
  buckets: number;
}

export interface ConcurrencyAnswer {
  record: ConcurrencyRecord;
  /** The file tells deliveries; without them only the capture point's view is known. */
  deliveries: boolean;
  /** Steps: `open[i]` streams from `t[i]` on, by frame `n[i]`. Each interval keeps its first, lowest, highest and last. */
  t: number[];
  open: number[];
  n: number[];
  /** Steps that there are in the time, of which these are a choice. */
  total: number;
  /** In the order in which they were sent, the newest 1,000; `t` is null while not acknowledged. */
  limits: { t: number | null; value: number; n: number }[];
  /** The first 1,000. */
  waves: { from: number; to: number; streams: number; n: number }[];
}
