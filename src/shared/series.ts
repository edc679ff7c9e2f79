/** Series that the graphs show: plain arrays of numbers, downsampled for the pixels that there are. */

/** Frames and octets over time, by direction: the strip above the timeline. Bucket i begins at `from + i * width`. */
export interface Overview {
  /** Seconds. */
  from: number;
  width: number;
  framesToServer: number[];
  framesToClient: number[];
  bytesToServer: number[];
  bytesToClient: number[];
}

/**
 * One window over time, as steps: its value at `t[i]` holds until `t[i + 1]`. Downsampling keeps each interval's first,
 * lowest, highest and last value.
 */
export interface WindowSeries {
  /** 0 for the connection's window. */
  stream: number;
  /** Seconds. */
  t: number[];
  window: number[];
  /** Number of the frame that changed it. */
  n: number[];
  /** Samples that there are, of which these are a choice. */
  total: number;
  /** When the stream was over in this direction, seconds; absent while it is open, and for the connection. */
  end?: number;
}

export interface WindowsAnswer {
  /** Nothing is known of what was granted before the capture: windows count from 0. */
  relative: boolean;
  /** The file tells deliveries; without them only the capture point's view is known. */
  deliveries: boolean;
  series: WindowSeries[];
}
