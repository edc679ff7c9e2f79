import type { HeaderStore } from '../hpack/header-store';

/** Lists whose sizes are remembered: those of unary calls are few and come again and again. */
const MAX_REMEMBERED = 4096;
/** RFC 7541 §4.1 counts so many octets on top of each field's name and value. */
const FIELD_OVERHEAD = 32;

/** Octets of names and values of header lists: what HPACK was given. */
export class PlainSizes {
  private readonly known = new Map<number, number>();

  constructor(private readonly headers: HeaderStore) {}

  /** A value that was never seen counts as empty. */
  of(list: number): number {
    const known = this.known.get(list);
    if (known !== undefined) return known;
    const { headers } = this;
    let size = 0;
    for (let i = 0; i < headers.listLength(list); i++) size += headers.size(headers.fieldOf(list, i)) - FIELD_OVERHEAD;
    if (this.known.size < MAX_REMEMBERED) this.known.set(list, size);
    return size;
  }
}
