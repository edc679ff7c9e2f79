/** The Internet checksum (RFC 1071), shared by IPv4 and TCP. */

/**
 * The ones' complement sum of the octets as big-endian 16-bit words, a last odd octet padded with zero; 0 to 0xffff.
 *
 * Since 2^16 is 1 modulo 0xffff, 32-bit words may be added as they are, and a double holds the sum of two million of
 * them exactly: about one word a cycle, several times quicker than halving each. The words are read in the machine's
 * (little-endian) order and the sum is turned round at the end (RFC 1071 §2 (B)).
 */
export function onesSum(octets: Uint8Array, start: number, end: number): number {
  let at = start;
  let swapped = 0;
  const address = octets.byteOffset + start;
  // An odd address would put each octet into the other half of its word; the loop below takes such octets singly.
  if ((address & 3) === 0 && end - start >= 64) {
    const words = new Uint32Array(octets.buffer, address, (end - start) >> 2);
    const unrolled = words.length & ~3;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < unrolled; i += 4) {
      a += words[i]!;
      b += words[i + 1]!;
      c += words[i + 2]!;
      d += words[i + 3]!;
    }
    for (let i = unrolled; i < words.length; i++) a += words[i]!;
    swapped = fold(a + b + c + d);
    at += words.length * 4;
  }
  let sum = ((swapped & 0xff) << 8) | (swapped >>> 8);
  for (; at + 1 < end; at += 2) sum += (octets[at]! << 8) | octets[at + 1]!;
  if (at < end) sum += octets[at]! << 8;
  return fold(sum);
}

/** End-around carry: a sum of words down to 16 bits. A sum of zero stays zero; any other multiple of 0xffff is 0xffff. */
export function fold(sum: number): number {
  const rest = sum % 0xffff;
  return rest === 0 && sum > 0 ? 0xffff : rest;
}
