import { CaptureReader } from '../../core/pcapng/reader';
import type { CaptureInterface, PacketSink } from '../../core/pcapng/types';
import { encodeInterface, encodePacket, encodeSectionHeader, type Timestamp } from '../../core/pcapng/writer';
import { VERSION } from '../../shared/version';
import type { ByteSource } from '../session/byte-source';
import type { PacketSelection } from './selection';

/** Octets taken from the source, and handed on, at a time (a longer block is handed on as it is). */
const PIECE = 1 << 20;

/** Little-endian and big-endian readings of the Section Header Block's type are the same octets. */
const SECTION_HEADER = 0x0a0d0d0a;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;

/**
 * A capture as pcapng, piece by piece. A pcapng file keeps its blocks as they are (all of them, or with a selection
 * all but the packets left out: comments, names and secrets stay); a pcap file is written anew, with nanoseconds.
 */
export function pcapngPieces(source: ByteSource, selection?: PacketSelection): Iterable<Uint8Array> {
  const head = source.read(0, 4);
  const isPcapng = head.length === 4 && viewOf(head).getUint32(0) === SECTION_HEADER;
  if (!isPcapng) return joined(convertedPcap(source, selection));
  return selection === undefined ? wholeFile(source) : joined(selectedBlocks(source, selection));
}

function* wholeFile(source: ByteSource): Iterable<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = source.read(at, PIECE);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** Small pieces put together, so that a write is worth its while. */
function* joined(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < PIECE) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** A reader's sink that remembers what a packet's choice needs. */
class Chooser implements PacketSink {
  readonly linkTypes: number[] = [];
  keep = true;

  constructor(private readonly selection: PacketSelection | undefined) {}

  section(): void {}
  statistics(): void {}
  trouble(): void {}

  interface({ linkType }: CaptureInterface): void {
    this.linkTypes.push(linkType);
  }

  packet(data: Uint8Array, start: number, end: number, time: number, original: number, interfaceId: number): void {
    const linkType = this.linkTypes[interfaceId]!;
    this.keep = this.selection?.has(data, start, end, time, original, linkType) ?? true;
  }
}

/** Each block goes through a reader, which says what packet is in it; a block without one stays. */
function* selectedBlocks(source: ByteSource, selection: PacketSelection): Iterable<Uint8Array> {
  const chooser = new Chooser(selection);
  const reader = new CaptureReader(chooser);
  for (const block of blocksOf(source)) {
    chooser.keep = true;
    reader.push(block);
    if (chooser.keep) yield withOpenLength(block);
  }
}

/** Blocks as they stand; ends where the file does, or at damage. */
function* blocksOf(source: ByteSource): Iterable<Uint8Array> {
  let little = true;
  for (let at = 0; ; ) {
    const head = source.read(at, 12);
    if (head.length < 12) return;
    const view = viewOf(head);
    if (view.getUint32(0) === SECTION_HEADER) little = view.getUint32(8, true) === BYTE_ORDER_MAGIC;
    const length = view.getUint32(4, little);
    if (length < 12 || length % 4 !== 0 || at + length > source.size) return;
    yield source.read(at, length);
    at += length;
  }
}

/** A section's length would be wrong without its left-out packets: unknown (all ones) is always right (§4.1). */
function withOpenLength(block: Uint8Array): Uint8Array {
  if (viewOf(block).getUint32(0) === SECTION_HEADER && block.length >= 24) block.fill(0xff, 16, 24);
  return block;
}

function* convertedPcap(source: ByteSource, selection: PacketSelection | undefined): Iterable<Uint8Array> {
  let made: Uint8Array[] = [];
  const chooser = new Chooser(selection);
  const reader = new CaptureReader({
    section: () => {
      // Not named as Penstock's own: in such files an ACK means delivery.
      const comment = `converted from pcap by Penstock ${VERSION}`;
      made.push(encodeSectionHeader({ application: 'unknown', comment }));
    },
    interface: (described) => {
      chooser.interface(described);
      made.push(encodeInterface({ linkType: described.linkType, snapLength: described.snapLength }));
    },
    packet: (data, start, end, time, original, interfaceId) => {
      chooser.packet(data, start, end, time, original, interfaceId);
      if (!chooser.keep) return;
      const stamp = stampOf((reader.firstTime ?? 0n) + BigInt(Math.round(time)));
      made.push(encodePacket(interfaceId, stamp, data.subarray(start, end), original));
    },
    statistics: () => undefined,
    trouble: () => undefined,
  });
  for (const piece of wholeFile(source)) {
    reader.push(piece);
    yield* made;
    made = [];
  }
}

/** Times before 1970 have no place in the format. */
function stampOf(nanoseconds: bigint): Timestamp {
  const time = nanoseconds < 0n ? 0n : nanoseconds;
  return { high: Number((time >> 32n) & 0xffffffffn), low: Number(time & 0xffffffffn) };
}

function viewOf(octets: Uint8Array): DataView {
  return new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
}
