import { HUFFMAN_CODE } from './tables';

/**
 * RFC 7541 §5.2, as a machine that eats four bits at a time. A state is a node inside the code's tree; the shortest
 * code has five bits, so a step emits one symbol at most.
 */

const EOS = 256;
const FAIL = 0x8000;
const EMIT = 0x4000;

/** transitions[state << 4 | nibble]: next state in the low octet, with FAIL or EMIT; the symbol is in `symbols`. */
const transitions = new Uint16Array(256 * 16);
const symbols = new Uint8Array(256 * 16);
/** States in which a string may end: fewer than eight bits since the last symbol, all of them 1 (EOS's beginning). */
const accepting = new Uint8Array(256);

build();

function build(): void {
  // Node: children as node index (>= 0), or ~symbol for a leaf.
  const children: [number | undefined, number | undefined][] = [[undefined, undefined]];
  HUFFMAN_CODE.forEach(([bits, code], symbol) => {
    let node = 0;
    for (let bit = bits - 1; bit >= 0; bit--) {
      const branch = (code >>> bit) & 1;
      const pair = children[node]!;
      if (bit === 0) {
        pair[branch] = ~symbol;
      } else {
        let next = pair[branch];
        if (next === undefined) {
          next = children.length;
          children.push([undefined, undefined]);
          pair[branch] = next;
        }
        node = next;
      }
    }
  });

  let node: number | undefined = 0;
  for (let depth = 0; depth < 8 && node !== undefined && node >= 0; depth++) {
    accepting[node] = 1;
    node = children[node]![1];
  }

  for (let state = 0; state < children.length; state++) {
    for (let nibble = 0; nibble < 16; nibble++) {
      let current = state;
      let entry = 0;
      for (let bit = 3; bit >= 0; bit--) {
        const next: number | undefined = children[current]![(nibble >>> bit) & 1];
        if (next === undefined || next === ~EOS) {
          entry = FAIL;
          break;
        }
        if (next < 0) {
          symbols[(state << 4) | nibble] = ~next;
          entry |= EMIT;
          current = 0;
        } else {
          current = next;
        }
      }
      transitions[(state << 4) | nibble] = entry === FAIL ? FAIL : entry | current;
    }
  }
}

/** Octets that `length` Huffman-coded octets can decode to at most (the shortest code has five bits). */
export function maxDecodedLength(length: number): number {
  return Math.floor((length * 8) / 5);
}

/**
 * Decodes `data[start, end)` into `out` from `at`, which must have room for `maxDecodedLength`.
 * @returns where the decoded octets end, or -1 for a coding error: EOS inside, padding of eight bits or more, or
 *   padding that is not all ones (RFC 7541 §5.2)
 */
export function decodeHuffman(data: Uint8Array, start: number, end: number, out: Uint8Array, at: number): number {
  let state = 0;
  for (let i = start; i < end; i++) {
    const octet = data[i]!;
    const high = (state << 4) | (octet >>> 4);
    let entry = transitions[high]!;
    if ((entry & EMIT) !== 0) out[at++] = symbols[high]!;
    if ((entry & FAIL) !== 0) return -1;
    const low = ((entry & 0xff) << 4) | (octet & 15);
    entry = transitions[low]!;
    if ((entry & EMIT) !== 0) out[at++] = symbols[low]!;
    if ((entry & FAIL) !== 0) return -1;
    state = entry & 0xff;
  }
  return accepting[state] === 1 ? at : -1;
}
