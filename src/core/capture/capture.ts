import { CallTracker } from '../grpc/call-tracker';
import { HeaderStore } from '../hpack/header-store';
import { CaptureReader } from '../pcapng/reader';
import type { CaptureInterface, CaptureSection, InterfaceStatistics, PacketSink } from '../pcapng/types';
import { TcpDemux } from '../tcp/demux';
import type { Side, TcpConnection, TcpSink } from '../tcp/types';
import { CallTable, MessageTable } from './calls';
import { ChunkTable } from './chunks';
import { Connection } from './connection';
import { ConnectionDecoder } from './decoder';
import { FrameTable } from './frames';

/** Trouble told at most; more of it says nothing new. */
const MAX_TROUBLES = 1000;

export interface Trouble {
  fileOffset: number;
  message: string;
}

/**
 * A capture file as tables: octets in, rows out. The file's octets come in order, in pieces of any size; rows are
 * there as soon as their last octet is. Nothing here throws for what a file or a peer does wrong.
 */
export class Capture implements PacketSink, TcpSink {
  readonly chunks = new ChunkTable();
  readonly frames = new FrameTable();
  readonly calls = new CallTable();
  readonly messages = new MessageTable();
  readonly headers = new HeaderStore();
  /** By id - 1. */
  readonly connections: Connection[] = [];

  readonly sections: CaptureSection[] = [];
  readonly interfaces: CaptureInterface[] = [];
  readonly marks: InterfaceStatistics[] = [];
  readonly troubles: Trouble[] = [];
  packetCount = 0;
  /** Nanoseconds since the first packet. */
  lastTime = 0;
  /** Octets of the file read so far. */
  size = 0;
  ended = false;

  private readonly reader = new CaptureReader(this);
  private readonly demux = new TcpDemux(this);
  private readonly decoders: ConnectionDecoder[] = [];
  /** The file names Penstock: chunks are socket reads, and acknowledgements deliveries. */
  private ownFile = false;

  /** File position of the newest packet, and whether rows came out of an earlier one. */
  private position = 0;
  private outOfOrder = false;
  /** Rows that were written for the end of their connection: where in the file that was. */
  private readonly endOrder = new Map<number, number>();
  private order: Uint32Array | undefined;
  private ranks: Uint32Array | undefined;

  /** Whether times of delivery are in the file. */
  get hasDeliveries(): boolean {
    return this.ownFile;
  }

  /** Absolute time of the first packet, nanoseconds since 1970; undefined while there is none. */
  get firstTime(): bigint | undefined {
    return this.reader.firstTime;
  }

  /** Packets that carried no TCP. */
  get ignoredPackets(): number {
    return this.demux.ignoredPackets;
  }

  push(bytes: Uint8Array): void {
    this.size += bytes.length;
    this.reader.push(bytes);
  }

  /** The file is whole: what was waiting for more gets its row. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.reader.end();
    this.demux.end();
    for (const connection of this.connections) this.finish(connection);
    if (this.outOfOrder) this.sortRows();
  }

  /** The number that row `row` has for the user, from 1. */
  numberOf(row: number): number {
    return (this.ranks === undefined ? row : this.ranks[row]!) + 1;
  }

  rowOf(number: number): number {
    return this.order === undefined ? number - 1 : this.order[number - 1]!;
  }

  /** The call of a stream, or -1. */
  callAt(conn: number, stream: number): number {
    const { calls: list } = this.connections[conn - 1]!;
    const { stream: streams } = this.calls;
    // Streams open in ascending order, but for pushed ones and faulty peers.
    let low = 0;
    let high = list.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = streams.get(list.get(middle));
      if (found === stream) return list.get(middle);
      if (found < stream) low = middle + 1;
      else high = middle - 1;
    }
    const connection = this.connections[conn - 1]!;
    return connection.callsAscending ? -1 : (connection.callsByStream(streams).get(stream) ?? -1);
  }

  connection(arg: TcpConnection): void {
    const connection = new Connection(arg, this.chunks);
    this.connections.push(connection);
    const calls = new CallTracker(connection, this.frames, this.calls, this.messages, this.headers);
    this.decoders.push(new ConnectionDecoder(connection, this.frames, this.headers, calls));
  }

  decoder(connection: Connection): ConnectionDecoder {
    return this.decoders[connection.id - 1]!;
  }

  // PacketSink

  section(section: CaptureSection): void {
    this.sections.push(section);
    this.ownFile = section.application?.startsWith('Penstock') ?? false;
  }

  interface(captureInterface: CaptureInterface): void {
    this.interfaces.push(captureInterface);
  }

  statistics(statistics: InterfaceStatistics): void {
    this.marks.push(statistics);
  }

  packet(
    data: Uint8Array,
    start: number,
    end: number,
    time: number,
    originalLength: number,
    interfaceId: number,
    fileOffset: number,
    comment: string | undefined,
  ): void {
    this.packetCount++;
    if (time > this.lastTime) this.lastTime = time;
    this.position = fileOffset;
    const { linkType } = this.interfaces[interfaceId]!;
    this.demux.packet(data, start, end, time, originalLength, interfaceId, fileOffset, comment, linkType);
  }

  trouble(fileOffset: number, message: string): void {
    if (this.troubles.length < MAX_TROUBLES) this.troubles.push({ fileOffset, message });
  }

  // TcpSink

  octets(
    tcp: TcpConnection,
    side: Side,
    data: Uint8Array,
    start: number,
    end: number,
    offset: number,
    time: number,
    fileOffset: number,
    push: boolean,
  ): void {
    const connection = this.connections[tcp.id - 1]!;
    const decoder = this.decoders[tcp.id - 1]!;
    const half = connection.sides[side];
    const { chunks } = this;
    if (connection.client === undefined && tcp.client !== undefined) connection.learnClient(tcp.client);
    // In Penstock's own files a chunk's segments stand together, the last with PSH.
    const continues =
      this.ownFile &&
      half.chunkOpen &&
      half.chunks.length > 0 &&
      half.chunks.get(half.chunks.length - 1) === chunks.count;
    if (!continues) {
      if (half.chunkOpen) decoder.chunkEnd(side);
      half.chunks.push(chunks.push(tcp.id, side, offset, time));
    }
    chunks.extend(fileOffset, end - start);
    half.octets += end - start;
    if (time > connection.end) connection.end = time;
    if (fileOffset < this.position) this.outOfOrder = true;

    decoder.octets(side, data, start, end, offset);
    half.chunkOpen = this.ownFile && !push;
    if (!half.chunkOpen) decoder.chunkEnd(side);
  }

  gap(tcp: TcpConnection, side: Side, offset: number, length: number): void {
    this.decoders[tcp.id - 1]!.gap(side, offset, length);
  }

  acknowledged(tcp: TcpConnection, side: Side, offset: number, time: number): void {
    const connection = this.connections[tcp.id - 1]!;
    if (time > connection.end) connection.end = time;
    if (!this.ownFile) return;
    const half = connection.sides[side];
    const { chunks } = this;
    while (half.undelivered < half.chunks.length) {
      const chunk = half.chunks.get(half.undelivered);
      if (chunks.offset.get(chunk) + chunks.length.get(chunk) > offset) break;
      chunks.delivered.set(chunk, time);
      half.undelivered++;
    }
  }

  closed(tcp: TcpConnection, by: Side, how: 'fin' | 'reset', time: number): void {
    const connection = this.connections[tcp.id - 1]!;
    if (time > connection.end) connection.end = time;
    // A reset ends what a FIN of one side has only half-closed; after both FINs there is nothing left for it to end.
    const { sides, closed } = connection;
    const open = !(sides[0].finished && sides[1].finished);
    if (closed === undefined || (how === 'reset' && closed.how === 'fin' && open)) connection.closed = { by, how };
    sides[by].finished = true;
    if (how === 'reset' || (connection.sides[0].finished && connection.sides[1].finished)) this.finish(connection);
  }

  private finish(connection: Connection): void {
    const first = this.frames.count;
    this.decoders[connection.id - 1]!.finish();
    for (let row = first; row < this.frames.count; row++) this.endOrder.set(row, this.position);
  }

  /**
   * Rows in the order in which their last octets came, where segments out of order made the decoder see them later.
   * Done once, at the end of the file: while it grows, rows keep the numbers that they have.
   */
  private sortRows(): void {
    const { frames, chunks, endOrder } = this;
    const keys = new Float64Array(frames.count);
    const order = new Uint32Array(frames.count);
    for (let row = 0; row < frames.count; row++) {
      keys[row] = endOrder.get(row) ?? chunks.arrivalOrder(frames.lastChunk.get(row));
      order[row] = row;
    }
    order.sort((a, b) => keys[a]! - keys[b]! || a - b);
    const ranks = new Uint32Array(frames.count);
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank]!] = rank;
    this.order = order;
    this.ranks = ranks;
  }
}
