import { ACK, FIN, LARGEST_PAYLOAD, PSH, RST, type SegmentPath, SYN, segmentPath } from '../../core/pcapng/segments';
import { OPT_COMMENT, textOption } from '../../core/pcapng/write-options';
import type { Endpoint, Side } from '../../core/tcp/types';
import type { Recorder } from './recorder';

const NOTHING = new Uint8Array(0);

/** What one side has sent, as TCP counts it. */
interface Half {
  path: SegmentPath;
  initialSequence: number;
  /** Octets sent, and those that the other side was given; they don't wrap. */
  sent: number;
  delivered: number;
  finSent: boolean;
  finDelivered: boolean;
}

/**
 * One connection through a tap as a TCP conversation in the capture file. Side 0 is the client, by its real address;
 * side 1 is "the server", by the tap's listening address. Data is stamped with its arrival; an ACK of the receiving
 * side says when it was handed on.
 */
export class Track {
  readonly #halves: [Half, Half];

  /** Writes the handshake. `initialSequence` is taken by side, 0 to 2^32 - 1. */
  constructor(
    private readonly recorder: Recorder,
    private readonly interfaceId: number,
    client: Endpoint,
    server: Endpoint,
    time: number,
    initialSequence: readonly [number, number],
  ) {
    this.#halves = [half(client, server, initialSequence[0]), half(server, client, initialSequence[1])];
    const [opener, answerer] = initialSequence;
    this.#write(0, SYN, opener, 0, time, NOTHING);
    this.#write(1, SYN | ACK, answerer, (opener + 1) >>> 0, time, NOTHING);
    this.#acknowledge(0, time);
  }

  /** One chunk that `side` sent, as it was read. Must not be changed afterwards: it is written later. */
  data(side: Side, chunk: Uint8Array, time: number): void {
    const from = this.#halves[side];
    const acknowledgment = this.#acknowledgment(side);
    for (let start = 0; start < chunk.length; start += LARGEST_PAYLOAD) {
      const end = Math.min(chunk.length, start + LARGEST_PAYLOAD);
      // PSH ends a chunk: that is how a reader of the file finds the reads again.
      const flags = end === chunk.length ? ACK | PSH : ACK;
      const payload = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
      this.#write(side, flags, this.#sequence(side), acknowledgment, time, payload);
      from.sent += end - start;
    }
  }

  /** The other side was given the next `octets` of what `side` sent. */
  delivered(side: Side, octets: number, time: number): void {
    this.#halves[side].delivered += octets;
    this.#acknowledge(side === 0 ? 1 : 0, time);
  }

  /** `side` ended its octets. */
  fin(side: Side, time: number): void {
    this.#write(side, FIN | ACK, this.#sequence(side), this.#acknowledgment(side), time, NOTHING);
    this.#halves[side].finSent = true;
  }

  /** The other side was given `side`'s end. */
  finDelivered(side: Side, time: number): void {
    this.#halves[side].finDelivered = true;
    this.#acknowledge(side === 0 ? 1 : 0, time);
  }

  /** `side` reset the connection. */
  reset(side: Side, time: number, comment?: string): void {
    const options = comment === undefined ? [] : [textOption(OPT_COMMENT, comment)];
    const acknowledgment = this.#acknowledgment(side);
    this.#write(side, RST | ACK, this.#sequence(side), acknowledgment, time, NOTHING, options);
  }

  #acknowledge(side: Side, time: number): void {
    this.#write(side, ACK, this.#sequence(side), this.#acknowledgment(side), time, NOTHING);
  }

  #write(
    side: Side,
    flags: number,
    sequence: number,
    acknowledgment: number,
    time: number,
    payload: Uint8Array,
    options?: ReturnType<typeof textOption>[],
  ): void {
    const { path } = this.#halves[side];
    this.recorder.segment(this.interfaceId, path, flags, sequence, acknowledgment, time, payload, options);
  }

  /** The next sequence number; `>>> 0` is modulo 2^32 (RFC 9293 §3.4). A FIN takes one. */
  #sequence(side: Side): number {
    const { initialSequence, sent, finSent } = this.#halves[side];
    return (initialSequence + 1 + sent + (finSent ? 1 : 0)) >>> 0;
  }

  #acknowledgment(side: Side): number {
    const { initialSequence, delivered, finDelivered } = this.#halves[side === 0 ? 1 : 0];
    return (initialSequence + 1 + delivered + (finDelivered ? 1 : 0)) >>> 0;
  }
}

function half(from: Endpoint, to: Endpoint, initialSequence: number): Half {
  const path = segmentPath(from, to);
  return { path, initialSequence, sent: 0, delivered: 0, finSent: false, finDelivered: false };
}
