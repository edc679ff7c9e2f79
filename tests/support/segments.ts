/** TCP segments in IPv4 or IPv6 packets, checksums included, so that other dissectors have nothing to complain of. */
import { concat, uint16, uint32 } from './octets';

export interface Address {
  /** `127.0.0.1` or `::1`. */
  host: string;
  port: number;
}

export interface Segment {
  source: Address;
  destination: Address;
  /** Modulo 2^32. */
  sequence: number;
  acknowledgement: number;
  /** FIN 1, SYN 2, RST 4, PSH 8, ACK 16. */
  flags: number;
  payload: Uint8Array;
}

export const Tcp = { FIN: 0x01, SYN: 0x02, RST: 0x04, PSH: 0x08, ACK: 0x10 } as const;

/** `127.0.0.1:50051` or `[::1]:50051`. */
export function address(text: string): Address {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}

/** An IP packet without link layer (LINKTYPE_RAW). The window field is constant: TCP's window is of no interest here. */
export function ipPacket(segment: Segment): Uint8Array {
  const source = ipOctets(segment.source.host);
  const destination = ipOctets(segment.destination.host);
  const header = concat(
    uint16(segment.source.port),
    uint16(segment.destination.port),
    uint32(segment.sequence >>> 0),
    uint32(segment.acknowledgement >>> 0),
    Uint8Array.of(5 << 4, segment.flags), // data offset in 32-bit words
    uint16(0xffff), // window
    uint16(0), // checksum, filled in below
    uint16(0), // urgent pointer
  );
  const tcp = concat(header, segment.payload);
  const pseudoHeader = concat(source, destination, uint32(tcp.length), Uint8Array.of(0, 0, 0, 6));
  tcp.set(uint16(internetChecksum(concat(pseudoHeader, tcp))), 16);
  return source.length === 4 ? ipv4(source, destination, tcp) : ipv6(source, destination, tcp);
}

/** The same packet in an Ethernet II frame with made-up addresses. */
export function ethernetFrame(packet: Uint8Array): Uint8Array {
  const etherType = packet[0]! >> 4 === 4 ? 0x0800 : 0x86dd;
  return concat(Uint8Array.of(2, 0, 0, 0, 0, 1), Uint8Array.of(2, 0, 0, 0, 0, 2), uint16(etherType), packet);
}

function ipv4(source: Uint8Array, destination: Uint8Array, tcp: Uint8Array): Uint8Array {
  const header = concat(
    Uint8Array.of(0x45, 0), // version 4, header of five words
    uint16(20 + tcp.length),
    uint16(0), // identification
    uint16(0x4000), // don't fragment
    Uint8Array.of(64, 6), // time to live, TCP
    uint16(0), // checksum, filled in below
    source,
    destination,
  );
  header.set(uint16(internetChecksum(header)), 10);
  return concat(header, tcp);
}

function ipv6(source: Uint8Array, destination: Uint8Array, tcp: Uint8Array): Uint8Array {
  return concat(uint32(0x6000_0000), uint16(tcp.length), Uint8Array.of(6, 64), source, destination, tcp);
}

/** RFC 1071: the complement of the ones' complement sum of 16-bit words, an odd octet padded with zero. */
function internetChecksum(octets: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < octets.length; at += 2) sum += (octets[at]! << 8) | (octets[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

function ipOctets(host: string): Uint8Array {
  if (!host.includes(':')) return Uint8Array.from(host.split('.'), Number);
  const [head = '', tail] = host.split('::');
  const groups = (text: string | undefined): number[] =>
    text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const before = groups(head);
  const after = groups(tail);
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return concat(...[...before, ...zeros, ...after].map(uint16));
}
