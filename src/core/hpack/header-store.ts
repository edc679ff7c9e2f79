import { U8Column, U32Column } from '../columns';

/**
 * Where a capture's header fields live: octets in pages, each distinct (name, value) once, and lists of fields by
 * number. A field that the sender's dynamic table repeats costs its number only, so that unique trace ids in every
 * call do not turn into millions of strings.
 */

/** Names that decoding looks for; a field's kind is known when the field is stored. */
export const Known = {
  OTHER: 0,
  METHOD: 1,
  SCHEME: 2,
  AUTHORITY: 3,
  PATH: 4,
  STATUS: 5,
  PROTOCOL: 6,
  CONTENT_TYPE: 7,
  TE: 8,
  USER_AGENT: 9,
  SERVER: 10,
  GRPC_STATUS: 11,
  GRPC_MESSAGE: 12,
  GRPC_ENCODING: 13,
  GRPC_TIMEOUT: 14,
  CONTENT_ENCODING: 15,
  CONTENT_LENGTH: 16,
  COOKIE: 17,
} as const;

const KNOWN_NAMES = new Map<string, number>([
  [':method', Known.METHOD],
  [':scheme', Known.SCHEME],
  [':authority', Known.AUTHORITY],
  [':path', Known.PATH],
  [':status', Known.STATUS],
  [':protocol', Known.PROTOCOL],
  ['content-type', Known.CONTENT_TYPE],
  ['te', Known.TE],
  ['user-agent', Known.USER_AGENT],
  ['server', Known.SERVER],
  ['grpc-status', Known.GRPC_STATUS],
  ['grpc-message', Known.GRPC_MESSAGE],
  ['grpc-encoding', Known.GRPC_ENCODING],
  ['grpc-timeout', Known.GRPC_TIMEOUT],
  ['content-encoding', Known.CONTENT_ENCODING],
  ['content-length', Known.CONTENT_LENGTH],
  ['cookie', Known.COOKIE],
]);

const PAGE_BITS = 20;
const PAGE_SIZE = 1 << PAGE_BITS;
/** Kind's high bit: the value was never seen (a dynamic entry from before the capture). */
const VALUE_UNSEEN = 0x80;
/** Entries of a lookup table at most; beyond, it is emptied: repeats are then stored again, nothing else changes. */
const MAX_LOOKUP = 1 << 19;

/** Open addressing over numbers; the caller compares what they stand for. */
class Lookup {
  slots = new Uint32Array(1 << 10);
  count = 0;

  /** Makes room for one more; true when the table must be filled again by the caller's rehash. */
  add(hash: number, value: number, rehash: (value: number) => number): void {
    if (this.count * 2 >= this.slots.length) {
      if (this.slots.length >= MAX_LOOKUP * 2) {
        this.slots.fill(0);
        this.count = 0;
      } else {
        const old = this.slots;
        this.slots = new Uint32Array(old.length * 2);
        for (const slot of old) if (slot !== 0) this.insert(rehash(slot - 1), slot);
      }
    }
    this.insert(hash, value + 1);
    this.count++;
  }

  private insert(hash: number, slot: number): void {
    const mask = this.slots.length - 1;
    let at = hash & mask;
    while (this.slots[at] !== 0) at = (at + 1) & mask;
    this.slots[at] = slot;
  }
}

export class HeaderStore {
  /** Page and offset of a field's name, its value behind it: page << 20 | offset. */
  private readonly addresses = new U32Column();
  private readonly nameLengths = new U32Column();
  private readonly valueLengths = new U32Column();
  private readonly kinds = new U8Column();
  private readonly hashes = new U32Column();
  private readonly fieldLookup = new Lookup();
  private readonly pages: Uint8Array[] = [];
  private pageUsed = PAGE_SIZE;

  /** Lists: count, then that many field numbers. A list's id is its position. */
  private readonly lists = new U32Column();
  private readonly listLookup = new Lookup();

  constructor() {
    this.lists.push(0); // list 0 is the empty list
  }

  /** Octets held, for the memory figures. */
  get octets(): number {
    return this.pages.reduce((sum, page) => sum + page.length, 0) + this.lists.length * 4 + this.addresses.length * 17;
  }

  /** Stores a field, or finds it: `name[nameStart, nameEnd)` and `value[valueStart, valueEnd)`. */
  field(
    name: Uint8Array,
    nameStart: number,
    nameEnd: number,
    value: Uint8Array,
    valueStart: number,
    valueEnd: number,
    kind: number,
  ): number {
    let hash = 0x811c9dc5 ^ (nameEnd - nameStart);
    for (let i = nameStart; i < nameEnd; i++) hash = Math.imul(hash ^ name[i]!, 0x01000193);
    for (let i = valueStart; i < valueEnd; i++) hash = Math.imul(hash ^ value[i]!, 0x01000193);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const nameLength = nameEnd - nameStart;
    const valueLength = valueEnd - valueStart;

    const { slots } = this.fieldLookup;
    const mask = slots.length - 1;
    for (let at = hash & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const candidate = slots[at]! - 1;
      if (this.hashes.get(candidate) !== hash) continue;
      if (this.nameLengths.get(candidate) !== nameLength || this.valueLengths.get(candidate) !== valueLength) continue;
      if (this.equals(candidate, name, nameStart, value, valueStart, valueEnd)) return candidate;
    }

    const field = this.store(name, nameStart, nameLength, value, valueStart, valueLength, hash, kind);
    this.fieldLookup.add(hash, field, (other) => this.hashes.get(other));
    return field;
  }

  /** A field whose name and value, or whose name only, was never seen. Not shared; not found by `field`. */
  unseen(name: string, value: Uint8Array | undefined): number {
    const octets = Uint8Array.from(name, (c) => c.charCodeAt(0));
    const body = value ?? new Uint8Array(0);
    const kind = value === undefined ? VALUE_UNSEEN : Known.OTHER;
    return this.store(octets, 0, octets.length, body, 0, body.length, 0, kind);
  }

  private equals(
    field: number,
    name: Uint8Array,
    nameStart: number,
    value: Uint8Array,
    valueStart: number,
    valueEnd: number,
  ): boolean {
    if ((this.kinds.get(field) & VALUE_UNSEEN) !== 0) return false;
    const address = this.addresses.get(field);
    const page = this.pages[address >>> PAGE_BITS]!;
    let at = address & (PAGE_SIZE - 1);
    const nameEnd = nameStart + this.nameLengths.get(field);
    for (let i = nameStart; i < nameEnd; i++) if (page[at++] !== name[i]) return false;
    for (let i = valueStart; i < valueEnd; i++) if (page[at++] !== value[i]) return false;
    return true;
  }

  private store(
    name: Uint8Array,
    nameStart: number,
    nameLength: number,
    value: Uint8Array,
    valueStart: number,
    valueLength: number,
    hash: number,
    kind: number,
  ): number {
    const total = nameLength + valueLength;
    if (this.pageUsed + total > PAGE_SIZE) {
      // A field longer than a page gets one of its own; the next field starts another.
      this.pages.push(new Uint8Array(Math.max(total, PAGE_SIZE)));
      this.pageUsed = 0;
    }
    const page = this.pages[this.pages.length - 1]!;
    let at = this.pageUsed;
    const address = (((this.pages.length - 1) << PAGE_BITS) | at) >>> 0;
    for (let i = 0; i < nameLength; i++) page[at++] = name[nameStart + i]!;
    for (let i = 0; i < valueLength; i++) page[at++] = value[valueStart + i]!;
    this.pageUsed = total > PAGE_SIZE ? PAGE_SIZE : at;

    this.addresses.push(address);
    this.nameLengths.push(nameLength);
    this.valueLengths.push(valueLength);
    this.hashes.push(hash);
    return this.kinds.push(kind);
  }

  /** Stores a list of `count` field numbers, or finds it. */
  list(fields: Uint32Array, count: number): number {
    if (count === 0) return 0;
    let hash = count;
    for (let i = 0; i < count; i++) hash = Math.imul(hash ^ fields[i]!, 0x9e3779b1) ^ (hash >>> 15);
    hash >>>= 0;
    const { slots } = this.listLookup;
    const mask = slots.length - 1;
    search: for (let at = hash & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const candidate = slots[at]! - 1;
      if (this.lists.get(candidate) !== count) continue;
      for (let i = 0; i < count; i++) if (this.lists.get(candidate + 1 + i) !== fields[i]) continue search;
      return candidate;
    }
    const id = this.lists.push(count);
    for (let i = 0; i < count; i++) this.lists.push(fields[i]!);
    this.listLookup.add(hash, id, (other) => this.hashOfList(other));
    return id;
  }

  private hashOfList(id: number): number {
    const count = this.lists.get(id);
    let hash = count;
    for (let i = 0; i < count; i++) hash = Math.imul(hash ^ this.lists.get(id + 1 + i), 0x9e3779b1) ^ (hash >>> 15);
    return hash >>> 0;
  }

  listLength(list: number): number {
    return this.lists.get(list);
  }

  fieldOf(list: number, position: number): number {
    return this.lists.get(list + 1 + position);
  }

  /** One of `Known`. */
  kind(field: number): number {
    return this.kinds.get(field) & ~VALUE_UNSEEN;
  }

  /** RFC 7541 §4.1: name and value octets plus 32. */
  size(field: number): number {
    return this.nameLengths.get(field) + this.valueLengths.get(field) + 32;
  }

  /** The octets of a name, in place; valid until the store is dropped. */
  nameOctets(field: number): Uint8Array {
    const address = this.addresses.get(field);
    const at = address & (PAGE_SIZE - 1);
    return this.pages[address >>> PAGE_BITS]!.subarray(at, at + this.nameLengths.get(field));
  }

  /** The octets of a value, in place; empty where it was never seen. */
  valueOctets(field: number): Uint8Array {
    const address = this.addresses.get(field);
    const at = (address & (PAGE_SIZE - 1)) + this.nameLengths.get(field);
    return this.pages[address >>> PAGE_BITS]!.subarray(at, at + this.valueLengths.get(field));
  }

  name(field: number): string {
    return latin1(this.nameOctets(field));
  }

  /** Latin-1; null where the value was never seen. */
  value(field: number): string | null {
    return (this.kinds.get(field) & VALUE_UNSEEN) !== 0 ? null : latin1(this.valueOctets(field));
  }

  /** A decimal number that is the whole value, or undefined. */
  number(field: number): number | undefined {
    const value = this.valueOctets(field);
    if (value.length === 0 || value.length > 9) return undefined;
    let result = 0;
    for (let i = 0; i < value.length; i++) {
      const digit = value[i]! - 0x30;
      if (digit < 0 || digit > 9) return undefined;
      result = result * 10 + digit;
    }
    return result;
  }

  /** The first field of this kind in a list, or -1. */
  find(list: number, kind: number): number {
    const count = this.lists.get(list);
    for (let i = 1; i <= count; i++) {
      const field = this.lists.get(list + i);
      if ((this.kinds.get(field) & ~VALUE_UNSEEN) === kind) return field;
    }
    return -1;
  }
}

/** What `Known` number a name has. */
export function knownName(name: string): number {
  return KNOWN_NAMES.get(name) ?? Known.OTHER;
}

/** Octets as characters 0 to 255. */
export function latin1(octets: Uint8Array): string {
  let text = '';
  for (let i = 0; i < octets.length; i++) text += String.fromCharCode(octets[i]!);
  return text;
}
