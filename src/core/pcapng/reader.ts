/** Captures in, packets out, whatever the pieces they come in. */

import { hex } from '../bytes/hex';
import { CaptureOrigin } from './clock';
import { MAX_BLOCK, type RecordParser } from './parser';
import { PCAP_MICROSECONDS, PCAP_NANOSECONDS, PcapParser } from './pcap';
import { PcapngParser, SECTION_HEADER } from './pcapng';
import type { CaptureSection, PacketSink } from './types';

const MAGIC = 4;
const NO_OCTETS = new Uint8Array(0);

/**
 * Reads a pcap (µs or ns) or pcapng capture from pieces of any size; the calls on the sink don't depend on how it
 * was cut. Packets are read in place, from the pushed piece; only a record that runs over a piece's end is copied and
 * joined (at most one, bounded by MAX_BLOCK and a header). Damage is told as trouble and ends the reading; what came
 * before it stands. The caller decompresses.
 */
export class CaptureReader {
  private readonly origin = new CaptureOrigin();
  private parser: RecordParser | undefined;
  private kind: CaptureSection['format'] | undefined;
  private stopped = false;
  /** The file offset after everything pushed. */
  private received = 0;
  /** The start of an incomplete record: `pending[0, pendingLength)`. */
  private pending = NO_OCTETS;
  private pendingView = viewOf(NO_OCTETS);
  private pendingLength = 0;

  constructor(private readonly sink: PacketSink) {}

  /** The first packet's time, nanoseconds since 1970-01-01T00:00:00Z; what the packets' times are told from. */
  get firstTime(): bigint | undefined {
    return this.origin.firstTime;
  }

  /** Packets handed on so far. */
  get packetCount(): number {
    return this.parser?.packetCount ?? 0;
  }

  /** Undefined until the first four octets are known, and for what is no capture. */
  get format(): CaptureSection['format'] | undefined {
    return this.kind;
  }

  /** The next octets of the file. They may be reused after the call. */
  push(piece: Uint8Array): void {
    // Node's Buffer is a class of its own: everything that reads octets would be compiled for two kinds of array.
    const bytes =
      piece.constructor === Uint8Array ? piece : new Uint8Array(piece.buffer, piece.byteOffset, piece.length);
    const base = this.received;
    this.received += bytes.length;
    let at = 0;
    while (this.pendingLength > 0 && at < bytes.length && !this.stopped) {
      at += this.join(bytes, at);
    }
    if (at >= bytes.length || this.stopped) return;
    at = this.parse(bytes, viewOf(bytes), at, bytes.length, base);
    if (!this.stopped) this.keep(bytes, at, bytes.length);
  }

  /** No more octets will come. */
  end(): void {
    if (!this.stopped) {
      const start = this.received - this.pendingLength;
      if (this.received === 0) this.sink.trouble(0, 'the file is empty');
      else if (this.parser === undefined) this.sink.trouble(0, 'the file is too short to be a capture');
      else if (this.pendingLength > 0) this.sink.trouble(start, 'the file ends inside a block');
    }
    this.stop();
    this.parser?.end();
  }

  /** Adds to the pending record what it lacks, as far as `bytes` has it, and reads it when whole. Returns what it took. */
  private join(bytes: Uint8Array, at: number): number {
    const needed = this.parser?.needed ?? MAGIC;
    const take = Math.min(needed - this.pendingLength, bytes.length - at);
    this.keep(bytes, at, at + take);
    if (this.pendingLength < needed) return take;
    const start = this.received - bytes.length + at + take - this.pendingLength;
    const read = this.parse(this.pending, this.pendingView, 0, this.pendingLength, start);
    // Either the record was whole, or only its head is known now and `needed` has grown.
    if (read > 0) this.pendingLength -= read;
    return take;
  }

  private parse(data: Uint8Array, view: DataView, start: number, end: number, base: number): number {
    if (this.parser === undefined) {
      if (end - start < MAGIC) return start;
      this.parser = this.detect(data, view, start);
      if (this.parser === undefined) {
        this.stop();
        return start;
      }
    }
    const at = this.parser.parse(data, view, start, end, base);
    if (this.parser.stopped) this.stop();
    return at;
  }

  private detect(data: Uint8Array, view: DataView, at: number): RecordParser | undefined {
    const big = view.getUint32(at, false);
    const little = view.getUint32(at, true);
    if (big === SECTION_HEADER) {
      this.kind = 'pcapng';
      return new PcapngParser(this.sink, this.origin);
    }
    for (const [magic, fraction] of [
      [PCAP_MICROSECONDS, 1000],
      [PCAP_NANOSECONDS, 1],
    ] as const) {
      if (big !== magic && little !== magic) continue;
      this.kind = 'pcap';
      return new PcapParser(this.sink, this.origin, little === magic, fraction);
    }
    if (data[at] === 0x1f && data[at + 1] === 0x8b) {
      this.sink.trouble(0, 'the file is compressed with gzip: it must be decompressed before it is read');
    } else {
      const first = hex(data, at, at + MAGIC, ' ');
      this.sink.trouble(0, `neither pcap nor pcapng: the file starts with ${first}`);
    }
    return undefined;
  }

  private keep(bytes: Uint8Array, start: number, end: number): void {
    const length = this.pendingLength + end - start;
    if (length > this.pending.length) {
      // Grown by what came, not by what the header claims: a claim costs nothing.
      const grown = new Uint8Array(Math.min(Math.max(length, 2 * this.pending.length, 4096), MAX_BLOCK + 4096));
      grown.set(this.pending.subarray(0, this.pendingLength));
      this.pending = grown;
      this.pendingView = viewOf(grown);
    }
    this.pending.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.pendingLength);
    this.pendingLength = length;
  }

  private stop(): void {
    this.stopped = true;
    this.pending = NO_OCTETS;
    this.pendingView = viewOf(NO_OCTETS);
    this.pendingLength = 0;
  }
}

function viewOf(octets: Uint8Array): DataView {
  return new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
}
