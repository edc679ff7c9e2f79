import { type HeaderStore, Known, knownName, latin1 } from './header-store';
import { decodeHuffman, maxDecodedLength } from './huffman';
import { STATIC_TABLE } from './tables';

/** Why a header block could not be decoded further (RFC 9113 §4.3 makes each a COMPRESSION_ERROR). */
export interface HpackError {
  /** `RFC 7541 §…` */
  clause: string;
  message: string;
  /** Octet of the block at which the faulty representation starts. */
  at: number;
}

/** Index of the first dynamic entry (RFC 7541 §2.3.3). */
const FIRST_DYNAMIC = STATIC_TABLE.length + 1;
const DEFAULT_TABLE_SIZE = 4096;
/** An integer above this is damage: no index, length or size of a real block comes near it. */
const MAX_INTEGER = 0x0fffffff;
/** Unknown indexes up to here are shown by number; hostile blocks shall not fill the store with the others. */
const MAX_PLACEHOLDER = 4096;

/**
 * One direction's HPACK context (RFC 7541). Blocks must be given in order. A fault keeps the fields before it; the
 * context stays usable, and what it can no longer know shows as unknown.
 */
export class HpackDecoder {
  /** Set by `decode`; the first fault of the block. */
  error: HpackError | undefined;

  private readonly fields: StaticFields;
  /** The dynamic table as a ring of field numbers; the newest stands at `head - 1`. */
  private ring = new Uint32Array(64);
  private head = 0;
  private count = 0;
  private size = 0;
  private maxSize = DEFAULT_TABLE_SIZE;
  /** The largest size that the peer's SETTINGS_HEADER_TABLE_SIZE lets the encoder use. */
  private limit = DEFAULT_TABLE_SIZE;
  /** A lowered limit must be answered by a size update in the next block (RFC 7541 §4.2). */
  private updateDue = false;
  /** Entries from before the capture, or from a lost block, may exist: an unknown index is no fault. */
  private partial: boolean;

  private readonly placeholders = new Map<number, number>();

  private list = new Uint32Array(64);
  private listCount = 0;
  private scratch = new Uint8Array(4096);

  // Results of `integer` and `string`, kept here so that the loop allocates nothing.
  private at = 0;
  private valueStart = 0;
  private valueEnd = 0;

  constructor(
    private readonly store: HeaderStore,
    options: { partial?: boolean } = {},
  ) {
    this.fields = StaticFields.of(store);
    this.partial = options.partial ?? false;
  }

  /** The limit now in force for size updates (SETTINGS_HEADER_TABLE_SIZE of the peer, acknowledged or not yet). */
  setLimit(limit: number): void {
    this.limit = limit;
    if (limit < this.maxSize) this.updateDue = true;
  }

  /** SETTINGS that raise the limit were sent: the encoder may use it as soon as it knows of them. */
  raiseLimit(limit: number): void {
    this.limit = Math.max(this.limit, limit);
  }

  /** A block was faulty: from here on the table may lack entries that the encoder has. */
  tolerate(): void {
    this.partial = true;
  }

  /** A block was lost or damaged: what the table holds is no longer known. */
  forget(): void {
    this.partial = true;
    this.count = 0;
    this.size = 0;
  }

  /** Entries of the dynamic table as field numbers, newest first; `size` and `maxSize` in RFC 7541 §4.1 octets. */
  table(): { fields: number[]; size: number; maxSize: number } {
    const fields: number[] = [];
    for (let i = 0; i < this.count; i++) fields.push(this.entry(i));
    return { fields, size: this.size, maxSize: this.maxSize };
  }

  /** Decodes a whole block. @returns the list's id in the store; look at `error` too. */
  decode(block: Uint8Array, start: number, end: number): number {
    this.error = undefined;
    this.listCount = 0;
    let first = true;
    let at = start;
    while (at < end) {
      const octet = block[at]!;
      if ((octet & 0x80) !== 0) {
        const index = this.integer(block, at, end, 7);
        if (index < 0) return this.stop(at - start, 'RFC 7541 §5.1', 'index cut short or too large');
        if (index === 0) return this.stop(at - start, 'RFC 7541 §6.1', 'index 0');
        this.add(this.lookup(index, at - start));
      } else if ((octet & 0xe0) === 0x20) {
        const size = this.integer(block, at, end, 5);
        if (size < 0) return this.stop(at - start, 'RFC 7541 §5.1', 'table size cut short or too large');
        if (!first) this.fault(at - start, 'RFC 7541 §4.2', 'dynamic table size update after a header field');
        this.resize(size, at - start);
        at = this.at;
        continue; // several size updates may stand at the beginning
      } else {
        const next = this.literal(block, at, end, start, octet);
        if (next < 0) break;
      }
      if (first && this.updateDue) {
        this.fault(0, 'RFC 7541 §4.2', 'no dynamic table size update after SETTINGS_HEADER_TABLE_SIZE was lowered');
      }
      this.updateDue = false;
      first = false;
      at = this.at;
    }
    return this.store.list(this.list, this.listCount);
  }

  /** RFC 7541 §6.2. @returns -1 when the block ends in damage. */
  private literal(block: Uint8Array, at: number, end: number, start: number, octet: number): number {
    const incremental = (octet & 0xc0) === 0x40;
    const index = this.integer(block, at, end, incremental ? 6 : 4);
    if (index < 0) return this.damage(at - start, 'index cut short or too large');

    let name: Uint8Array;
    let nameStart: number;
    let nameEnd: number;
    let kind: number;
    let unseenName: string | undefined;
    // The scratch holds the decoded name first, the value behind it.
    let used = 0;
    if (index === 0) {
      if (!this.string(block, this.at, end, 0)) return this.damage(at - start, 'name cut short or badly coded');
      used = this.valueEnd;
      name = this.scratch;
      nameStart = this.valueStart;
      nameEnd = this.valueEnd;
      kind = knownName(latin1(name.subarray(nameStart, nameEnd)));
    } else {
      const field = this.lookup(index, at - start);
      name = this.store.nameOctets(field);
      nameStart = 0;
      nameEnd = name.length;
      kind = this.store.kind(field);
      if (index >= FIRST_DYNAMIC + this.count) unseenName = unknownName(index);
    }
    if (!this.string(block, this.at, end, used)) return this.damage(at - start, 'value cut short or badly coded');
    if (index === 0) name = this.scratch; // the value may have made it grow
    const field =
      unseenName === undefined
        ? this.store.field(name, nameStart, nameEnd, this.scratch, this.valueStart, this.valueEnd, kind)
        : this.store.unseen(unseenName, this.scratch.slice(this.valueStart, this.valueEnd));
    this.add(field);
    if (incremental) this.insert(field);
    return this.at;
  }

  /** RFC 7541 §5.1. Sets `at` behind the integer. @returns -1 when it is cut short or too large. */
  private integer(data: Uint8Array, at: number, end: number, prefix: number): number {
    const mask = (1 << prefix) - 1;
    let value = data[at]! & mask;
    at++;
    if (value === mask) {
      let shift = 0;
      for (;;) {
        if (at >= end || shift > 28) return -1;
        const octet = data[at]!;
        at++;
        value += (octet & 0x7f) * 2 ** shift;
        if (value > MAX_INTEGER) return -1;
        if ((octet & 0x80) === 0) break;
        shift += 7;
      }
    }
    this.at = at;
    return value;
  }

  /** RFC 7541 §5.2. Decodes into the scratch from `to`; sets `valueStart`, `valueEnd` and `at`. */
  private string(data: Uint8Array, at: number, end: number, to: number): boolean {
    if (at >= end) return false;
    const huffman = (data[at]! & 0x80) !== 0;
    const length = this.integer(data, at, end, 7);
    if (length < 0 || length > end - this.at) return false;
    const from = this.at;
    const room = to + (huffman ? maxDecodedLength(length) : length);
    if (room > this.scratch.length) {
      const grown = new Uint8Array(Math.max(room, this.scratch.length * 2));
      grown.set(this.scratch.subarray(0, to));
      this.scratch = grown;
    }
    this.valueStart = to;
    if (huffman) {
      this.valueEnd = decodeHuffman(data, from, from + length, this.scratch, to);
      if (this.valueEnd < 0) return false;
    } else {
      const { scratch } = this;
      for (let i = 0; i < length; i++) scratch[to + i] = data[from + i]!;
      this.valueEnd = to + length;
    }
    this.at = from + length;
    return true;
  }

  /** The field at an index; an unknown one gives a placeholder, and a fault unless entries may be unseen. */
  private lookup(index: number, at: number): number {
    if (index < FIRST_DYNAMIC) return this.fields.numbers[index - 1]!;
    const position = index - FIRST_DYNAMIC;
    if (position < this.count) return this.entry(position);
    if (!this.partial || index - FIRST_DYNAMIC >= this.limit / 32) {
      this.fault(at, 'RFC 7541 §2.3.3', `index ${index} is beyond the table's end (${FIRST_DYNAMIC - 1 + this.count})`);
    }
    return this.placeholder(index);
  }

  /** One stored field for each unknown index, and one for all indexes that no table could hold. */
  private placeholder(index: number): number {
    const key = Math.min(index, MAX_PLACEHOLDER);
    let field = this.placeholders.get(key);
    if (field === undefined) {
      field = this.store.unseen(key === index ? unknownName(index) : 'unknown (no such index)', undefined);
      this.placeholders.set(key, field);
    }
    return field;
  }

  private entry(position: number): number {
    return this.ring[(this.head - 1 - position + this.ring.length) & (this.ring.length - 1)]!;
  }

  private add(field: number): void {
    if (this.listCount === this.list.length) {
      const grown = new Uint32Array(this.list.length * 2);
      grown.set(this.list);
      this.list = grown;
    }
    this.list[this.listCount++] = field;
  }

  /** RFC 7541 §4.4: an entry larger than the table empties it. */
  private insert(field: number): void {
    const size = this.store.size(field);
    this.evict(this.maxSize - size);
    if (size > this.maxSize) return;
    if (this.count === this.ring.length) {
      const grown = new Uint32Array(this.ring.length * 2);
      for (let i = 0; i < this.count; i++) grown[this.count - 1 - i] = this.entry(i);
      this.ring = grown;
      this.head = this.count;
    }
    this.ring[this.head] = field;
    this.head = (this.head + 1) & (this.ring.length - 1);
    this.count++;
    this.size += size;
  }

  private evict(room: number): void {
    while (this.count > 0 && this.size > room) {
      this.size -= this.store.size(this.entry(this.count - 1));
      this.count--;
    }
  }

  /** RFC 7541 §6.3. */
  private resize(size: number, at: number): void {
    if (size > this.limit) {
      this.fault(at, 'RFC 7541 §6.3', `table size ${size} is above SETTINGS_HEADER_TABLE_SIZE ${this.limit}`);
    }
    // Followed all the same, within reason: the encoder believes in it.
    this.maxSize = Math.min(size, 1 << 20);
    this.updateDue = false;
    this.evict(this.maxSize);
  }

  private damage(at: number, message: string): -1 {
    this.fault(at, 'RFC 7541 §5', message);
    return -1;
  }

  /** The first fault of a block is the one shown: later ones follow from it. */
  private fault(at: number, clause: string, message: string): void {
    this.error ??= { at, clause, message };
  }

  private stop(at: number, clause: string, message: string): number {
    this.fault(at, clause, message);
    return this.store.list(this.list, this.listCount);
  }
}

function unknownName(index: number): string {
  return `unknown (dynamic ${index})`;
}

/** The static table's entries as fields of one store. */
class StaticFields {
  private static readonly cache = new WeakMap<HeaderStore, StaticFields>();
  readonly numbers: Uint32Array;

  static of(store: HeaderStore): StaticFields {
    let fields = StaticFields.cache.get(store);
    if (fields === undefined) {
      fields = new StaticFields(store);
      StaticFields.cache.set(store, fields);
    }
    return fields;
  }

  private constructor(store: HeaderStore) {
    this.numbers = Uint32Array.from(STATIC_TABLE, ({ name, value }) => {
      const nameOctets = Uint8Array.from(name, (c) => c.charCodeAt(0));
      const valueOctets = Uint8Array.from(value, (c) => c.charCodeAt(0));
      const kind = knownName(name);
      return store.field(nameOctets, 0, nameOctets.length, valueOctets, 0, valueOctets.length, kind || Known.OTHER);
    });
  }
}
