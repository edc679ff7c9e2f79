/** Capture files for tests, written without Penstock's own writer: what reads them is tried on a second hand. */
import { concat, latin1 } from './octets';

export interface TimedPacket {
  /** Nanoseconds since the epoch. */
  time: bigint;
  octets: Uint8Array;
  comment?: string;
}

export const LinkType = { ETHERNET: 1, RAW: 101 } as const;

/** The classic format with nanosecond times (magic a1b23c4d), little-endian. */
export function pcapFile(linkType: number, packets: readonly TimedPacket[]): Uint8Array {
  const header = concat(
    le32(0xa1b23c4d),
    le16(2), // version 2.4
    le16(4),
    le32(0), // time zone
    le32(0), // accuracy
    le32(262_144), // snap length
    le32(linkType),
  );
  const records = packets.map(({ time, octets }) =>
    concat(
      le32(Number(time / 1_000_000_000n)),
      le32(Number(time % 1_000_000_000n)),
      le32(octets.length), // captured
      le32(octets.length), // on the wire
      octets,
    ),
  );
  return concat(header, ...records);
}

export interface PcapngOptions {
  linkType: number;
  /** `shb_userappl`. */
  application?: string;
  /** The interface's comment; the settings of a tap in Penstock's files. */
  interfaceComment?: string;
  interfaceDescription?: string;
}

/** pcapng, little-endian: one section, one interface with nanosecond times, one Enhanced Packet Block a packet. */
export function pcapngFile(options: PcapngOptions, packets: readonly TimedPacket[]): Uint8Array {
  const section = block(
    0x0a0d0d0a,
    concat(le32(0x1a2b3c4d), le16(1), le16(0), le32(0xffffffff), le32(0xffffffff)), // 1.0, length unknown
    [[4, options.application]],
  );
  const captureInterface = block(1, concat(le16(options.linkType), le16(0), le32(0)), [
    [1, options.interfaceComment],
    [3, options.interfaceDescription],
    [9, Uint8Array.of(9)], // if_tsresol: 10^-9 s
  ]);
  const blocks = packets.map(({ time, octets, comment }) =>
    block(
      6,
      concat(
        le32(0), // interface
        le32(Number(time >> 32n)),
        le32(Number(time & 0xffffffffn)),
        le32(octets.length), // captured
        le32(octets.length), // on the wire
        octets,
        padding(octets.length),
      ),
      [[1, comment]],
    ),
  );
  return concat(section, captureInterface, ...blocks);
}

type Option = [code: number, value: Uint8Array | string | undefined];

/** A block: type and total length, body, options, total length again. */
function block(type: number, body: Uint8Array, options: Option[]): Uint8Array {
  const written = options.flatMap(([code, value]) => {
    if (value === undefined) return [];
    const octets = typeof value === 'string' ? latin1(value) : value;
    return [le16(code), le16(octets.length), octets, padding(octets.length)];
  });
  const optionPart = written.length === 0 ? [] : [...written, le16(0), le16(0)]; // opt_endofopt
  const content = concat(body, ...optionPart);
  const length = le32(content.length + 12);
  return concat(le32(type), length, content, length);
}

function padding(length: number): Uint8Array {
  return new Uint8Array((4 - (length % 4)) % 4);
}

function le16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
}

function le32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);
}
