import type { RowWriter } from '../capture/rows';
import type { Side } from '../tcp/types';

const HEADER_LENGTH = 5;
/** RFC 8446 §5.2: 2^14 octets and at most 256 of expansion; TLS 1.2 allowed 2,048. */
const MAX_RECORD = (1 << 14) + 2048;

/** Whether a TLS record may begin here: content type 20 to 24, version 3.0 to 3.4, a length that fits. */
export function looksLikeTls(data: Uint8Array, at: number, end: number): boolean {
  if (end - at < HEADER_LENGTH) return false;
  const type = data[at]!;
  const length = (data[at + 3]! << 8) | data[at + 4]!;
  return type >= 20 && type <= 24 && data[at + 1] === 3 && data[at + 2]! <= 4 && length > 0 && length <= MAX_RECORD;
}

/** One side's octets as TLS records: one row each, contents left alone. */
export class TlsReader {
  private readonly header = new Uint8Array(HEADER_LENGTH);
  private headerSeen = 0;
  /** Octets of the current record's content, and those of them still to come. */
  private length = 0;
  private remaining = 0;
  /** Where the current record, or what was taken for one, begins. */
  recordOffset = 0;
  /** Octets of the current record that are in no packet. */
  private unseen = 0;

  constructor(
    private readonly rows: RowWriter,
    private readonly side: Side,
  ) {}

  /** @returns the octets taken; fewer than given where no TLS record stands at `recordOffset`, here or in octets before. */
  push(data: Uint8Array, start: number, end: number, offset: number): number {
    let at = start;
    while (at < end) {
      if (this.remaining > 0) {
        const taken = Math.min(this.remaining, end - at);
        this.remaining -= taken;
        at += taken;
        if (this.remaining === 0) this.row(offset + (at - start), true);
        continue;
      }
      if (this.headerSeen === 0) this.recordOffset = offset + (at - start);
      this.header[this.headerSeen++] = data[at++]!;
      if (this.headerSeen < HEADER_LENGTH) continue;
      this.headerSeen = 0;
      if (!looksLikeTls(this.header, 0, HEADER_LENGTH)) return Math.max(0, this.recordOffset - offset);
      this.length = (this.header[3]! << 8) | this.header[4]!;
      this.remaining = this.length;
    }
    return end - start;
  }

  /** Offset of what has no row yet, or undefined. */
  get openAt(): number | undefined {
    return this.remaining > 0 || this.headerSeen > 0 ? this.recordOffset : undefined;
  }

  /** @returns false when more than the rest of the current record is missing. */
  gap(length: number): boolean {
    if (this.remaining === 0 || this.remaining < length) return false;
    this.remaining -= length;
    this.unseen += length;
    if (this.remaining === 0) this.row(this.recordOffset + HEADER_LENGTH + this.length, true);
    return true;
  }

  /** No more octets of the current record come; they end at `end`. */
  cut(end: number): void {
    if (this.openAt !== undefined && end > this.recordOffset) this.row(end, false);
    this.remaining = 0;
    this.headerSeen = 0;
  }

  private row(end: number, complete: boolean): void {
    this.rows.nonFrame('TLS', this.side, this.recordOffset, end - this.recordOffset, complete, this.unseen);
    this.unseen = 0;
  }
}
