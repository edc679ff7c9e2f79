/** Connections by addresses and ports, found without making a key: this runs for every packet. */

import type { IpHeader } from './ip';
import type { Side } from './types';

/** What an entry must carry to be found. */
export class TableEntry {
  /** Of side 0, then of side 1: as IpHeader's words. */
  readonly words: Int32Array;
  readonly ports: number;
  readonly hash: number;
  /** The next entry with the same hash. */
  nextEntry: TableEntry | undefined = undefined;

  /** @param ports side 0's port in the upper 16 bits, side 1's in the lower */
  constructor(header: IpHeader, ports: number) {
    this.words = header.words.slice();
    this.ports = ports;
    this.hash = hashOf(header.words, ports);
  }

  /** The side that sent a packet with these addresses and ports; undefined when it is of another connection. */
  sender(words: Int32Array, ports: number): Side | undefined {
    const mine = this.words;
    // Word by word, the likeliest difference first; a loop over eight is several times slower.
    if (
      ports === this.ports &&
      words[3] === mine[3] &&
      words[7] === mine[7] &&
      words[0] === mine[0] &&
      words[1] === mine[1] &&
      words[2] === mine[2] &&
      words[4] === mine[4] &&
      words[5] === mine[5] &&
      words[6] === mine[6]
    ) {
      return 0;
    }
    if (
      swapPorts(ports) === this.ports &&
      words[7] === mine[3] &&
      words[3] === mine[7] &&
      words[4] === mine[0] &&
      words[5] === mine[1] &&
      words[6] === mine[2] &&
      words[0] === mine[4] &&
      words[1] === mine[5] &&
      words[2] === mine[6]
    ) {
      return 1;
    }
    return undefined;
  }
}

/**
 * Grows with the capture's connections, one entry each: a closed one stays, as its late segments must find it.
 * An IPv4 address and the IPv6 address with the same last word and zeros else don't meet in practice (`::a.b.c.d` is
 * long deprecated, RFC 4291 §2.5.5.1).
 */
export class ConnectionTable<Entry extends TableEntry> {
  private readonly entries = new Map<number, Entry>();

  find(words: Int32Array, ports: number): Entry | undefined {
    let entry = this.entries.get(hashOf(words, ports));
    while (entry !== undefined && entry.sender(words, ports) === undefined) {
      entry = entry.nextEntry as Entry | undefined;
    }
    return entry;
  }

  add(entry: Entry): void {
    entry.nextEntry = this.entries.get(entry.hash);
    this.entries.set(entry.hash, entry);
  }

  remove(entry: Entry): void {
    const first = this.entries.get(entry.hash);
    const next = entry.nextEntry as Entry | undefined;
    if (first === entry) {
      if (next === undefined) this.entries.delete(entry.hash);
      else this.entries.set(entry.hash, next);
      return;
    }
    for (let at: TableEntry | undefined = first; at !== undefined; at = at.nextEntry) {
      if (at.nextEntry === entry) at.nextEntry = next;
    }
  }

  all(): Entry[] {
    const all: Entry[] = [];
    for (const first of this.entries.values()) {
      for (let at: Entry | undefined = first; at !== undefined; at = at.nextEntry as Entry | undefined) all.push(at);
    }
    return all;
  }
}

function swapPorts(ports: number): number {
  return (ports << 16) | (ports >>> 16);
}

/** The same for both directions, and a small integer (31 bits) everywhere. */
function hashOf(words: Int32Array, ports: number): number {
  const from = mix(words[0]!, words[1]!, words[2]!, words[3]!, ports >>> 16);
  const to = mix(words[4]!, words[5]!, words[6]!, words[7]!, ports & 0xffff);
  const sum = (from + to) | 0;
  return (sum ^ (sum >>> 15)) & 0x3fffffff;
}

function mix(a: number, b: number, c: number, d: number, port: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 13)) + b, 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 16)) + c, 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 13)) + d, 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 16)) + port, 0x27d4eb2f);
  return hash ^ (hash >>> 15);
}
