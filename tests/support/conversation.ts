/**
 * Lays two octet streams as a TCP connection into a capture file, so that a test states only who sent what and when:
 *
 *     const file = conversation({ delay: 0.01 })
 *       .toServer(0.001, PREFACE, settings())
 *       .toClient(0.002, settings(), settingsAck())
 *       .fin(0.5, 'toServer')
 *       .file();
 *
 * Times are seconds since the SYN at 0: the times that `penstock frames` shows.
 */
import type { Direction } from '../../src/shared/records';
import { LinkType, pcapFile, pcapngFile } from './capture-file';
import { chunksOf, concat } from './octets';
import { type Address, address, ethernetFrame, ipPacket, Tcp } from './segments';

export interface FileOptions {
  /** Default true: pcapng by Penstock's conventions. False: a foreign file, in which an ACK is no delivery. */
  penstock?: boolean;
  /** Of a foreign file; default pcap. */
  format?: 'pcap' | 'pcapng';
  /** Default `raw` in Penstock's files, `ethernet` in foreign ones. */
  link?: 'raw' | 'ethernet';
}

export interface ConversationOptions extends FileOptions {
  /** Default 127.0.0.1:40001. */
  client?: string;
  /** Default 127.0.0.1:50051. */
  server?: string;
  /** Time of the SYN; default 0. False: joined in the middle, and times are those since the first packet. */
  handshake?: number | false;
  /** Seconds from arrival to delivery in a Penstock file (one for both directions, or each); default 0. */
  delay?: number | Record<Direction, number>;
  /** Cuts whatever is sent into chunks of so many octets: 1 is the hardest replay. */
  split?: number;
  /** Octets of payload a segment, at most; default 65,000 as the tap writes. */
  segment?: number;
  /** Initial sequence numbers; near 2^32 for a wrap. */
  sequence?: Record<Direction, number>;
}

export interface SendOptions {
  /** When the tap had handed these octets on; null for never. Default: `t` and the conversation's delay. */
  delivered?: number | null;
}

/** 2024-01-01T00:00:00Z: the absolute time of a conversation's second 0. */
export const EPOCH = 1_704_067_200n * 1_000_000_000n;

const OPPOSITE: Record<Direction, Direction> = { toServer: 'toClient', toClient: 'toServer' };
const SYN_PLACE = -1;
const NOTHING = new Uint8Array(0);

/** One packet to be laid out. Positions count from 0, the first octet's; the SYN stands at -1. */
interface Step {
  time: number;
  /** Which way the packet goes. */
  dir: Direction;
  /** Where its payload stands in its direction; undefined: behind all that was laid before (a bare ACK). */
  offset?: number;
  flags: number;
  payload?: Uint8Array;
  /** Position up to which it acknowledges the other direction, when that is its purpose. */
  acknowledges?: number;
}

export interface LaidPacket {
  /** Seconds since the conversation's second 0. */
  time: number;
  /** An IP packet. */
  octets: Uint8Array;
}

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #penstock: boolean;
  readonly #client: Address;
  readonly #server: Address;
  readonly #steps: Step[] = [];
  /** Position of the next octet of each direction. */
  readonly #next: Record<Direction, number> = { toServer: 0, toClient: 0 };
  readonly #latest: Record<Direction, number> = {
    toServer: Number.NEGATIVE_INFINITY,
    toClient: Number.NEGATIVE_INFINITY,
  };

  constructor(options: ConversationOptions = {}) {
    this.#options = options;
    this.#penstock = options.penstock ?? true;
    this.#client = address(options.client ?? '127.0.0.1:40001');
    this.#server = address(options.server ?? '127.0.0.1:50051');
    if (options.handshake === false) return;
    const time = options.handshake ?? 0;
    this.#lay({ time, dir: 'toServer', offset: SYN_PLACE, flags: Tcp.SYN });
    this.#lay({ time, dir: 'toClient', offset: SYN_PLACE, flags: Tcp.SYN | Tcp.ACK });
    this.#lay({ time, dir: 'toServer', offset: 0, flags: Tcp.ACK });
  }

  /** One chunk towards the server, of all the octets given. */
  toServer(t: number, ...given: (Uint8Array | SendOptions)[]): this {
    return this.#send('toServer', t, given);
  }

  /** One chunk towards the client, of all the octets given. */
  toClient(t: number, ...given: (Uint8Array | SendOptions)[]): this {
    return this.#send('toClient', t, given);
  }

  /** Octets that pass unseen: positions go on without a packet. */
  gap(dir: Direction, length: number): this {
    this.#next[dir] += length;
    return this;
  }

  /** A segment at a position of its own: a retransmission, or one out of order. Later positions do not move. */
  segmentAt(t: number, dir: Direction, offset: number, payload: Uint8Array): this {
    return this.#lay({ time: t, dir, offset, flags: Tcp.ACK | Tcp.PSH, payload });
  }

  /** A bare ACK for `dir`, by its receiver, up to `offset` (default: all that was told so far). */
  ack(t: number, dir: Direction, offset = this.#next[dir]): this {
    return this.#lay({ time: t, dir: OPPOSITE[dir], flags: Tcp.ACK, acknowledges: offset });
  }

  /** The sender of `dir` ends it; the FIN takes one position. */
  fin(t: number, dir: Direction): this {
    const offset = this.#next[dir];
    this.#next[dir] += 1;
    return this.#lay({ time: t, dir, offset, flags: Tcp.FIN | Tcp.ACK });
  }

  /** The sender of `dir` resets the connection. */
  reset(t: number, dir: Direction): this {
    return this.#lay({ time: t, dir, offset: this.#next[dir], flags: Tcp.RST | Tcp.ACK });
  }

  /** All packets in the order of time; what happens at one time stays in the order in which it was told. */
  packets(): LaidPacket[] {
    const laid: Record<Direction, number> = { toServer: 0, toClient: 0 };
    const acknowledged: Record<Direction, number> = { toServer: 0, toClient: 0 };
    const steps = [...this.#steps].sort((a, b) => a.time - b.time);
    return steps.map(({ time, dir, offset = laid[dir], flags, payload = NOTHING, acknowledges }) => {
      const other = OPPOSITE[dir];
      // A foreign host acknowledges what it has seen with every packet; in Penstock's files, only delivery does.
      const known = acknowledges ?? (this.#penstock ? acknowledged[other] : laid[other]);
      acknowledged[other] = Math.max(acknowledged[other], known);
      laid[dir] = Math.max(laid[dir], offset + payload.length + (flags & Tcp.FIN));
      return { time, octets: this.#packet(dir, offset, flags, payload, acknowledges ?? acknowledged[other]) };
    });
  }

  /** The capture file of this connection alone. */
  file(): Uint8Array {
    return captureFile([this], this.#options);
  }

  #send(dir: Direction, t: number, given: (Uint8Array | SendOptions)[]): this {
    if (t < this.#latest[dir]) throw new Error(`${dir} at ${t} s would go before what went at ${this.#latest[dir]} s`);
    this.#latest[dir] = t;
    const octets = concat(...given.filter((part) => part instanceof Uint8Array));
    const options: SendOptions = Object.assign({}, ...given.filter((part) => !(part instanceof Uint8Array)));
    const delivered = options.delivered === undefined ? t + this.#delay(dir) : options.delivered;
    for (const chunk of chunksOf(octets, this.#options.split ?? octets.length)) {
      this.#chunk(dir, t, chunk);
      if (this.#penstock && delivered !== null) this.ack(delivered, dir);
    }
    return this;
  }

  /** PSH is on the chunk's last segment alone. */
  #chunk(dir: Direction, time: number, chunk: Uint8Array): void {
    const end = this.#next[dir] + chunk.length;
    for (const payload of chunksOf(chunk, this.#options.segment ?? 65_000)) {
      const offset = this.#next[dir];
      this.#next[dir] += payload.length;
      this.#lay({ time, dir, offset, flags: Tcp.ACK | (this.#next[dir] === end ? Tcp.PSH : 0), payload });
    }
  }

  #lay(step: Step): this {
    this.#steps.push(step);
    return this;
  }

  #packet(dir: Direction, offset: number, flags: number, payload: Uint8Array, acknowledged: number): Uint8Array {
    const initial = this.#options.sequence ?? { toServer: 1000, toClient: 2000 };
    const toServer = dir === 'toServer';
    return ipPacket({
      source: toServer ? this.#client : this.#server,
      destination: toServer ? this.#server : this.#client,
      sequence: (initial[dir] + 1 + offset) % 2 ** 32,
      acknowledgement: flags & Tcp.ACK ? (initial[OPPOSITE[dir]] + 1 + acknowledged) % 2 ** 32 : 0,
      flags,
      payload,
    });
  }

  #delay(dir: Direction): number {
    const { delay = 0 } = this.#options;
    return typeof delay === 'number' ? delay : delay[dir];
  }
}

export function conversation(options?: ConversationOptions): Conversation {
  return new Conversation(options);
}

/** Several connections in one file, merged in the order of time. */
export function captureFile(conversations: readonly Conversation[], options: FileOptions = {}): Uint8Array {
  const penstock = options.penstock ?? true;
  const link = options.link ?? (penstock ? 'raw' : 'ethernet');
  const linkType = link === 'raw' ? LinkType.RAW : LinkType.ETHERNET;
  const packets = conversations
    .flatMap((each) => each.packets())
    .sort((a, b) => a.time - b.time)
    .map(({ time, octets }) => ({
      time: EPOCH + BigInt(Math.round(time * 1e9)),
      octets: link === 'raw' ? octets : ethernetFrame(octets),
    }));
  if (!penstock && options.format !== 'pcapng') return pcapFile(linkType, packets);
  return pcapngFile({ linkType, ...(penstock ? { application: 'Penstock 0.1.0' } : {}) }, packets);
}
