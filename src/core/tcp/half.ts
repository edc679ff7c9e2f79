/**
 * One side's octets put in order: RFC 9293 §3.4 and §3.10, seen from the wire between the peers. Octets sent twice are
 * taken as seen first; they are compared while they are held, not once handed on, as nothing of those is kept.
 */

import { HeldSegments } from './held';
import type { Troubles } from './troubles';
import type { Side, TcpConnection, TcpSink } from './types';

/** Octets held of one side; beyond it what is missing is given up. */
const MAX_HELD = 16 * 1024 * 1024;

/**
 * No window is larger (RFC 7323 §2.3), so no segment is older by more than this. What looks older is ahead: half of
 * the sequence space would else take a long loss for old octets, and everything after it too.
 */
const MAX_WINDOW = 2 ** 30;

/**
 * Segments of the connection to wait for after an acknowledgement covers a hole. The receiver has the octets, so the
 * capture either missed them or, where several queues feed it, has them a few packets late: not by more than this.
 */
const LATE_SEGMENTS = 3;

const NEVER = -1;

export class HalfStream {
  /** A sequence number was seen, and offset 0 is fixed. */
  started = false;
  /** Offset 0 is known from a SYN; else it is where the capture joined in. */
  private fromSyn = false;
  /** Sequence number of offset 0, as a signed 32-bit integer. */
  private base = 0;
  /** The first acknowledgement of a side that was not seen yet: the number after its SYN, if that is still to come. */
  private awaited: number | undefined = undefined;
  /** Stream offset of the next octet to hand on, and its sequence number. */
  private next = 0;
  private nextSequence = 0;
  private acknowledged = 0;
  /** The highest acknowledgement, whether its octets were seen or not. */
  private acknowledgedUnseen = 0;
  private readonly held = new HeldSegments();
  /** Stream offset of the FIN, once one was seen. */
  private finOffset = NEVER;
  private finTime = 0;
  private finFileOffset = 0;
  private finished = false;
  private wasReset = false;
  /** Something is held, or a FIN waits for octets before it. */
  waiting = false;
  /** The connection's count of segments when the first hole was found to be acknowledged. */
  private holeAcknowledgedAt = NEVER;
  /** The last hole that was given up, to tell late octets from repeated ones. */
  private gapStart = 0;
  private gapEnd = 0;

  constructor(
    private readonly sink: TcpSink,
    private readonly troubles: Troubles,
    private readonly connection: TcpConnection,
    readonly side: Side,
  ) {}

  /** @param sequence of the first octet (a SYN's is one less), as a signed 32-bit integer */
  start(sequence: number, syn: boolean): void {
    this.started = true;
    this.fromSyn = syn;
    this.base = sequence;
    this.nextSequence = sequence;
  }

  /** Whether a SYN whose first octet would have this number belongs to another connection. */
  isOther(sequence: number): boolean {
    if (this.started) return sequence !== this.base;
    return this.awaited !== undefined && sequence !== this.awaited;
  }

  /** A SYN, with the number of its first octet; false when it contradicts what was handed on. */
  synchronize(sequence: number): boolean {
    if (!this.started) {
      this.start(sequence, true);
      return true;
    }
    if (sequence !== this.base) {
      if (!this.untouched || this.waiting) return false;
      this.base = sequence;
      this.nextSequence = sequence;
    }
    this.fromSyn = true;
    return true;
  }

  /**
   * A segment without RST; a SYN's octets come with the number after the SYN's.
   * @param sequence as a signed 32-bit integer
   * @param start,captured octets in `data`; `length` is that on the wire
   * @param fileOffset of the first octet; `packetOffset` is the packet's
   */
  segment(
    sequence: number,
    data: Uint8Array,
    start: number,
    captured: number,
    length: number,
    time: number,
    fileOffset: number,
    packetOffset: number,
    push: boolean,
    fin: boolean,
  ): void {
    if (length === 0 && !fin) return;
    const ahead = (sequence - this.nextSequence) | 0;
    if (ahead === 0 && !this.waiting && !this.finished) {
      this.handOn(data, start, captured, length, time, fileOffset, push);
      if (fin) this.finish(time, packetOffset);
      return;
    }
    this.outOfOrder(ahead, data, start, captured, length, time, fileOffset, packetOffset, push, fin);
  }

  /**
   * The other side's acknowledgement number, as a signed 32-bit integer. It counts for octets that were seen, or given
   * up: so neither SYN nor FIN, which take a number each, nor an acknowledgement of what the capture lacks.
   */
  acknowledge(sequence: number, time: number): void {
    if (!this.started) {
      this.awaited ??= sequence;
      return;
    }
    const offset = this.next + ((sequence - this.nextSequence) | 0);
    if (offset > this.acknowledgedUnseen) this.acknowledgedUnseen = offset;
    const seen = Math.min(offset, this.waiting ? Math.max(this.next, this.held.end) : this.next);
    if (seen <= this.acknowledged) return;
    this.acknowledged = seen;
    this.sink.acknowledged(this.connection, this.side, seen, time);
  }

  /** Octets were acknowledged and not handed on. One more than they are may be a FIN that was not seen. */
  get behind(): boolean {
    return this.acknowledgedUnseen > this.next + 1;
  }

  /** Gives the first hole up when it was acknowledged and has been waited for. To be called while `waiting`. */
  checkHole(segments: number, time: number): void {
    if (this.acknowledgedUnseen < this.holeEnd()) return;
    if (this.holeAcknowledgedAt === NEVER) {
      this.holeAcknowledgedAt = segments;
    } else if (segments - this.holeAcknowledgedAt >= LATE_SEGMENTS) {
      this.giveUp(time);
    }
  }

  reset(time: number, fileOffset: number): void {
    if (this.wasReset) return;
    this.wasReset = true;
    this.sink.closed(this.connection, this.side, 'reset', time, fileOffset);
  }

  /** Nothing that is missing will come any more. */
  flush(time: number): void {
    while (this.waiting) this.giveUp(time);
  }

  private get untouched(): boolean {
    return this.next === 0 && this.acknowledged === 0 && !this.finished;
  }

  private outOfOrder(
    ahead: number,
    data: Uint8Array,
    start: number,
    captured: number,
    length: number,
    time: number,
    fileOffset: number,
    packetOffset: number,
    push: boolean,
    fin: boolean,
  ): void {
    // Keep-alive (RFC 9293 §3.8.4): the octet before the next one, often garbage. (A zero-window probe is the next.)
    // A FIN has taken a number, so after it this is the FIN's own.
    if (ahead === (this.finished ? 0 : -1) && length === 1 && !fin) return;
    let offset = this.next + (ahead < -MAX_WINDOW ? ahead + 2 ** 32 : ahead);
    if (offset < 0) {
      if (this.untouched && !this.fromSyn) {
        this.moveBack(-offset);
        offset = 0;
      } else {
        this.troubles.tell(
          'before',
          packetOffset,
          'octets from before the first ones seen of a connection are ignored',
        );
      }
    }
    if (fin) this.noteFin(offset + length, time, packetOffset);
    const late = Math.max(0, this.next - offset);
    if (this.gapEnd > 0 && offset < this.gapEnd && offset + length > this.gapStart) {
      this.troubles.tell('late', packetOffset, 'octets that came after they had been given up as lost are ignored');
    }
    let left = length;
    if (this.finOffset !== NEVER && offset + length > this.finOffset) {
      this.troubles.tell('after FIN', packetOffset, 'octets after the end of a stream (FIN) are ignored');
      left = Math.max(0, this.finOffset - offset);
    }
    if (left > late) {
      const kept = Math.max(0, Math.min(captured, left) - late);
      const skipped = Math.min(late, captured);
      const last = push && left === length;
      if (offset <= this.next && !this.waiting) {
        this.handOn(data, start + skipped, kept, left - late, time, fileOffset + skipped, last);
      } else {
        const same = this.held.add({
          data,
          start: start + skipped,
          offset: offset + late,
          captured: kept,
          length: left - late,
          time,
          fileOffset: fileOffset + skipped,
          push: last,
        });
        if (!same) {
          this.troubles.tell('differing', packetOffset, 'octets sent twice differ: those seen first are taken');
        }
      }
    }
    this.drain();
    while (this.held.size > MAX_HELD) this.giveUp(time);
  }

  /** The capture joined in the middle, and nothing was told of this side yet: an earlier segment moves offset 0. */
  private moveBack(by: number): void {
    this.held.moveBack(by);
    if (this.finOffset !== NEVER) this.finOffset += by;
    this.base = (this.base - by) | 0;
    this.nextSequence = this.base;
    this.acknowledgedUnseen += by;
  }

  private noteFin(offset: number, time: number, fileOffset: number): void {
    if (this.finOffset !== NEVER || offset < this.next) return;
    if (this.held.end > offset) {
      this.troubles.tell('early FIN', fileOffset, 'an end of a stream (FIN) before octets already seen is ignored');
      return;
    }
    this.finOffset = offset;
    this.finTime = time;
    this.finFileOffset = fileOffset;
  }

  private handOn(
    data: Uint8Array,
    start: number,
    captured: number,
    length: number,
    time: number,
    fileOffset: number,
    push: boolean,
  ): void {
    const offset = this.next;
    this.next = offset + length;
    this.nextSequence = (this.nextSequence + length) | 0;
    if (captured > 0) {
      const whole = captured === length;
      this.sink.octets(
        this.connection,
        this.side,
        data,
        start,
        start + captured,
        offset,
        time,
        fileOffset,
        push && whole,
      );
    }
    if (captured < length) {
      this.sink.gap(this.connection, this.side, offset + captured, length - captured, time);
    }
  }

  /** Hands on what is next of what is held, and the FIN behind it. */
  private drain(): void {
    let first = this.held.first;
    while (first !== undefined && first.offset === this.next) {
      this.held.shift();
      this.holeAcknowledgedAt = NEVER;
      this.handOn(first.octets, 0, first.octets.length, first.length, first.time, first.fileOffset, first.push);
      first = this.held.first;
    }
    if (this.finOffset === this.next && !this.finished) this.finish(this.finTime, this.finFileOffset);
    this.waiting = !this.finished && (first !== undefined || this.finOffset !== NEVER);
  }

  private finish(time: number, fileOffset: number): void {
    this.finished = true;
    this.finOffset = this.next;
    while (!this.held.empty) this.held.shift();
    this.waiting = false;
    this.sink.closed(this.connection, this.side, 'fin', time, fileOffset);
  }

  /** Where the first hole ends: at the first held octet, or at the FIN. */
  private holeEnd(): number {
    const first = this.held.first;
    if (first === undefined) return this.finOffset;
    return this.finOffset === NEVER ? first.offset : Math.min(first.offset, this.finOffset);
  }

  private giveUp(time: number): void {
    const offset = this.next;
    const length = this.holeEnd() - offset;
    this.holeAcknowledgedAt = NEVER;
    this.next = offset + length;
    this.nextSequence = (this.nextSequence + length) | 0;
    this.gapStart = offset;
    this.gapEnd = this.next;
    this.sink.gap(this.connection, this.side, offset, length, time);
    this.drain();
  }
}
