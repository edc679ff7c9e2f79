/** What the octets of a frame mean, as a tree: the field tree beside the hex view, and `penstock bytes`. */

/**
 * One field of a frame. Ranges are octets from the frame's first octet, `end` exclusive. Leaves (fields without
 * children, and fields whose children are bits) cover every octet of the frame exactly once.
 */
export interface Field {
  /** Stable path, dots between levels: `header.length`, `setting.0.value`. Unique in a frame. */
  id: string;
  label: string;
  start: number;
  end: number;
  /**
   * Present on a part of an octet range: the bits `from` to `to`, both included, counted from the most significant bit
   * of octet `start`. Siblings with `bit` share their parent's octets.
   */
  bit?: { from: number; to: number };
  /** A number as it stands on the wire (big-endian, unsigned); else text, or a preview in hex. */
  value: string | number;
  /** What it means, or what is wrong with it, in words. */
  note?: string;
  /** Where that stands: `RFC 9113 §6.9`. */
  clause?: string;
  children?: Field[];
}
