/** Packets and capture files built part by part, for tests that want the unusual. Checksums are set, not computed. */
import { concat, latin1, uint16, uint32 } from './octets';

const CHECKSUM = uint16(0xbeef);

export interface TcpParts {
  from: number;
  to: number;
  seq: number;
  ack?: number;
  /** Letters of SYN, FIN, RST, PSH and ACK: `SA`. ACK is set by `ack`, too. */
  flags?: string;
  /** Whole 32-bit words. */
  options?: Uint8Array;
  payload?: Uint8Array | string;
}

const FLAGS: Record<string, number> = { F: 1, S: 2, R: 4, P: 8, A: 16 };

export function tcpSegment(parts: TcpParts): Uint8Array {
  const options = parts.options ?? new Uint8Array(0);
  let flags = parts.ack === undefined ? 0 : 16;
  for (const letter of parts.flags ?? '') flags |= FLAGS[letter]!;
  return concat(
    uint16(parts.from),
    uint16(parts.to),
    uint32(parts.seq >>> 0),
    uint32((parts.ack ?? 0) >>> 0),
    Uint8Array.of((5 + options.length / 4) << 4, flags),
    uint16(65535), // window
    CHECKSUM,
    uint16(0), // urgent pointer
    options,
    typeof parts.payload === 'string' ? latin1(parts.payload) : (parts.payload ?? new Uint8Array(0)),
  );
}

export interface Ipv4Parts {
  source?: string;
  destination?: string;
  protocol?: number;
  options?: Uint8Array;
  /** Flags and fragment offset, 16 bits. */
  fragment?: number;
  totalLength?: number;
}

export function ipv4(payload: Uint8Array, parts: Ipv4Parts = {}): Uint8Array {
  const options = parts.options ?? new Uint8Array(0);
  const header = 20 + options.length;
  return concat(
    Uint8Array.of(0x40 | (header / 4), 0),
    uint16(parts.totalLength ?? header + payload.length),
    uint16(1), // identification
    uint16(parts.fragment ?? 0x4000),
    Uint8Array.of(64, parts.protocol ?? 6),
    CHECKSUM,
    Uint8Array.from((parts.source ?? '10.0.0.1').split('.'), Number),
    Uint8Array.from((parts.destination ?? '10.0.0.2').split('.'), Number),
    options,
    payload,
  );
}

export interface Ipv6Parts {
  /** Sixteen octets. */
  source: Uint8Array;
  destination: Uint8Array;
  next?: number;
  payloadLength?: number;
}

export function ipv6(payload: Uint8Array, parts: Ipv6Parts): Uint8Array {
  return concat(
    uint32(0x60000000),
    uint16(parts.payloadLength ?? payload.length),
    Uint8Array.of(parts.next ?? 6, 64),
    parts.source,
    parts.destination,
    payload,
  );
}

/** Ethernet II; `tags` are VLAN tags between the addresses and the type, four octets each. */
export function ethernet(payload: Uint8Array, type = 0x0800, tags: Uint8Array = new Uint8Array(0)): Uint8Array {
  return concat(new Uint8Array(12).fill(2), tags, uint16(type), payload);
}

export interface FilePacket {
  octets: Uint8Array;
  /** In the unit of the file or interface, since the epoch. */
  time?: bigint;
  originalLength?: number;
}

/** Numbers in one byte order. */
export class Endian {
  constructor(readonly little: boolean) {}

  u16(value: number): Uint8Array {
    return this.order(uint16(value));
  }

  u32(value: number): Uint8Array {
    return this.order(uint32(value));
  }

  private order(octets: Uint8Array): Uint8Array {
    return this.little ? octets.reverse() : octets;
  }
}

export interface PcapParts {
  little?: boolean;
  nanoseconds?: boolean;
  linkType?: number;
  packets: readonly FilePacket[];
}

export function buildPcap({ little = true, nanoseconds = false, linkType = 1, packets }: PcapParts): Uint8Array {
  const e = new Endian(little);
  const second = nanoseconds ? 1_000_000_000n : 1_000_000n;
  return concat(
    e.u32(nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4),
    e.u16(2), // version
    e.u16(4),
    e.u32(0), // reserved
    e.u32(0),
    e.u32(65535), // snap length
    e.u32(linkType),
    ...packets.map(({ octets, time = 0n, originalLength }) =>
      concat(
        e.u32(Number(time / second)),
        e.u32(Number(time % second)),
        e.u32(octets.length),
        e.u32(originalLength ?? octets.length),
        octets,
      ),
    ),
  );
}

export type PcapngOption = [code: number, value: string | Uint8Array];

/** The blocks of pcapng; a file is any concatenation of them that starts with a section. */
export class Pcapng {
  private readonly e: Endian;

  constructor(little = true) {
    this.e = new Endian(little);
  }

  block(type: number, body: Uint8Array): Uint8Array {
    const length = this.e.u32(12 + padded(body).length);
    return concat(this.e.u32(type), length, padded(body), length);
  }

  section(options: PcapngOption[] = [], major = 1): Uint8Array {
    const { e } = this;
    const fixed = concat(e.u32(0x1a2b3c4d), e.u16(major), e.u16(0), new Uint8Array(8).fill(0xff));
    return this.block(0x0a0d0d0a, concat(fixed, this.options(options)));
  }

  interface(linkType = 1, options: PcapngOption[] = [], snapLength = 0): Uint8Array {
    const { e } = this;
    return this.block(1, concat(e.u16(linkType), e.u16(0), e.u32(snapLength), this.options(options)));
  }

  enhanced(packet: FilePacket, interfaceId = 0, options: PcapngOption[] = []): Uint8Array {
    return this.block(6, concat(this.e.u32(interfaceId), this.packetBody(packet), this.options(options)));
  }

  obsolete(packet: FilePacket, interfaceId = 0, options: PcapngOption[] = []): Uint8Array {
    const place = concat(this.e.u16(interfaceId), this.e.u16(7)); // 7 packets dropped
    return this.block(2, concat(place, this.packetBody(packet), this.options(options)));
  }

  simple(octets: Uint8Array, originalLength = octets.length): Uint8Array {
    return this.block(3, concat(this.e.u32(originalLength), octets));
  }

  statistics(time: bigint, interfaceId = 0, options: PcapngOption[] = []): Uint8Array {
    return this.block(5, concat(this.e.u32(interfaceId), this.time(time), this.options(options)));
  }

  options(options: PcapngOption[]): Uint8Array {
    const { e } = this;
    if (options.length === 0) return new Uint8Array(0);
    const written = options.map(([code, value]) => {
      const octets = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      return concat(e.u16(code), e.u16(octets.length), padded(octets));
    });
    return concat(...written, new Uint8Array(4)); // opt_endofopt
  }

  private packetBody({ octets, time = 0n, originalLength = octets.length }: FilePacket): Uint8Array {
    return concat(this.time(time), this.e.u32(octets.length), this.e.u32(originalLength), padded(octets));
  }

  private time(time: bigint): Uint8Array {
    return concat(this.e.u32(Number(time >> 32n)), this.e.u32(Number(time & 0xffffffffn)));
  }
}

/** A file of one section and one interface. */
export function buildPcapng(packets: readonly FilePacket[], linkType = 1, options: PcapngOption[] = []): Uint8Array {
  const file = new Pcapng();
  const blocks = packets.map((packet) => file.enhanced(packet));
  return concat(file.section(), file.interface(linkType, options), ...blocks);
}

/** Filled with zeros to a multiple of four octets. */
function padded(octets: Uint8Array): Uint8Array {
  return concat(octets, new Uint8Array((4 - (octets.length % 4)) % 4));
}
