import type { HeaderStore } from './header-store';
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

type Damage = Pick<HpackError, 'clause' | 'message'>;
const INDEX_DAMAGE = 'an index that is cut short or too large';

/** Index of the first dynamic entry (RFC 7541 §2.3.3). */
const FIRST_DYNAMIC = STATIC_TABLE.length + 1;
const DEFAULT_TABLE_SIZE = 4096;
/** SETTINGS_HEADER_TABLE_SIZE goes up to here, so a size update may; anything above is damage. */
const MAX_INTEGER = 0xffffffff;
/** Unknown indexes up to here are shown by number; hostile blocks shall not fill the store with the others. */
const MAX_PLACEHOLDER = 4096;

/**
 * One direction's HPACK context (RFC 7541). Blocks must be given in order. A fault keeps the fields before it; the
 * context stays usable, and what it can no longer know shows as unknown: after a block whose rest could not be decoded
 * nobody knows what the encoder's table holds.
 *
 * The table needs no bound of its own: an entry takes two octets of block at least, and four octets here.
 */
export class HpackDecoder {
  /** Set by `decode`; the first fault of the block. */
  error: HpackError | undefined;

  private readonly fields: StaticFields;
  /** The dynamic table as a ring of field numbers; the newest stands at `head - 1`. */
  private ring = new Uint32Array(16);
  private head = 0;
  private count = 0;
  private size = 0;
  private maxSize = DEFAULT_TABLE_SIZE;
  /** The largest size that the peer's SETTINGS_HEADER_TABLE_SIZE lets the encoder use. */
  private limit = DEFAULT_TABLE_SIZE;
  /** A lowered limit: the next block must begin with an update to it or below (RFC 7541 §4.2). Infinity: none is due. */
  private due = Number.POSITIVE_INFINITY;
  /** Entries from before the capture, or from a lost block, may exist: an unknown index is no fault. */
  private partial: boolean;

  private readonly placeholders = new Map<number, number>();

  private list = new Uint32Array(16);
  private listCount = 0;
  private scratch = new Uint8Array(256);

  // Results of `integer` and `string`, kept here so that the loop allocates nothing.
  private at = 0;
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
    if (limit < this.maxSize) this.due = Math.min(this.due, limit);
  }

  /** SETTINGS that raise the limit were sent: the encoder may use it as soon as it knows of them. */
  raiseLimit(limit: number): void {
    this.limit = Math.max(this.limit, limit);
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
        if (index < 0) return this.stop(at - start, 'RFC 7541 §5.1', INDEX_DAMAGE);
        if (index === 0) return this.stop(at - start, 'RFC 7541 §6.1', 'index 0');
        this.add(this.lookup(index, at - start));
      } else if ((octet & 0xe0) === 0x20) {
        const size = this.integer(block, at, end, 5);
        if (size < 0) return this.stop(at - start, 'RFC 7541 §5.1', 'a table size that is cut short or too large');
        if (!first) this.fault(at - start, 'RFC 7541 §4.2', 'dynamic table size update after a header field');
        this.resize(size, at - start);
        at = this.at;
        continue; // several size updates may stand at the beginning
      } else {
        const damage = this.literal(block, at, end, start, octet);
        if (damage !== undefined) return this.stop(at - start, damage.clause, damage.message);
      }
      if (first && this.due !== Number.POSITIVE_INFINITY) {
        const words = `no table size update to ${this.due} or less, although SETTINGS_HEADER_TABLE_SIZE was lowered`;
        this.fault(0, 'RFC 7541 §4.2', words);
        this.due = Number.POSITIVE_INFINITY;
      }
      first = false;
      at = this.at;
    }
    return this.store.list(this.list, this.listCount);
  }

  /** RFC 7541 §6.2. @returns what is damaged, when nothing after it can be decoded. */
  private literal(block: Uint8Array, at: number, end: number, start: number, octet: number): Damage | undefined {
    const incremental = (octet & 0xc0) === 0x40;
    const index = this.integer(block, at, end, incremental ? 6 : 4);
    if (index < 0) return { clause: 'RFC 7541 §5.1', message: INDEX_DAMAGE };

    let name: number;
    if (index === 0) {
      if (!this.string(block, this.at, end)) {
        return { clause: 'RFC 7541 §5.2', message: 'a name that is cut short or badly coded' };
      }
      name = this.store.internName(this.scratch, 0, this.valueEnd);
    } else {
      name = this.store.nameOf(this.lookup(index, at - start));
    }
    if (!this.string(block, this.at, end)) {
      return { clause: 'RFC 7541 §5.2', message: 'a value that is cut short or badly coded' };
    }
    const field = this.store.fieldNamed(name, this.scratch, 0, this.valueEnd);
    this.add(field);
    if (incremental) this.insert(field);
    return undefined;
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

  /** RFC 7541 §5.2. Decodes into the scratch; sets `valueEnd`, and `at` behind the string. */
  private string(data: Uint8Array, at: number, end: number): boolean {
    if (at >= end) return false;
    const huffman = (data[at]! & 0x80) !== 0;
    const length = this.integer(data, at, end, 7);
    if (length < 0 || length > end - this.at) return false;
    const from = this.at;
    const room = huffman ? maxDecodedLength(length) : length;
    if (room > this.scratch.length) this.scratch = new Uint8Array(Math.max(room, this.scratch.length * 2));
    const { scratch } = this;
    if (huffman) {
      this.valueEnd = decodeHuffman(data, from, from + length, scratch, 0);
      if (this.valueEnd < 0) return false;
    } else {
      for (let i = 0; i < length; i++) scratch[i] = data[from + i]!;
      this.valueEnd = length;
    }
    this.at = from + length;
    return true;
  }

  /** The field at an index; an unknown one gives a placeholder, and a fault unless entries may be unseen. */
  private lookup(index: number, at: number): number {
    if (index < FIRST_DYNAMIC) return this.fields.numbers[index - 1]!;
    const position = index - FIRST_DYNAMIC;
    if (position < this.count) return this.entry(position);
    // An entry takes 32 octets of the table at least, so that even an unseen table has an end.
    if (!this.partial || position >= Math.max(this.limit, this.maxSize) / 32) {
      this.fault(at, 'RFC 7541 §2.3.3', `index ${index} is beyond the table's end (${FIRST_DYNAMIC - 1 + this.count})`);
      this.partial = true;
    }
    return this.placeholder(index);
  }

  /** One stored field for each unknown index, and one for all indexes that no table could hold. */
  private placeholder(index: number): number {
    const key = Math.min(index, MAX_PLACEHOLDER);
    let field = this.placeholders.get(key);
    if (field === undefined) {
      field = this.store.unseen(key === index ? `unknown (dynamic ${index})` : 'unknown (no such index)');
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
    // Followed all the same: the encoder believes in it.
    this.maxSize = size;
    if (size <= this.due) this.due = Number.POSITIVE_INFINITY;
    this.evict(size);
  }

  /** The first fault of a block is the one shown: later ones follow from it. */
  private fault(at: number, clause: string, message: string): void {
    this.error ??= { at, clause, message };
  }

  /** Nothing tells where the next representation begins: the rest of the block is lost, and what it did to the table. */
  private stop(at: number, clause: string, message: string): number {
    this.fault(at, clause, message);
    this.forget();
    return this.store.list(this.list, this.listCount);
  }
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
      return store.field(nameOctets, 0, nameOctets.length, valueOctets, 0, valueOctets.length);
    });
  }
}
