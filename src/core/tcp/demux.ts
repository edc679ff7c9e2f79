/** Packets in, each connection's octets in order out. */

import { ipv4Text, ipv6Text } from './address';
import { HalfStream } from './half';
import { IP_FRAGMENT, IP_MALFORMED, IP_TCP, IpHeader, type IpVerdict, word } from './ip';
import { networkHeader, UNKNOWN_LINK } from './link';
import { ConnectionTable, TableEntry } from './table';
import { Troubles } from './troubles';
import type { Endpoint, Side, TcpConnection, TcpSink } from './types';

const FIN = 0x01;
const SYN = 0x02;
const RST = 0x04;
const PSH = 0x08;
const ACK = 0x10;

/** Link types that are told of when they can't be read, each once. */
const MAX_TOLD_LINKS = 16;

class Connection extends TableEntry {
  readonly halves: readonly [HalfStream, HalfStream];
  segments = 0;
  lastTime = 0;

  constructor(
    readonly record: TcpConnection,
    header: IpHeader,
    ports: number,
    sink: TcpSink,
    troubles: Troubles,
  ) {
    super(header, ports);
    this.halves = [new HalfStream(sink, troubles, record, 0), new HalfStream(sink, troubles, record, 1)];
  }

  flush(time: number): void {
    this.halves[0].flush(time);
    this.halves[1].flush(time);
  }
}

/**
 * Finds TCP in packets of the link types in link.ts, tells connections apart (numbered as tshark's tcp.stream, from 1)
 * and puts each side's octets in order. Octets are handed on in place when they come in order; otherwise copies are
 * held until what is missing came (16 MiB a side) or is given up and told as a gap.
 */
export class TcpDemux {
  /** Packets that are no TCP, or whose TCP header could not be read. */
  ignoredPackets = 0;
  private readonly troubles: Troubles;
  private readonly header = new IpHeader();
  private readonly table = new ConnectionTable<Connection>();
  /** The connection of the packet before: most often this one's, too. */
  private last: Connection | undefined;
  /** The sender of the packet being read. */
  private side: Side = 0;
  private connectionCount = 0;
  private readonly toldLinks = new Set<number>();

  constructor(private readonly sink: TcpSink) {
    this.troubles = new Troubles(sink);
  }

  /** The parameters of PacketSink.packet, and the link type of its interface. `comment` is not used here. */
  packet(
    data: Uint8Array,
    start: number,
    end: number,
    time: number,
    originalLength: number,
    interfaceId: number,
    fileOffset: number,
    _comment: string | undefined,
    linkType: number,
  ): void {
    const at = networkHeader(linkType, data, start, end);
    if (at < 0) {
      this.ignoredPackets++;
      if (at === UNKNOWN_LINK) this.tellLink(linkType, fileOffset);
      return;
    }
    const { header } = this;
    const ip = header.read(data, at, end, start + originalLength);
    if (ip !== IP_TCP) {
      this.ignoredPackets++;
      this.tellIp(ip, fileOffset);
      return;
    }
    const tcp = header.start;
    const available = Math.min(end, header.end);
    if (available - tcp < 20) {
      this.ignoredPackets++;
      this.troubles.tell('short', fileOffset, 'packets too short for their TCP header are ignored');
      return;
    }
    const ports = word(data, tcp);
    const connection = this.find(ports) ?? this.open(ports, data[tcp + 13]!, time, interfaceId);
    const payload = tcp + (data[tcp + 12]! >> 4) * 4;
    if (payload < tcp + 20 || payload > header.end) {
      this.ignoredPackets++;
      this.troubles.tell('header', fileOffset, 'segments whose TCP header length is impossible are ignored');
      return;
    }
    const captured = available > payload ? available - payload : 0;
    this.segment(connection, data, tcp, payload, captured, header.end - payload, time, fileOffset, start, interfaceId);
  }

  /** The file ends: what is still held is handed on, with gaps for what is missing. */
  end(): void {
    const connections = this.table.all().sort((a, b) => a.record.id - b.record.id);
    for (const connection of connections) connection.flush(connection.lastTime);
  }

  private find(ports: number): Connection | undefined {
    const { words } = this.header;
    const { last } = this;
    const side = last?.sender(words, ports);
    if (side !== undefined) {
      this.side = side;
      return last;
    }
    const found = this.table.find(words, ports);
    if (found !== undefined) {
      this.last = found;
      this.side = found.sender(words, ports)!;
    }
    return found;
  }

  private open(ports: number, flags: number, time: number, interfaceId: number): Connection {
    const { header } = this;
    const record: TcpConnection = {
      id: ++this.connectionCount,
      endpoints: [endpoint(header, 0, ports >>> 16), endpoint(header, 4, ports & 0xffff)],
      client: clientSide(flags, 0),
      behind: [false, false],
      start: time,
      interfaceId,
    };
    const connection = new Connection(record, header, ports, this.sink, this.troubles);
    connection.lastTime = time;
    this.table.add(connection);
    this.last = connection;
    this.side = 0;
    this.sink.connection(record);
    return connection;
  }

  private segment(
    found: Connection,
    data: Uint8Array,
    tcp: number,
    payload: number,
    captured: number,
    length: number,
    time: number,
    packetOffset: number,
    packetStart: number,
    interfaceId: number,
  ): void {
    const flags = data[tcp + 13]!;
    let sequence = word(data, tcp + 4);
    let connection = found;
    let { side } = this;
    if ((flags & SYN) !== 0) {
      if ((flags & (FIN | RST)) !== 0) {
        this.troubles.tell('flags', packetOffset, 'segments with SYN and FIN or RST, which no TCP sends, are ignored');
        return;
      }
      // A SYN takes the number before its first octet.
      sequence = (sequence + 1) | 0;
      if ((flags & ACK) === 0 && connection.halves[side].isOther(sequence)) {
        connection = this.replace(connection, word(data, tcp), flags, time, interfaceId);
        side = 0;
      }
      if (!connection.halves[side].synchronize(sequence)) {
        this.troubles.tell('SYN', packetOffset, 'SYN-ACKs that contradict the connection so far are ignored');
        return;
      }
      connection.record.client ??= clientSide(flags, side);
    }
    connection.segments++;
    connection.lastTime = time;
    const own = connection.halves[side];
    const other = connection.halves[side === 0 ? 1 : 0];
    if ((flags & ACK) !== 0) other.acknowledge(word(data, tcp + 8), time);
    if ((flags & RST) !== 0) {
      // Its octets, if any, are words about the reset (RFC 9293 §3.5.3), and its sequence number may be 0.
      connection.flush(time);
      own.reset(time, packetOffset);
      return;
    }
    if (!own.started) own.start(sequence, false);
    const push = (flags & PSH) !== 0;
    const fin = (flags & FIN) !== 0;
    const fileOffset = packetOffset + payload - packetStart;
    connection.record.behind[other.side] = other.behind;
    own.segment(sequence, data, payload, captured, length, time, fileOffset, packetOffset, push, fin);
    if (own.waiting) own.checkHole(connection.segments, time);
    if (other.waiting) other.checkHole(connection.segments, time);
  }

  /** The same addresses and ports, used again. */
  private replace(old: Connection, ports: number, flags: number, time: number, interfaceId: number): Connection {
    old.flush(time);
    this.table.remove(old);
    return this.open(ports, flags, time, interfaceId);
  }

  private tellIp(ip: IpVerdict, fileOffset: number): void {
    if (ip === IP_FRAGMENT) {
      this.troubles.tell('fragment', fileOffset, 'IP fragments of TCP segments are not put together: they are ignored');
    } else if (ip === IP_MALFORMED) {
      this.troubles.tell('ip', fileOffset, 'packets whose IP header is cut or contradicts itself are ignored');
    }
  }

  private tellLink(linkType: number, fileOffset: number): void {
    if (this.toldLinks.has(linkType) || this.toldLinks.size >= MAX_TOLD_LINKS) return;
    this.toldLinks.add(linkType);
    this.sink.trouble(fileOffset, `packets of link type ${linkType} can't be read and are ignored`);
  }
}

/** The client sends a SYN without ACK, and is sent one with it. */
function clientSide(flags: number, sender: Side): Side | undefined {
  if ((flags & SYN) === 0 || (flags & (FIN | RST)) !== 0) return undefined;
  return (flags & ACK) === 0 ? sender : sender === 0 ? 1 : 0;
}

function endpoint({ version, words }: IpHeader, at: number, port: number): Endpoint {
  const last = words[at + 3]!;
  const address = version === 4 ? ipv4Text(last) : ipv6Text(words[at]!, words[at + 1]!, words[at + 2]!, last);
  return { address, port };
}
