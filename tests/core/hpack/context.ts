import { HpackDecoder, type HpackError } from '../../../src/core/hpack/decoder';
import { HeaderStore } from '../../../src/core/hpack/header-store';

export type Pair = [name: string, value: string | null];

/** One direction's decoder on a store of its own, for tests: blocks in, pairs out. */
export class Context {
  readonly store: HeaderStore;
  readonly decoder: HpackDecoder;

  constructor(options: { partial?: boolean; store?: HeaderStore } = {}) {
    this.store = options.store ?? new HeaderStore();
    this.decoder = new HpackDecoder(this.store, { partial: options.partial ?? false });
  }

  /** The fields of a block, whatever is wrong with it; `error` says that. */
  decode(block: Uint8Array): Pair[] {
    return this.fields(this.decoder.decode(block, 0, block.length));
  }

  fields(list: number): Pair[] {
    return Array.from({ length: this.store.listLength(list) }, (_, i) => this.pair(this.store.fieldOf(list, i)));
  }

  get error(): HpackError | undefined {
    return this.decoder.error;
  }

  /** Newest first, with the size by RFC 7541 §4.1. */
  get table(): { fields: Pair[]; size: number } {
    const { fields, size } = this.decoder.table();
    return { fields: fields.map((field) => this.pair(field)), size };
  }

  private pair(field: number): Pair {
    return [this.store.name(field), this.store.value(field)];
  }
}
