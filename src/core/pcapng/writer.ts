/**
 * Encoders of pcapng blocks (draft-ietf-opsawg-pcapng §4), little-endian. The blocks that open a file are returned as
 * octets of their own; a packet is written around its data into a buffer of the caller's, so that the data need not
 * be copied: head, then the data, then tail.
 */
import type { BlockOption } from './write-options';
import { countOption, OPT_COMMENT, optionsLength, padded, textOption, writeOptions } from './write-options';

/** LINKTYPE_RAW: the packet begins with its IPv4 or IPv6 header. */
export const LINKTYPE_RAW = 101;

/** Octets of an Enhanced Packet Block before the packet's data. */
export const PACKET_HEAD_LENGTH = 28;

/** The most that `writePacketTail` needs besides its options: padding and the repeated length. */
export const PACKET_TAIL_LENGTH = 8;

/** A time stamp's two halves, in the interface's units (nanoseconds since 1970 in what Penstock writes). */
export interface Timestamp {
  high: number;
  low: number;
}

export interface SectionHeader {
  /** shb_userappl: the program that writes the section. */
  application: string;
  comment?: string;
}

/** Section Header Block (§4.1) with an unknown section length, which is what a growing file has. */
export function encodeSectionHeader(section: SectionHeader): Uint8Array {
  const options = [...comments(section.comment), textOption(4, section.application)];
  const [out, octets] = block(0x0a0d0d0a, 16, options);
  out.setUint32(8, 0x1a2b3c4d, true);
  out.setUint16(12, 1, true);
  out.setUint16(14, 0, true);
  out.setUint32(16, 0xffffffff, true);
  out.setUint32(20, 0xffffffff, true);
  return octets;
}

export interface InterfaceDescription {
  linkType: number;
  /** Octets kept of each packet; 0 means no limit. */
  snapLength?: number;
  name?: string;
  description?: string;
  comment?: string;
  /** if_tsresol: a negative power of ten; 9 (nanoseconds) when not given. */
  resolution?: number;
}

/** Interface Description Block (§4.2). */
export function encodeInterface(description: InterfaceDescription): Uint8Array {
  const options = [
    ...comments(description.comment),
    ...(description.name === undefined ? [] : [textOption(2, description.name)]),
    ...(description.description === undefined ? [] : [textOption(3, description.description)]),
    { code: 9, value: Uint8Array.of(description.resolution ?? 9) },
  ];
  const [out, octets] = block(1, 8, options);
  out.setUint16(8, description.linkType, true);
  out.setUint32(12, description.snapLength ?? 0, true);
  return octets;
}

export interface StatisticsBlock {
  interfaceId: number;
  time: Timestamp;
  /** isb_ifrecv: packets seen by the interface. */
  received: number;
  /** isb_ifdrop: packets that are not in the file. */
  dropped: number;
  comment?: string;
}

/** Interface Statistics Block (§4.6). */
export function encodeStatistics(statistics: StatisticsBlock): Uint8Array {
  const options = [
    ...comments(statistics.comment),
    countOption(4, statistics.received),
    countOption(5, statistics.dropped),
  ];
  const [out, octets] = block(5, 12, options);
  out.setUint32(8, statistics.interfaceId, true);
  out.setUint32(12, statistics.time.high, true);
  out.setUint32(16, statistics.time.low, true);
  return octets;
}

/**
 * Enhanced Packet Block (§4.3) up to the packet's data: PACKET_HEAD_LENGTH octets. The data and `writePacketTail`
 * with the same options must follow.
 */
export function writePacketHead(
  out: DataView,
  at: number,
  interfaceId: number,
  time: Timestamp,
  capturedLength: number,
  originalLength: number,
  options: readonly BlockOption[] = NO_OPTIONS,
): number {
  out.setUint32(at, 6, true);
  out.setUint32(at + 4, packetBlockLength(capturedLength, options), true);
  out.setUint32(at + 8, interfaceId, true);
  out.setUint32(at + 12, time.high, true);
  out.setUint32(at + 16, time.low, true);
  out.setUint32(at + 20, capturedLength, true);
  out.setUint32(at + 24, originalLength, true);
  return at + PACKET_HEAD_LENGTH;
}

/** What follows the packet's data: padding, options and the block's length. */
export function writePacketTail(
  out: DataView,
  at: number,
  capturedLength: number,
  options: readonly BlockOption[] = NO_OPTIONS,
): number {
  let next = at;
  for (const end = at + padded(capturedLength) - capturedLength; next < end; next++) out.setUint8(next, 0);
  next = writeOptions(out, next, options);
  out.setUint32(next, packetBlockLength(capturedLength, options), true);
  return next + 4;
}

/** A whole Enhanced Packet Block, for those who write few. */
export function encodePacket(
  interfaceId: number,
  time: Timestamp,
  data: Uint8Array,
  originalLength = data.length,
  options: readonly BlockOption[] = NO_OPTIONS,
): Uint8Array {
  const octets = new Uint8Array(packetBlockLength(data.length, options));
  const out = new DataView(octets.buffer);
  const at = writePacketHead(out, 0, interfaceId, time, data.length, originalLength, options);
  octets.set(data, at);
  writePacketTail(out, at + data.length, data.length, options);
  return octets;
}

/** Octets of an Enhanced Packet Block. */
export function packetBlockLength(capturedLength: number, options: readonly BlockOption[] = NO_OPTIONS): number {
  return PACKET_HEAD_LENGTH + padded(capturedLength) + optionsLength(options) + 4;
}

const NO_OPTIONS: readonly BlockOption[] = [];

function comments(comment: string | undefined): BlockOption[] {
  return comment === undefined ? [] : [textOption(OPT_COMMENT, comment)];
}

/** A block with its type, both lengths and options written; `bodyLength` octets of fixed fields are left at zero. */
function block(type: number, bodyLength: number, options: readonly BlockOption[]): [out: DataView, octets: Uint8Array] {
  const octets = new Uint8Array(12 + bodyLength + optionsLength(options));
  const out = new DataView(octets.buffer);
  out.setUint32(0, type, true);
  out.setUint32(4, octets.length, true);
  writeOptions(out, 8 + bodyLength, options);
  out.setUint32(octets.length - 4, octets.length, true);
  return [out, octets];
}
