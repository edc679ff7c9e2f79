import { U8Column, U32Column } from '../columns';
import { hashOctets, hashWith, Lookup, MAX_PROBES, OctetPages } from './interning';

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

/** Kind's high bit: the value was never seen (a dynamic entry from before the capture). */
const VALUE_UNSEEN = 0x80;

/**
 * Names are stored once, however many values they have: a long name of the dynamic table costs its sender one octet to
 * repeat, and must not cost more here.
 */
export class HeaderStore {
  private readonly text = new OctetPages();

  private readonly nameAddresses = new U32Column();
  private readonly nameLengths = new U32Column();
  private readonly nameKinds = new U8Column();
  private readonly nameHashes = new U32Column();
  private readonly nameLookup = new Lookup();

  private readonly names = new U32Column();
  private readonly valueAddresses = new U32Column();
  private readonly valueLengths = new U32Column();
  private readonly kinds = new U8Column();
  private readonly hashes = new U32Column();
  private readonly fieldLookup = new Lookup();

  /** Lists: count, then that many field numbers. A list's id is its position. */
  private readonly lists = new U32Column();
  private readonly listLookup = new Lookup();

  private readonly rehashName = (name: number): number => this.nameHashes.get(name);
  private readonly rehashField = (field: number): number => this.hashes.get(field);
  private readonly rehashList = (list: number): number => this.hashOfList(list);

  constructor() {
    this.lists.push(0); // list 0 is the empty list
  }

  /** Octets held, for the memory figures. */
  get octets(): number {
    const text = this.text.pages.reduce((sum, page) => sum + page.length, 0);
    return text + this.lists.length * 4 + this.names.length * 17 + this.nameLengths.length * 13;
  }

  /** Stores a field, or finds it: `name[nameStart, nameEnd)` and `value[valueStart, valueEnd)`. */
  field(
    name: Uint8Array,
    nameStart: number,
    nameEnd: number,
    value: Uint8Array,
    valueStart: number,
    valueEnd: number,
    kind?: number,
  ): number {
    return this.fieldNamed(this.internName(name, nameStart, nameEnd, kind), value, valueStart, valueEnd);
  }

  /**
   * Stores a name, or finds it.
   * @param kind one of `Known`; found out when it is not given
   * @returns its number, for `fieldNamed`
   */
  internName(name: Uint8Array, start: number, end: number, kind?: number): number {
    const hash = hashOctets(0, name, start, end);
    const { slots } = this.nameLookup;
    const mask = slots.length - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = slots[(hash + probe) & mask]!;
      if (slot === 0) break;
      const known = slot - 1;
      if (this.nameHashes.get(known) !== hash || this.nameLengths.get(known) !== end - start) continue;
      if (this.text.equal(this.nameAddresses.get(known), name, start, end)) return known;
    }
    const address = this.text.add(name, start, end);
    this.nameAddresses.push(address ?? 0);
    this.nameLengths.push(address === undefined ? 0 : end - start);
    this.nameHashes.push(hash);
    const number = this.nameKinds.push(kind ?? knownName(latin1(name.subarray(start, end))));
    if (address !== undefined) this.nameLookup.add(hash, number, this.rehashName);
    return number;
  }

  /** Stores a field with a name that `internName` or `nameOf` gave, or finds it. */
  fieldNamed(name: number, value: Uint8Array, start: number, end: number): number {
    const hash = hashOctets(name, value, start, end);
    const { slots } = this.fieldLookup;
    const mask = slots.length - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = slots[(hash + probe) & mask]!;
      if (slot === 0) break;
      const known = slot - 1;
      if (this.hashes.get(known) !== hash || this.names.get(known) !== name) continue;
      if (this.valueLengths.get(known) !== end - start) continue;
      if (this.text.equal(this.valueAddresses.get(known), value, start, end)) return known;
    }
    const address = this.text.add(value, start, end);
    if (address === undefined) return this.store(name, 0, 0, 0, VALUE_UNSEEN);
    const field = this.store(name, address, end - start, hash, 0);
    this.fieldLookup.add(hash, field, this.rehashField);
    return field;
  }

  /** A field whose value was never seen. Not shared; not found by `field`. */
  unseen(name: string): number {
    const octets = Uint8Array.from(name, (c) => c.charCodeAt(0));
    return this.store(this.internName(octets, 0, octets.length), 0, 0, 0, VALUE_UNSEEN);
  }

  private store(name: number, address: number, length: number, hash: number, unseen: number): number {
    this.names.push(name);
    this.valueAddresses.push(address);
    this.valueLengths.push(length);
    this.hashes.push(hash);
    return this.kinds.push(this.nameKinds.get(name) | unseen);
  }

  /** Stores a list of `count` field numbers, or finds it. */
  list(fields: Uint32Array, count: number): number {
    if (count === 0) return 0;
    let hash = count;
    for (let i = 0; i < count; i++) hash = hashWith(hash, fields[i]!);
    hash >>>= 0;
    const { slots } = this.listLookup;
    const mask = slots.length - 1;
    search: for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = slots[(hash + probe) & mask]!;
      if (slot === 0) break;
      const known = slot - 1;
      if (this.lists.get(known) !== count) continue;
      for (let i = 0; i < count; i++) if (this.lists.get(known + 1 + i) !== fields[i]) continue search;
      return known;
    }
    const id = this.lists.push(count);
    for (let i = 0; i < count; i++) this.lists.push(fields[i]!);
    this.listLookup.add(hash, id, this.rehashList);
    return id;
  }

  private hashOfList(id: number): number {
    const count = this.lists.get(id);
    let hash = count;
    for (let i = 1; i <= count; i++) hash = hashWith(hash, this.lists.get(id + i));
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

  /** The number of a field's name, for `fieldNamed`. */
  nameOf(field: number): number {
    return this.names.get(field);
  }

  /** RFC 7541 §4.1: name and value octets plus 32. */
  size(field: number): number {
    return this.nameLengths.get(this.names.get(field)) + this.valueLengths.get(field) + 32;
  }

  /** The octets of a name, in place; valid until the store is dropped. */
  nameOctets(field: number): Uint8Array {
    const name = this.names.get(field);
    return this.text.slice(this.nameAddresses.get(name), this.nameLengths.get(name));
  }

  /** The octets of a value, in place; empty where it was never seen. */
  valueOctets(field: number): Uint8Array {
    return this.text.slice(this.valueAddresses.get(field), this.valueLengths.get(field));
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
    const length = this.valueLengths.get(field);
    if (length === 0 || length > 9) return undefined;
    const address = this.valueAddresses.get(field);
    let result = 0;
    for (let i = 0; i < length; i++) {
      const digit = this.text.at(address + i) - 0x30;
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
