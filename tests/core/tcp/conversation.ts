import { TcpDemux } from '../../../src/core/tcp/demux';
import type { Side, TcpConnection, TcpSink } from '../../../src/core/tcp/types';
import { ipv4, type TcpParts, tcpSegment } from '../../support/packets';

export type Event =
  | { kind: 'connection'; id: number; ends: string[]; client: Side | undefined }
  | { kind: 'octets'; id: number; side: Side; text: string; offset: number; time: number; at: number; push: boolean }
  | { kind: 'gap'; id: number; side: Side; offset: number; length: number }
  | { kind: 'acknowledged'; id: number; side: Side; offset: number }
  | { kind: 'closed'; id: number; by: Side; how: 'fin' | 'reset'; time: number }
  | { kind: 'trouble'; message: string };

/** Octets as Latin-1 text, everything in the order of the calls. */
export class RecordingTcpSink implements TcpSink {
  readonly events: Event[] = [];
  readonly connections: TcpConnection[] = [];

  connection(connection: TcpConnection): void {
    this.connections.push(connection);
    const { id, client, endpoints } = connection;
    this.events.push({ kind: 'connection', id, ends: endpoints.map((end) => `${end.address} ${end.port}`), client });
  }

  octets(
    { id }: TcpConnection,
    side: Side,
    data: Uint8Array,
    start: number,
    end: number,
    offset: number,
    time: number,
    at: number,
    push: boolean,
  ): void {
    const text = Buffer.from(data.subarray(start, end)).toString('latin1');
    this.events.push({ kind: 'octets', id, side, text, offset, time, at, push });
  }

  gap({ id }: TcpConnection, side: Side, offset: number, length: number): void {
    this.events.push({ kind: 'gap', id, side, offset, length });
  }

  acknowledged({ id }: TcpConnection, side: Side, offset: number): void {
    this.events.push({ kind: 'acknowledged', id, side, offset });
  }

  closed({ id }: TcpConnection, by: Side, how: 'fin' | 'reset', time: number): void {
    this.events.push({ kind: 'closed', id, by, how, time });
  }

  trouble(_fileOffset: number, message: string): void {
    this.events.push({ kind: 'trouble', message });
  }

  of<K extends Event['kind']>(kind: K): Extract<Event, { kind: K }>[] {
    return this.events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
  }

  /** A side's stream with `.` for every octet of a gap; throws where offsets don't follow each other. */
  stream(side: Side, id = 1): string {
    let text = '';
    for (const event of this.events) {
      if ((event.kind !== 'octets' && event.kind !== 'gap') || event.side !== side || event.id !== id) continue;
      if (event.offset !== text.length) throw new Error(`offset ${event.offset} after ${text.length} octets`);
      text += event.kind === 'octets' ? event.text : '.'.repeat(event.length);
    }
    return text;
  }
}

/** Two sides, 10.0.0.1:40000 (side 0 when it speaks first) and 10.0.0.2:50051, over LINKTYPE_RAW. */
export class Conversation {
  readonly sink = new RecordingTcpSink();
  readonly demux = new TcpDemux(this.sink);
  private time = 0;
  private fileOffset = 1000;

  /** From the client; each packet comes 10 ns after the one before, and its lent octets are overwritten. */
  client(parts: Omit<TcpParts, 'from' | 'to'>, captured?: number): this {
    const segment = tcpSegment({ from: 40000, to: 50051, ...parts });
    return this.packet(ipv4(segment, { source: '10.0.0.1', destination: '10.0.0.2' }), captured);
  }

  server(parts: Omit<TcpParts, 'from' | 'to'>, captured?: number): this {
    const segment = tcpSegment({ from: 50051, to: 40000, ...parts });
    return this.packet(ipv4(segment, { source: '10.0.0.2', destination: '10.0.0.1' }), captured);
  }

  packet(packet: Uint8Array, captured = packet.length, linkType = 101): this {
    const lent = new Uint8Array(captured + 6).fill(0xee);
    lent.set(packet.subarray(0, captured), 3);
    const end = 3 + captured;
    this.demux.packet(lent, 3, end, this.time, packet.length, 0, this.fileOffset, undefined, linkType);
    lent.fill(0xee);
    this.time += 10;
    this.fileOffset += 1000;
    return this;
  }

  /** SYN, SYN-ACK, ACK: the client's octets start at 101, the server's at 501. */
  handshake(clientInitial = 100, serverInitial = 500): this {
    return this.client({ seq: clientInitial, flags: 'S' })
      .server({ seq: serverInitial, flags: 'S', ack: clientInitial + 1 })
      .client({ seq: clientInitial + 1, ack: serverInitial + 1 });
  }

  end(): RecordingTcpSink {
    this.demux.end();
    return this.sink;
  }
}
