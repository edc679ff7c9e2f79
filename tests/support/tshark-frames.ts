import { frameTypeName } from '../../src/shared/names';
import type { Direction } from '../../src/shared/records';
import { tsharkFields } from './tshark';

/** A frame as Wireshark's dissector sees it. */
export interface TsharkFrame {
  /** Number of the packet with the frame's last octet. */
  packet: number;
  /** `tcp.stream` + 1. */
  conn: number;
  dir: Direction;
  /** Of its sender: tells who sent it where servers' ports are not known for sure. */
  sourcePort: number;
  type: string;
  typeId: number;
  stream: number;
  /** Of the payload. */
  length: number;
  flagBits: number;
}

/** What one side of a connection sent, in order of its octets. */
export interface TsharkSide {
  conn: number;
  dir: Direction;
  /** Names and values of all fields of all header blocks, each joined by commas: they have commas themselves. */
  headerNames: string;
  headerValues: string;
  /** `grpc.message_length` of every message: without the prefix. */
  messageLengths: number[];
}

export interface TsharkHttp2 {
  frames: TsharkFrame[];
  /** Sides that sent neither header fields nor messages are absent. */
  sides: TsharkSide[];
}

/**
 * Every HTTP/2 frame of a capture according to tshark, in the order in which it shows them: by the packet that
 * completes a frame, then by place in the octets. The connection preface is none.
 * @param ports the servers' TCP ports, decoded as HTTP/2; what goes there is `toServer`
 */
export async function tsharkFrames(file: string, ports: number | number[]): Promise<TsharkFrame[]> {
  return (await tsharkHttp2(file, ports)).frames;
}

/** As `tsharkFrames`, with the header fields and gRPC messages, in one run of tshark. */
export async function tsharkHttp2(file: string, ports: number | number[]): Promise<TsharkHttp2> {
  const servers = [ports].flat();
  // Without it, tshark drops segments that came before those in front of them.
  const preferences = ['tcp.reassemble_out_of_order:TRUE'];
  const rows = await tsharkFields(file, FIELDS, { filter: 'http2', http2Ports: servers, preferences });
  const packets = rows.map((row) => http2Packet(row, servers));
  return { frames: packets.flatMap(framesOf), sides: sidesOf(packets) };
}

const FIELDS = [
  'frame.number',
  'tcp.stream',
  'tcp.srcport',
  'tcp.dstport',
  'http2.type',
  'http2.streamid',
  'http2.length',
  'http2.flags',
  'http2.header.name',
  'http2.header.value',
  'grpc.message_length',
];

/** One packet's fields; what occurs several times is joined by commas. */
interface Http2Packet {
  packet: number;
  conn: number;
  dir: Direction;
  sourcePort: number;
  types: number[];
  streams: number[];
  lengths: number[];
  flags: number[];
  headerNames: string;
  headerValues: string;
  messageLengths: number[];
}

function http2Packet(row: string[], servers: number[]): Http2Packet {
  const [
    packet,
    stream,
    source,
    destination,
    types,
    streams,
    lengths,
    flags,
    headerNames,
    headerValues,
    messageLengths,
  ] = row;
  return {
    packet: Number(packet),
    conn: Number(stream) + 1,
    dir: servers.includes(Number(destination)) ? 'toServer' : 'toClient',
    sourcePort: Number(source),
    types: numbers(types!),
    streams: numbers(streams!),
    lengths: numbers(lengths!),
    flags: numbers(flags!),
    headerNames: headerNames!,
    headerValues: headerValues!,
    messageLengths: numbers(messageLengths!),
  };
}

function numbers(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number);
}

/** Every frame has a type, a stream, a length and flags once, so that the nth values belong together. */
function framesOf({ packet, conn, dir, sourcePort, types, streams, lengths, flags }: Http2Packet): TsharkFrame[] {
  return types.map((type, i) => ({
    packet,
    conn,
    dir,
    sourcePort,
    type: frameTypeName(type),
    typeId: type,
    stream: streams[i]!,
    length: lengths[i]!,
    flagBits: flags[i]!,
  }));
}

function sidesOf(packets: Http2Packet[]): TsharkSide[] {
  const sides = new Map<string, TsharkSide>();
  for (const { conn, dir, headerNames, headerValues, messageLengths } of packets) {
    if (headerNames === '' && messageLengths.length === 0) continue;
    const side = sides.get(`${conn} ${dir}`) ?? { conn, dir, headerNames: '', headerValues: '', messageLengths: [] };
    sides.set(`${conn} ${dir}`, side);
    if (headerNames !== '') {
      const comma = side.headerNames === '' ? '' : ',';
      side.headerNames += comma + headerNames;
      side.headerValues += comma + headerValues;
    }
    side.messageLengths.push(...messageLengths);
  }
  return [...sides.values()];
}
