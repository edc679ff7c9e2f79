/** The classic capture file: draft-ietf-opsawg-pcap. */

import type { CaptureOrigin } from './clock';
import { MAX_BLOCK, type RecordParser } from './parser';
import type { PacketSink } from './types';

/** Magic numbers as read in the file's byte order. */
export const PCAP_MICROSECONDS = 0xa1b2c3d4;
export const PCAP_NANOSECONDS = 0xa1b23c4d;

const FILE_HEADER = 24;
const RECORD_HEADER = 16;

/** One file header, then packets: seconds, fraction, captured length, original length, octets. */
export class PcapParser implements RecordParser {
  needed = FILE_HEADER;
  stopped = false;
  packetCount = 0;
  private headerRead = false;
  private firstSeconds = 0;
  private firstFraction = 0;

  /** @param fraction nanoseconds in a unit of the time's second field: 1000 or 1 */
  constructor(
    private readonly sink: PacketSink,
    private readonly origin: CaptureOrigin,
    private readonly little: boolean,
    private readonly fraction: number,
  ) {}

  parse(data: Uint8Array, view: DataView, start: number, end: number, base: number): number {
    let at = start;
    if (!this.headerRead) {
      if (end - at < FILE_HEADER) return at;
      this.readHeader(view, at);
      at += FILE_HEADER;
    }
    const little = this.little;
    while (end - at >= RECORD_HEADER) {
      const captured = view.getUint32(at + 8, little);
      if (captured > MAX_BLOCK) {
        this.stopped = true;
        this.sink.trouble(base + at, `damaged: a packet of ${captured} octets is claimed; nothing after it is read`);
        return at;
      }
      const data0 = at + RECORD_HEADER;
      if (captured > end - data0) {
        this.needed = RECORD_HEADER + captured;
        return at;
      }
      const original = Math.max(captured, view.getUint32(at + 12, little));
      const time = this.time(view.getUint32(at, little), view.getUint32(at + 4, little));
      this.packetCount++;
      this.sink.packet(data, data0, data0 + captured, time, original, 0, base + data0, undefined);
      at = data0 + captured;
    }
    this.needed = RECORD_HEADER;
    return at;
  }

  end(): void {}

  private readHeader(view: DataView, at: number): void {
    this.headerRead = true;
    this.sink.section({ format: 'pcap' });
    // The upper 16 bits tell of a frame check sequence at the packets' ends; IP's own length leaves it out anyway.
    const linkType = view.getUint32(at + 20, this.little) & 0xffff;
    this.sink.interface({ id: 0, linkType, snapLength: view.getUint32(at + 16, this.little) });
  }

  /** Differences of seconds and of fractions are each exact. */
  private time(seconds: number, fraction: number): number {
    if (this.origin.firstTime === undefined) {
      this.firstSeconds = seconds;
      this.firstFraction = fraction;
      this.origin.firstTime = BigInt(seconds) * 1_000_000_000n + BigInt(fraction * this.fraction);
    }
    return (seconds - this.firstSeconds) * 1e9 + (fraction - this.firstFraction) * this.fraction;
  }
}
