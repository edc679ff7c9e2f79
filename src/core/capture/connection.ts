import type { Protocol } from '../../shared/records';
import { U32Column } from '../columns';
import type { Side, TcpConnection } from '../tcp/types';
import type { ChunkTable } from './chunks';

/** One side's octets, counted. */
export class ConnectionSide {
  /** Chunks in stream order. */
  readonly chunks = new U32Column();
  /** Position in `chunks` of the first one not known as delivered. */
  undelivered = 0;
  octets = 0;
  /** Rows by frame type, 256 and up by NON_FRAME_KINDS. */
  readonly rowsByType = new Map<number, number>();
  /** The newest chunk goes on with the next segment. */
  chunkOpen = false;
  /** FIN or a reset was seen. */
  finished = false;
}

/** A limit that a side's SETTINGS in `row` set to the streams that its peer opens. */
export interface StreamLimit {
  row: number;
  value: number;
}

/** What is known of one TCP connection, whatever it carries. */
export class Connection {
  readonly sides: [ConnectionSide, ConnectionSide] = [new ConnectionSide(), new ConnectionSide()];
  /** Undefined while nothing tells; views then take side 0. */
  client: Side | undefined;
  protocol: Protocol = 'opaque';
  joined: 'start' | 'middle';
  end: number;
  closed: { by: Side; how: 'fin' | 'reset' } | undefined;
  /** Calls in the order in which their streams opened. */
  readonly calls = new U32Column();
  /** Their streams opened in ascending order: always, but for pushed streams and faulty peers. */
  callsAscending = true;
  highestCallStream = 0;
  /** What the sides' first SETTINGS and their pings tell of their software; see core/grpc/implementations. */
  readonly settings: [[number, number][] | undefined, [number, number][] | undefined] = [undefined, undefined];
  /** SETTINGS_INITIAL_WINDOW_SIZE of an upgrade's HTTP2-Settings (RFC 7540 §3.2.1). */
  upgradeWindow: number | undefined;
  /** SETTINGS_MAX_CONCURRENT_STREAMS of each side's SETTINGS that have it: the last value in the frame counts. */
  readonly streamLimits: [StreamLimit[], StreamLimit[]] = [[], []];
  /** Distinct PING payloads in hex, the first few of each side. */
  readonly pings: [Set<string>, Set<string>] = [new Set(), new Set()];

  constructor(
    readonly tcp: TcpConnection,
    readonly chunkTable: ChunkTable,
  ) {
    this.client = tcp.client;
    this.joined = tcp.client === undefined ? 'middle' : 'start';
    this.end = tcp.start;
  }

  private readonly byStream = new Map<number, number>();
  private indexed = 0;

  /**
   * Calls by their streams, for a peer that opens these in no order. The last call of a stream counts.
   * @param streams of all calls of the capture
   */
  callsByStream(streams: U32Column): ReadonlyMap<number, number> {
    for (; this.indexed < this.calls.length; this.indexed++) {
      const call = this.calls.get(this.indexed);
      this.byStream.set(streams.get(call), call);
    }
    return this.byStream;
  }

  get id(): number {
    return this.tcp.id;
  }

  get clientSide(): Side {
    return this.client ?? 0;
  }

  /** A SYN came after the connection's first packet: a stray segment stood before it. */
  learnClient(client: Side): void {
    this.client = client;
    if (this.sides[0].octets === 0 && this.sides[1].octets === 0) this.joined = 'start';
  }

  count(side: Side, type: number): void {
    const { rowsByType } = this.sides[side];
    rowsByType.set(type, (rowsByType.get(type) ?? 0) + 1);
  }

  /** The chunk with the octet at `offset` of a side; the nearest before it when there is none, 0 without any. */
  chunkAt(side: Side, offset: number): number {
    const { chunks } = this.sides[side];
    let position = chunks.length - 1;
    if (position < 0) return 0;
    let chunk = chunks.get(position);
    while (position > 0 && this.chunkTable.offset.get(chunk) > offset) chunk = chunks.get(--position);
    return chunk;
  }

  /** As `chunkAt`, for an offset not after the last octet of `last`: nearly always that chunk itself. */
  firstChunkBefore(side: Side, offset: number, last: number): number {
    return this.chunkTable.offset.get(last) <= offset ? last : this.chunkAt(side, offset);
  }
}
