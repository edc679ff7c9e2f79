import type { Fault } from '../../shared/records';
import { MessageBit, type MessageTable } from '../capture/calls';
import { type FrameTable, NO_ROW } from '../capture/frames';
import { grpcFault } from '../http2/faults';
import type { Side } from '../tcp/types';

const PREFIX_LENGTH = 5;
const PREFIX_CLAUSE = 'Length-Prefixed-Message';

/**
 * Splits one side's DATA content into length-prefixed messages (gRPC PROTOCOL-HTTP2): one octet of flags, then four of
 * length. Only prefixes are looked at; bodies are counted and stay in the file.
 */
export class MessageParser {
  /** Content octets so far, and at the current frame's beginning. */
  private position = 0;
  private frameStart = 0;
  // The prefix as numbers: a capture has a parser for each side of each call, and millions of small arrays would cost
  // more than all that is done with them.
  private prefixSeen = 0;
  private flag = 0;
  private length = 0;
  private remaining = 0;
  /** Content came since the last frame's end. */
  private fed = false;
  /** Whether a message begins with the frame's content is still to be seen. */
  private guessing: boolean;
  /** Octets were lost inside a message: what comes may be its rest. */
  private insideLost = false;
  /** The message now being received, or -1. */
  private message = -1;
  private index = 0;
  /** The first message with octets in the current frame, or -1; the others, where there are any. */
  private firstTouched = -1;
  private otherTouched: number[] | undefined;
  private faults: { message: number; fault: Fault }[] | undefined;
  /** Where messages start is not known until the next frame. */
  private lost = false;

  /**
   * @param bits of `MessageBit`: SIDE; ASSUMED where nothing says that the content is gRPC's, so that it has to
   *   look like a message first
   * @param encoded whether a compressed message may come: this side of the call named a grpc-encoding other than identity
   */
  constructor(
    private readonly table: MessageTable,
    private readonly frames: FrameTable,
    private readonly call: number,
    private bits: number,
    private readonly encoded: (call: number, side: Side) => boolean,
  ) {
    this.guessing = (bits & MessageBit.ASSUMED) !== 0;
  }

  get count(): number {
    return this.index;
  }

  feed(data: Uint8Array, start: number, end: number): void {
    this.position += end - start;
    if (this.lost || start === end) return;
    this.fed = true;
    let at = start;
    if (this.guessing) {
      at = this.guess(data, start, end);
      if (this.guessing || this.lost) return;
    }
    while (at < end) {
      if (this.message === -1) this.begin(this.position - (end - at));
      if (this.prefixSeen < PREFIX_LENGTH) {
        this.prefixOctet(data[at++]!);
        if (this.prefixSeen === PREFIX_LENGTH) this.prefixComplete();
      } else {
        const taken = Math.min(this.remaining, end - at);
        at += taken;
        this.remaining -= taken;
        this.table.seen.set(this.message, this.table.seen.get(this.message) + taken);
        if (this.remaining === 0) this.complete();
      }
    }
  }

  /**
   * A frame's content begins: with a message, if its first five octets can be a prefix. A length of 16 MiB and more is
   * taken for something else; in the middle of a message also 0 and more than gRPC's usual limit of 4 MiB.
   * @returns octets taken
   */
  private guess(data: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && this.prefixSeen < PREFIX_LENGTH) this.prefixOctet(data[at++]!);
    if (this.prefixSeen < PREFIX_LENGTH) return at;
    const { flag, length } = this;
    if (flag > 1 || length >= 1 << 24 || (this.insideLost && (length === 0 || length > 4 << 20))) {
      this.lost = true;
      return at;
    }
    this.guessing = false;
    this.insideLost = false;
    this.begin(this.position - (end - at) - PREFIX_LENGTH);
    this.prefixSeen = PREFIX_LENGTH;
    this.prefixComplete();
    return at;
  }

  /**
   * Octets of the side were lost, of this stream perhaps: the current message has a hole, and where the next one
   * begins has to be guessed at the beginning of a frame.
   */
  lose(): void {
    this.insideLost ||= this.message !== -1;
    if (this.message !== -1) this.table.bits.set(this.message, this.table.bits.get(this.message) | MessageBit.HOLE);
    if (!this.fed) this.untouch(); // it does not go on in the next frame
    this.leave();
    this.guessing = true;
    this.bits |= MessageBit.ASSUMED;
  }

  /** `count` content octets are in no packet of the capture. */
  unseen(count: number): void {
    this.position += count;
    if (this.lost || count === 0) return;
    if (this.message === -1 || this.prefixSeen < PREFIX_LENGTH || count > this.remaining) {
      this.fed ||= this.message !== -1;
      this.lose();
      this.lost = true;
      return;
    }
    this.fed = true;
    this.table.bits.set(this.message, this.table.bits.get(this.message) | MessageBit.HOLE);
    this.remaining -= count;
    if (this.remaining === 0) this.leave();
  }

  private prefixOctet(octet: number): void {
    if (this.prefixSeen === 0) {
      this.flag = octet;
      this.length = 0;
    } else {
      this.length = this.length * 256 + octet;
    }
    this.prefixSeen++;
  }

  private begin(start: number): void {
    const skip = start - this.frameStart;
    this.message = this.table.push(this.call, this.bits, this.index++, 0, 0, skip);
    if (this.firstTouched === -1) {
      this.firstTouched = this.message;
    } else {
      this.otherTouched ??= [];
      this.otherTouched.push(this.message);
    }
    this.prefixSeen = 0;
  }

  private untouch(): void {
    this.firstTouched = -1;
    this.otherTouched = undefined;
  }

  private touch(message: number, row: number): void {
    const { table } = this;
    if (table.firstRow.get(message) === NO_ROW) table.firstRow.set(message, row);
    table.lastRow.set(message, row);
  }

  private prefixComplete(): void {
    const { flag } = this;
    this.remaining = this.length;
    this.table.flag.set(this.message, flag);
    this.table.length.set(this.message, this.remaining);
    if (flag > 1) {
      this.fault(`the compressed flag is 0 or 1, not ${flag}`);
    } else if (flag === 1 && !this.encoded(this.call, (this.bits & MessageBit.SIDE) as Side)) {
      this.fault('a compressed message without grpc-encoding: nothing says how to decompress it');
    }
    if (this.remaining === 0) this.complete();
  }

  private complete(): void {
    const bits = this.table.bits.get(this.message);
    if ((bits & MessageBit.HOLE) === 0) this.table.bits.set(this.message, bits | MessageBit.COMPLETE);
    this.leave();
  }

  private leave(): void {
    this.message = -1;
    this.prefixSeen = 0;
  }

  private fault(message: string): void {
    const fault = grpcFault('GRPC_MESSAGE', PREFIX_CLAUSE, `message ${this.index - 1}: ${message}`);
    this.faults ??= [];
    this.faults.push({ message: this.message, fault });
  }

  /**
   * The frame that carried what was fed since the last call has this row.
   * @returns the first message with octets in it + 1, or 0
   */
  frameEnd(row: number): number {
    const { firstTouched, otherTouched } = this;
    this.frameStart = this.position;
    const { fed } = this;
    this.fed = false;
    this.lost = false;
    if (this.guessing) this.prefixSeen = 0; // fewer than five octets were no prefix
    if (!fed || firstTouched === -1) return 0;
    this.touch(firstTouched, row);
    if (otherTouched !== undefined) for (const message of otherTouched) this.touch(message, row);
    this.firstTouched = this.message; // it goes on in the next frame
    this.otherTouched = undefined;
    if (this.faults !== undefined) {
      for (const { message, fault } of this.faults) {
        this.table.fault(message, fault);
        this.frames.fault(row, fault);
      }
      this.faults = undefined;
    }
    return firstTouched + 1;
  }

  /** The side ended its half of the stream. @returns the fault of a message cut short. */
  end(): Fault | undefined {
    if (this.message === -1 || this.lost) return undefined;
    const message = this.message;
    const fault = this.truncation();
    this.table.fault(message, fault);
    this.message = -1;
    return fault;
  }

  private truncation(): Fault {
    const index = this.index - 1;
    if (this.prefixSeen < PREFIX_LENGTH) {
      const words = `message ${index} is cut short: ${this.prefixSeen} of ${PREFIX_LENGTH} octets of its prefix`;
      return grpcFault('GRPC_MESSAGE', PREFIX_CLAUSE, words);
    }
    const length = this.table.length.get(this.message);
    const seen = this.table.seen.get(this.message);
    // Some articles put the length before the flag. Read that way round, such a prefix fits what came exactly.
    const reversedLength = this.flag * 2 ** 24 + (length >>> 8);
    if ((length & 0xff) <= 1 && reversedLength === seen && seen > 0) {
      return grpcFault(
        'GRPC_MESSAGE',
        PREFIX_CLAUSE,
        `message ${index}: the prefix is the wrong way round (four octets of length, then the flag); it fits ${seen} octets so`,
      );
    }
    return grpcFault('GRPC_MESSAGE', PREFIX_CLAUSE, `message ${index} is cut short: ${seen} of ${length} octets`);
  }
}
