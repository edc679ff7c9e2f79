/** The block format: draft-ietf-opsawg-pcapng. Sections, interfaces, packets, statistics; the rest is passed over. */

import { type CaptureOrigin, TickClock } from './clock';
import { addLine, OPT_COMMENT, optionText, readComment, walkOptions } from './options';
import { MAX_BLOCK, type RecordParser } from './parser';
import type { CaptureInterface, CaptureSection, PacketSink } from './types';

export const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE_DESCRIPTION = 1;
const OBSOLETE_PACKET = 2;
const SIMPLE_PACKET = 3;
const NAME_RESOLUTION = 4;
const INTERFACE_STATISTICS = 5;
const ENHANCED_PACKET = 6;
const SYSTEMD_JOURNAL = 9;
const DECRYPTION_SECRETS = 10;
const CUSTOM = 0xbad;
const CUSTOM_NO_COPY = 0x40000bad;

const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
/** Type, length, length again: also enough of a Section Header to know its byte order. */
const BLOCK_MINIMUM = 12;
/** Statistics before the first packet wait for the time they are told from; more than these are dropped, and said. */
const MAX_EARLY_STATISTICS = 1024;
/** Unknown block types that are told of, each once. */
const MAX_TOLD_TYPES = 16;

interface SectionInterface {
  id: number;
  snapLength: number;
  clock: TickClock;
}

interface EarlyStatistics {
  from: SectionInterface;
  high: number;
  low: number;
  comment: string | undefined;
}

export class PcapngParser implements RecordParser {
  needed = BLOCK_MINIMUM;
  stopped = false;
  packetCount = 0;
  private little = false;
  /** A section of a major version that is not known: its blocks are passed over. */
  private foreign = false;
  private interfaces: SectionInterface[] = [];
  private interfaceCount = 0;
  private lastTime = 0;
  private early: EarlyStatistics[] = [];
  private readonly told = new Set<string>();

  constructor(
    private readonly sink: PacketSink,
    private readonly origin: CaptureOrigin,
  ) {}

  parse(data: Uint8Array, view: DataView, start: number, end: number, base: number): number {
    let at = start;
    while (end - at >= BLOCK_MINIMUM) {
      const type = view.getUint32(at, this.little);
      if (type === SECTION_HEADER && !this.readByteOrder(view, at, base)) return at;
      const length = view.getUint32(at + 4, this.little);
      if (length < BLOCK_MINIMUM || length % 4 !== 0 || length > MAX_BLOCK) {
        return this.damaged(at, base, `a block of ${length} octets is claimed`);
      }
      if (length > end - at) {
        this.needed = length;
        return at;
      }
      if (view.getUint32(at + length - 4, this.little) !== length) {
        return this.damaged(at, base, 'the two lengths of a block differ');
      }
      this.block(type, data, view, at, at + length - 4, base);
      at += length;
    }
    this.needed = BLOCK_MINIMUM;
    return at;
  }

  /** Statistics of a file without packets: their own first time takes the place of the packets'. */
  end(): void {
    const first = this.early[0];
    if (first !== undefined) this.tellEarly(first.from.clock.absolute(first.high, first.low));
  }

  private damaged(at: number, base: number, what: string): number {
    this.stopped = true;
    this.sink.trouble(base + at, `damaged at file offset ${base + at}: ${what}; nothing after it is read`);
    return at;
  }

  /** Each section has its own byte order, told by the magic after its length (§4.1). */
  private readByteOrder(view: DataView, at: number, base: number): boolean {
    const big = view.getUint32(at + 8, false) === BYTE_ORDER_MAGIC;
    if (!big && view.getUint32(at + 8, true) !== BYTE_ORDER_MAGIC) {
      this.damaged(at, base, 'a section without a byte-order magic');
      return false;
    }
    this.little = !big;
    return true;
  }

  /** One whole block; `end` is where its second length stands. */
  private block(type: number, data: Uint8Array, view: DataView, at: number, end: number, base: number): void {
    if (type === SECTION_HEADER) {
      this.sectionHeader(data, view, at, end, base);
      return;
    }
    if (this.foreign) return;
    switch (type) {
      case ENHANCED_PACKET:
      case OBSOLETE_PACKET:
        this.packet(type, data, view, at, end, base);
        return;
      case SIMPLE_PACKET:
        this.simplePacket(data, view, at, end, base);
        return;
      case INTERFACE_DESCRIPTION:
        this.interfaceDescription(data, view, at, end, base);
        return;
      case INTERFACE_STATISTICS:
        this.interfaceStatistics(data, view, at, end, base);
        return;
      case NAME_RESOLUTION:
      case SYSTEMD_JOURNAL:
      case DECRYPTION_SECRETS:
      case CUSTOM:
      case CUSTOM_NO_COPY:
        return;
      default:
        if (this.told.size < MAX_TOLD_TYPES) {
          this.tell(base + at, `type ${type}`, `a block of unknown type 0x${type.toString(16)} is passed over`);
        }
    }
  }

  private sectionHeader(data: Uint8Array, view: DataView, at: number, end: number, base: number): void {
    this.interfaces = [];
    this.foreign = false;
    if (end - at < 24) {
      this.tell(base + at, 'short', 'a block is too short for its type and is passed over');
      return;
    }
    const major = view.getUint16(at + 12, this.little);
    if (major !== 1) {
      this.foreign = true;
      this.tell(base + at, 'version', `a section of pcapng version ${major} is passed over`);
      return;
    }
    const section: CaptureSection = { format: 'pcapng' };
    this.options(view, at + 24, end, base, (code, from, to) => {
      if (code === OPT_COMMENT) section.comment = addLine(section.comment, optionText(data, from, to));
      else if (code === 4) section.application = optionText(data, from, to);
    });
    this.sink.section(section);
  }

  private interfaceDescription(data: Uint8Array, view: DataView, at: number, end: number, base: number): void {
    const little = this.little;
    // Even a damaged description counts: the packets name interfaces by their place.
    const short = end - at < 16;
    if (short) this.tell(base + at, 'short', 'a block is too short for its type and is passed over');
    const described: CaptureInterface = {
      id: this.interfaceCount++,
      linkType: short ? 0xffff : view.getUint16(at + 8, little),
      snapLength: short ? 0 : view.getUint32(at + 12, little),
    };
    let resolution = 6;
    let offset = 0n;
    this.options(view, Math.min(at + 16, end), end, base, (code, from, to) => {
      if (code === OPT_COMMENT) described.comment = addLine(described.comment, optionText(data, from, to));
      else if (code === 2) described.name = optionText(data, from, to);
      else if (code === 3) described.description = optionText(data, from, to);
      else if (code === 9 && to > from) resolution = data[from]!;
      else if (code === 14 && to - from === 8) offset = view.getBigInt64(from, little);
    });
    const clock = new TickClock(resolution, offset);
    this.interfaces.push({ id: described.id, snapLength: described.snapLength, clock });
    this.sink.interface(described);
  }

  /** The obsolete Packet Block has the same places, but for an interface of 16 bits (a drop count follows it). */
  private packet(type: number, data: Uint8Array, view: DataView, at: number, end: number, base: number): void {
    const little = this.little;
    const data0 = at + 28;
    const captured = data0 <= end ? view.getUint32(at + 20, little) : 0;
    if (data0 > end || captured > end - data0) {
      this.tell(base + at, 'short', 'a packet is longer than its block and is passed over');
      return;
    }
    const local = type === ENHANCED_PACKET ? view.getUint32(at + 8, little) : view.getUint16(at + 8, little);
    const from = this.interfaces[local];
    if (from === undefined) {
      this.tell(base + at, 'interface', 'packets of an interface that the file does not describe are passed over');
      return;
    }
    const high = view.getUint32(at + 12, little);
    const low = view.getUint32(at + 16, little);
    this.origin.firstTime ??= from.clock.absolute(high, low);
    const origin = this.origin.firstTime;
    if (this.early.length > 0) this.tellEarly(origin);
    const time = from.clock.since(origin, high, low);
    this.lastTime = time;
    const original = Math.max(captured, view.getUint32(at + 24, little));
    const options = data0 + ((captured + 3) & ~3);
    const comment = options < end ? readComment(data, view, options, end, little) : undefined;
    this.packetCount++;
    this.sink.packet(data, data0, data0 + captured, time, original, from.id, base + data0, comment);
  }

  private simplePacket(data: Uint8Array, view: DataView, at: number, end: number, base: number): void {
    const from = this.interfaces[0];
    if (end - at < 12) {
      this.tell(base + at, 'short', 'a packet is longer than its block and is passed over');
      return;
    }
    if (from === undefined) {
      this.tell(base + at, 'interface', 'packets of an interface that the file does not describe are passed over');
      return;
    }
    this.tell(base + at, 'timeless', 'packets without a time (Simple Packet Blocks) take that of the one before');
    const original = view.getUint32(at + 8, this.little);
    // The captured length is not written: it follows from the snap length, and the padding ends the block (§4.4).
    const limit = from.snapLength === 0 ? original : Math.min(original, from.snapLength);
    const data0 = at + 12;
    const captured = Math.min(limit, end - data0);
    this.packetCount++;
    this.sink.packet(data, data0, data0 + captured, this.lastTime, original, from.id, base + data0, undefined);
  }

  private interfaceStatistics(data: Uint8Array, view: DataView, at: number, end: number, base: number): void {
    if (end - at < 20) {
      this.tell(base + at, 'short', 'a block is too short for its type and is passed over');
      return;
    }
    const from = this.interfaces[view.getUint32(at + 8, this.little)];
    if (from === undefined) {
      this.tell(base + at, 'interface', 'statistics of an interface that the file does not describe are passed over');
      return;
    }
    const high = view.getUint32(at + 12, this.little);
    const low = view.getUint32(at + 16, this.little);
    const comment = readComment(data, view, at + 20, end, this.little);
    const origin = this.origin.firstTime;
    if (origin !== undefined) this.statistics(origin, { from, high, low, comment });
    else if (this.early.length < MAX_EARLY_STATISTICS) this.early.push({ from, high, low, comment });
    else
      this.tell(base + at, 'early', `statistics before the first packet, beyond ${MAX_EARLY_STATISTICS}, are dropped`);
  }

  private tellEarly(origin: bigint): void {
    const early = this.early;
    this.early = [];
    for (const one of early) this.statistics(origin, one);
  }

  private statistics(origin: bigint, { from, high, low, comment }: EarlyStatistics): void {
    const time = from.clock.since(origin, high, low);
    this.sink.statistics({ interfaceId: from.id, time, ...(comment === undefined ? {} : { comment }) });
  }

  private options(
    view: DataView,
    start: number,
    end: number,
    base: number,
    each: (code: number, start: number, end: number) => void,
  ): void {
    if (!walkOptions(view, start, end, this.little, each)) {
      this.tell(base + start, 'options', 'an option is longer than its block: it and those after it are passed over');
    }
  }

  private tell(fileOffset: number, kind: string, message: string): void {
    if (this.told.has(kind)) return;
    this.told.add(kind);
    this.sink.trouble(fileOffset, message);
  }
}
