/** What CaptureReader and the two formats' parsers share. */

/** A longer block is damage: nothing that a capture holds comes near it, and it bounds what a partial block keeps. */
export const MAX_BLOCK = 64 * 1024 * 1024;

export interface RecordParser {
  /** Octets from the start of the incomplete record on that the next `parse` needs; at least 1 more than it had. */
  needed: number;
  /** Damage after which no block can be found any more: nothing else is read. */
  stopped: boolean;
  /** Packets handed on. */
  packetCount: number;
  /**
   * Reads the complete records in `data[start, end)` and returns where the first incomplete one starts.
   * `view` covers all of `data`; `base` is the file offset of `data[0]`.
   */
  parse(data: Uint8Array, view: DataView, start: number, end: number, base: number): number;
  /** No more octets will come. */
  end(): void;
}
