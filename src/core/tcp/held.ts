/** Octets that came before those in front of them: kept in order, without overlap, until the hole is filled. */

/**
 * A segment is counted as at least this. Single octets take more memory than their number, and it bounds the list to
 * some 16,000 entries at 16 MiB, so that a capture made to be inserted at its front costs little.
 */
const HELD_MINIMUM = 1024;
/** Entries taken out that may stay at the list's front: taking one out must not move all others each time. */
const MAX_TAKEN = 1024;

export interface HeldSegment {
  offset: number;
  /** On the wire; `octets` is shorter where the snap length cut. */
  length: number;
  octets: Uint8Array;
  time: number;
  fileOffset: number;
  push: boolean;
}

/** In the place of an entry that was taken out, so that its octets can go. */
const TAKEN: HeldSegment = { offset: 0, length: 0, octets: new Uint8Array(0), time: 0, fileOffset: 0, push: false };

/** The segment being added; its octets are copied where they are new. */
export interface Arrival {
  data: Uint8Array;
  /** Index in `data` of the octet at stream offset `offset`. */
  start: number;
  offset: number;
  captured: number;
  length: number;
  time: number;
  fileOffset: number;
  push: boolean;
}

export class HeldSegments {
  private readonly list: HeldSegment[] = [];
  /** Index of the first entry that was not taken out. */
  private head = 0;
  /** Octets held, small segments counted as HELD_MINIMUM. */
  size = 0;

  get first(): HeldSegment | undefined {
    return this.list[this.head];
  }

  /** Stream offset after the last held octet; 0 when nothing is held. */
  get end(): number {
    if (this.empty) return 0;
    const last = this.list[this.list.length - 1]!;
    return last.offset + last.length;
  }

  get empty(): boolean {
    return this.head === this.list.length;
  }

  /**
   * Keeps what is new of a segment: where octets are held already, those seen first stay.
   * Returns false when octets that came twice differ.
   */
  add(arrival: Arrival): boolean {
    const end = arrival.offset + arrival.length;
    let at = arrival.offset;
    let same = true;
    let index = this.firstEndingAfter(at);
    while (at < end) {
      const next = this.list[index];
      if (next !== undefined && next.offset <= at) {
        const to = Math.min(end, next.offset + next.length);
        same = sameOctets(arrival, next, at, to) && same;
        at = to;
        index++;
        continue;
      }
      const to = next === undefined ? end : Math.min(end, next.offset);
      this.list.splice(index, 0, cut(arrival, at, to));
      this.size += Math.max(to - at, HELD_MINIMUM);
      at = to;
      index++;
    }
    return same;
  }

  /** Takes the first one out. */
  shift(): void {
    const first = this.first;
    if (first === undefined) return;
    this.size -= Math.max(first.length, HELD_MINIMUM);
    this.list[this.head++] = TAKEN;
    if (this.empty || this.head === MAX_TAKEN) {
      this.list.splice(0, this.head);
      this.head = 0;
    }
  }

  /** The stream turned out to begin `by` octets earlier. */
  moveBack(by: number): void {
    for (let i = this.head; i < this.list.length; i++) this.list[i]!.offset += by;
  }

  private firstEndingAfter(offset: number): number {
    let low = this.head;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const segment = this.list[middle]!;
      if (segment.offset + segment.length <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The part of a segment from stream offset `from` to `to`, copied. */
function cut(arrival: Arrival, from: number, to: number): HeldSegment {
  const skip = from - arrival.offset;
  const first = Math.min(skip, arrival.captured);
  const last = Math.min(to - arrival.offset, arrival.captured);
  return {
    offset: from,
    length: to - from,
    octets: arrival.data.slice(arrival.start + first, arrival.start + last),
    time: arrival.time,
    fileOffset: arrival.fileOffset + skip,
    push: arrival.push && to === arrival.offset + arrival.length,
  };
}

function sameOctets(arrival: Arrival, held: HeldSegment, from: number, to: number): boolean {
  const end = Math.min(to, arrival.offset + arrival.captured, held.offset + held.octets.length);
  for (let at = from; at < end; at++) {
    if (arrival.data[arrival.start + at - arrival.offset] !== held.octets[at - held.offset]) return false;
  }
  return true;
}
