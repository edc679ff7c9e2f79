/** TCP segments (RFC 9293 §3.1) in IPv4 (RFC 791) or IPv6 (RFC 8200) packets, with right checksums. */
import type { Endpoint } from '../tcp/types';
import { parseAddress } from './address';
import { fold, onesSum } from './checksum';

export const FIN = 0x01;
export const SYN = 0x02;
export const RST = 0x04;
export const PSH = 0x08;
export const ACK = 0x10;

/** The most payload put into one segment: an IPv4 packet ends at 65,535 octets, its headers included. */
export const LARGEST_PAYLOAD = 65_000;

/** Octets that a segment's headers take at most: IPv6 40, TCP 20, the SYN's options 4. */
export const LARGEST_HEADERS = 64;

/**
 * The shift of RFC 7323 §2.2 that our SYNs announce, the largest. What a tap holds in its delay line is unacknowledged;
 * with the 64 KiB of an unscaled window a reader of the file would see the window overrun.
 */
export const WINDOW_SHIFT = 14;

/** What the segments from one endpoint to another have in common. */
export interface SegmentPath {
  source: Uint8Array;
  destination: Uint8Array;
  sourcePort: number;
  destinationPort: number;
  /** Of the IP header before the TCP header. */
  ipHeaderLength: 20 | 40;
  /** Sum of addresses, protocol number and ports: the constant part of TCP's checksum (RFC 9293 §3.1). */
  constantSum: number;
  /** Sum of the constant part of the IPv4 header. */
  ipSum: number;
}

/** @throws on an address that is no IP address, or endpoints of two families: those are our own mistakes */
export function segmentPath(from: Endpoint, to: Endpoint): SegmentPath {
  const source = parseAddress(from.address);
  const destination = parseAddress(to.address);
  if (!source || !destination || source.length !== destination.length) {
    throw new Error(`not two addresses of one family: ${from.address}, ${to.address}`);
  }
  const addresses = onesSum(source, 0, source.length) + onesSum(destination, 0, destination.length);
  return {
    source,
    destination,
    sourcePort: from.port,
    destinationPort: to.port,
    ipHeaderLength: source.length === 4 ? 20 : 40,
    constantSum: addresses + PROTOCOL_TCP + from.port + to.port,
    ipSum: 0x4500 + DONT_FRAGMENT + ((HOP_LIMIT << 8) | PROTOCOL_TCP) + addresses,
  };
}

/** Octets of a segment's headers: the IP header, the TCP header, and a SYN's window scale. */
export function headersLength(path: SegmentPath, flags: number): number {
  return path.ipHeaderLength + tcpHeaderLength(flags);
}

/**
 * Writes the headers of one segment; its payload must follow. Sequence numbers are taken modulo 2^32.
 * @param payloadSum `onesSum` of the payload
 */
export function writeSegmentHeaders(
  out: DataView,
  at: number,
  path: SegmentPath,
  flags: number,
  sequence: number,
  acknowledgment: number,
  payloadLength: number,
  payloadSum: number,
): number {
  const tcpHeader = tcpHeaderLength(flags);
  const tcpLength = tcpHeader + payloadLength;
  const tcp = path.ipHeaderLength === 20 ? writeIpv4(out, at, path, tcpLength) : writeIpv6(out, at, path, tcpLength);
  const offsetAndFlags = (tcpHeader << 10) | flags;
  // A SYN's own window is never scaled (RFC 7323 §2.2), and one value serves for both.
  const window = 0xffff;
  out.setUint16(tcp, path.sourcePort);
  out.setUint16(tcp + 2, path.destinationPort);
  out.setUint32(tcp + 4, sequence);
  out.setUint32(tcp + 8, acknowledgment);
  out.setUint16(tcp + 12, offsetAndFlags);
  out.setUint16(tcp + 14, window);
  let sum = path.constantSum + tcpLength + offsetAndFlags + window + payloadSum;
  sum += (sequence >>> 16) + (sequence & 0xffff) + (acknowledgment >>> 16) + (acknowledgment & 0xffff);
  if (flags & SYN) {
    out.setUint32(tcp + 20, WINDOW_SCALE_OPTION);
    sum += (WINDOW_SCALE_OPTION >>> 16) + (WINDOW_SCALE_OPTION & 0xffff);
  }
  out.setUint16(tcp + 16, ~fold(sum) & 0xffff);
  out.setUint16(tcp + 18, 0);
  return tcp + tcpHeader;
}

const PROTOCOL_TCP = 6;
const HOP_LIMIT = 64;
const DONT_FRAGMENT = 0x4000;
/** No-operation, then kind 3, length 3, the shift. */
const WINDOW_SCALE_OPTION = (1 << 24) | (3 << 16) | (3 << 8) | WINDOW_SHIFT;

function tcpHeaderLength(flags: number): number {
  return flags & SYN ? 24 : 20;
}

function writeIpv4(out: DataView, at: number, path: SegmentPath, tcpLength: number): number {
  out.setUint16(at, 0x4500);
  out.setUint16(at + 2, 20 + tcpLength);
  // Unfragmentable packets need no identification (RFC 6864 §4.1).
  out.setUint32(at + 4, DONT_FRAGMENT);
  out.setUint16(at + 8, (HOP_LIMIT << 8) | PROTOCOL_TCP);
  out.setUint16(at + 10, ~fold(path.ipSum + 20 + tcpLength) & 0xffff);
  for (let i = 0; i < 4; i++) {
    out.setUint8(at + 12 + i, path.source[i]!);
    out.setUint8(at + 16 + i, path.destination[i]!);
  }
  return at + 20;
}

function writeIpv6(out: DataView, at: number, path: SegmentPath, tcpLength: number): number {
  out.setUint32(at, 0x60000000);
  out.setUint16(at + 4, tcpLength);
  out.setUint16(at + 6, (PROTOCOL_TCP << 8) | HOP_LIMIT);
  for (let i = 0; i < 16; i++) {
    out.setUint8(at + 8 + i, path.source[i]!);
    out.setUint8(at + 24 + i, path.destination[i]!);
  }
  return at + 40;
}
