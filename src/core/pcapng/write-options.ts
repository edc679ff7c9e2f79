/** pcapng options (draft-ietf-opsawg-pcapng §3.5): code, length, value padded to 32 bits, closed by opt_endofopt. */

export interface BlockOption {
  code: number;
  value: Uint8Array;
}

export const OPT_COMMENT = 1;

/** An option's length is a 16-bit field; a multiple of 4, so that the padding does not matter. */
const LONGEST_VALUE = 0xfffc;

/** A UTF-8 text, cut (between characters) where an option's length field ends. */
export function textOption(code: number, text: string): BlockOption {
  const octets = encodeUtf8(text);
  let end = Math.min(octets.length, LONGEST_VALUE);
  if (end < octets.length) while (end > 0 && (octets[end]! & 0xc0) === 0x80) end -= 1;
  return { code, value: octets.subarray(0, end) };
}

/** A 64-bit count, little-endian. Takes whole numbers from 0 to 2^53. */
export function countOption(code: number, count: number): BlockOption {
  const value = new Uint8Array(8);
  const view = new DataView(value.buffer);
  view.setUint32(0, count >>> 0, true);
  view.setUint32(4, Math.floor(count / 0x1_0000_0000), true);
  return { code, value };
}

/** Octets of all options with opt_endofopt; 0 when there are none, for then that is left out too. */
export function optionsLength(options: readonly BlockOption[]): number {
  if (options.length === 0) return 0;
  return options.reduce((length, option) => length + 4 + padded(option.value.length), 4);
}

/** Writes what `optionsLength` measured and returns the end. */
export function writeOptions(out: DataView, at: number, options: readonly BlockOption[]): number {
  if (options.length === 0) return at;
  let next = at;
  for (const { code, value } of options) {
    out.setUint16(next, code, true);
    out.setUint16(next + 2, value.length, true);
    next += 4;
    for (let i = 0; i < padded(value.length); i++) out.setUint8(next + i, value[i] ?? 0);
    next += padded(value.length);
  }
  out.setUint32(next, 0, true);
  return next + 4;
}

/** The next multiple of four: every part of a block is aligned to 32 bits. */
export function padded(length: number): number {
  return (length + 3) & ~3;
}

/** UTF-8 (RFC 3629); a lone surrogate becomes U+FFFD. Written out because src/core has no TextEncoder. */
export function encodeUtf8(text: string): Uint8Array {
  const octets: number[] = [];
  for (const character of text) {
    let code = character.codePointAt(0)!;
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) octets.push(code);
    else if (code < 0x800) octets.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else if (code < 0x10000) octets.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else {
      octets.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    }
  }
  return Uint8Array.from(octets);
}
