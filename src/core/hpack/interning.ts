/** The parts that a store of distinct things is made of: octets that never move, and a hash table of their numbers. */

const PAGE_BITS = 20;
const PAGE_SIZE = 1 << PAGE_BITS;
/** An address has 32 bits. Beyond 4 GiB of distinct octets values are kept as unseen. */
const MAX_PAGES = 1 << (32 - PAGE_BITS);
/** Slots of a lookup at most; when half of them are taken, it is emptied: repeats are then stored again, that is all. */
const MAX_SLOTS = 1 << 20;
/** Slots looked at for one entry. Octets made to collide are stored again instead of slowing every search down. */
export const MAX_PROBES = 64;

/** Open addressing over numbers; the caller walks `slots` and compares what they stand for. */
export class Lookup {
  slots = new Uint32Array(1 << 10);
  private count = 0;

  /** @param rehash the hash of a value that was added before */
  add(hash: number, value: number, rehash: (value: number) => number): void {
    if (this.count * 2 >= this.slots.length) {
      this.count = 0;
      if (this.slots.length >= MAX_SLOTS) {
        this.slots.fill(0);
      } else {
        const old = this.slots;
        this.slots = new Uint32Array(old.length * 2);
        for (const slot of old) if (slot !== 0) this.insert(rehash(slot - 1), slot);
      }
    }
    this.insert(hash, value + 1);
  }

  private insert(hash: number, slot: number): void {
    const mask = this.slots.length - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const at = (hash + probe) & mask;
      if (this.slots[at] !== 0) continue;
      this.slots[at] = slot;
      this.count++;
      return;
    }
  }
}

/** Octets in pages that never move. An address is page << 20 | offset. */
export class OctetPages {
  readonly pages: Uint8Array[] = [new Uint8Array(PAGE_SIZE)];
  private used = 0;

  /** @returns the address, or undefined when there is no room left. */
  add(data: Uint8Array, start: number, end: number): number | undefined {
    const length = end - start;
    if (this.used + length > PAGE_SIZE) {
      if (this.pages.length === MAX_PAGES) return undefined;
      // What is longer than a page gets one of its own; the next octets start another.
      this.pages.push(new Uint8Array(Math.max(length, PAGE_SIZE)));
      this.used = 0;
    }
    const page = this.pages[this.pages.length - 1]!;
    const at = this.used;
    for (let i = 0; i < length; i++) page[at + i] = data[start + i]!;
    this.used = Math.min(at + length, PAGE_SIZE);
    return (((this.pages.length - 1) << PAGE_BITS) | at) >>> 0;
  }

  equal(address: number, data: Uint8Array, start: number, end: number): boolean {
    const page = this.pages[address >>> PAGE_BITS]!;
    let at = address & (PAGE_SIZE - 1);
    for (let i = start; i < end; i++) if (page[at++] !== data[i]) return false;
    return true;
  }

  /** One octet, without the cost of a view. */
  at(address: number): number {
    return this.pages[address >>> PAGE_BITS]![address & (PAGE_SIZE - 1)]!;
  }

  slice(address: number, length: number): Uint8Array {
    const at = address & (PAGE_SIZE - 1);
    return this.pages[address >>> PAGE_BITS]!.subarray(at, at + length);
  }
}

const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** FNV-1a over octets, their number and `seed`: 0 to 2^32 - 1. */
export function hashOctets(seed: number, data: Uint8Array, start: number, end: number): number {
  let hash = Math.imul(HASH_START ^ (end - start), HASH_FACTOR) ^ seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ data[i]!, HASH_FACTOR);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** One more number in a hash of numbers; make the result unsigned at the end. */
export function hashWith(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}
