/** Octets in tests: written as labelled hex, joined, cut and read back. */

/**
 * Octets from hex. White space and `|` are for reading; a `;` starts a remark up to the end of the line:
 *
 *     hex(`00 00 04 | 08 | 00 | 00 00 00 00 ; length 4, WINDOW_UPDATE, no flags, stream 0
 *          00 00 00 0b                      ; increment 11`)
 */
export function hex(text: string): Uint8Array {
  const digits = text.replace(/;.*$/gm, '').replace(/[\s|]+/g, '');
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) throw new Error(`not whole octets in hex: ${text}`);
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Two lower-case digits an octet, without separators. */
export function toHex(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}

/** One octet a character; characters above 0xff are a mistake of the test. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    if (code > 0xff) throw new Error(`no Latin-1 character: ${character}`);
    return code;
  });
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Pieces of `size` octets (the last may be shorter); copies, so that a reader which keeps a view is found out. */
export function chunksOf(octets: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += size) pieces.push(octets.slice(at, at + size));
  return pieces;
}

/** Big-endian, as everything in HTTP/2. */
export function uint16(value: number): Uint8Array {
  return Uint8Array.of((value >>> 8) & 0xff, value & 0xff);
}

export function uint24(value: number): Uint8Array {
  return Uint8Array.of((value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

/** Takes 0 to 2^32 - 1. */
export function uint32(value: number): Uint8Array {
  return Uint8Array.of((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}
