/** Text from octets without any platform's decoder: src/core has neither Node's nor the DOM's types. */

/** Code units handed to one `String.fromCharCode` call: arguments live on the stack. */
const PIECE = 4096;

/** One character an octet, U+0000 to U+00FF; never fails. How header fields are shown (RFC 9110 §5.5). */
export function latin1(octets: Uint8Array, start = 0, end = octets.length): string {
  let text = '';
  for (let at = start; at < end; at += PIECE) {
    text += String.fromCharCode(...octets.subarray(at, Math.min(at + PIECE, end)));
  }
  return text;
}

/**
 * UTF-8, strictly (RFC 3629): undefined on a truncated or overlong sequence, a surrogate, or a code point above
 * U+10FFFF. A byte order mark is kept.
 */
export function utf8(octets: Uint8Array, start = 0, end = octets.length): string | undefined {
  let text = '';
  const units = new Uint16Array(PIECE);
  let filled = 0;
  let at = start;
  while (at < end) {
    const length = sequenceLength(octets, at, end);
    if (length === 0) return undefined;
    const codePoint = codePointAt(octets, at, length);
    at += length;
    if (codePoint > 0xffff) {
      units[filled++] = 0xd800 + ((codePoint - 0x10000) >> 10);
      units[filled++] = 0xdc00 + (codePoint & 0x3ff);
    } else {
      units[filled++] = codePoint;
    }
    // A character takes up to two units: leave room for the next one.
    if (filled >= PIECE - 1) {
      text += String.fromCharCode(...units.subarray(0, filled));
      filled = 0;
    }
  }
  return text + String.fromCharCode(...units.subarray(0, filled));
}

/** Whether the octets are UTF-8 as `utf8` takes it, without making a string. */
export function isUtf8(octets: Uint8Array, start = 0, end = octets.length): boolean {
  let at = start;
  while (at < end) {
    const length = sequenceLength(octets, at, end);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** The end of the longest prefix of at most `limit` octets that does not cut a character; for UTF-8 only. */
export function characterBoundary(octets: Uint8Array, start: number, end: number, limit: number): number {
  if (end - start <= limit) return end;
  let at = start + limit;
  while (at > start && (octets[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}

/** True when a person could read it: no control characters but tab, line feed and carriage return. */
export function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d) return false;
    if (unit >= 0x7f && unit <= 0x9f) return false;
  }
  return true;
}

/** Octets of the well-formed sequence at `at`, 1 to 4; 0 when it is not well-formed (the table of RFC 3629 §4). */
function sequenceLength(octets: Uint8Array, at: number, end: number): number {
  const first = octets[at]!;
  if (first < 0x80) return 1;
  // Below 0xc2: a continuation octet, or an overlong form of ASCII.
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > end) return 0;
  // The second octet's range excludes overlong forms, surrogates, and what lies above U+10FFFF.
  const second = octets[at + 1]!;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let i = 2; i < length; i++) {
    if ((octets[at + i]! & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function codePointAt(octets: Uint8Array, at: number, length: number): number {
  const first = octets[at]!;
  if (length === 1) return first;
  let codePoint = first & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) codePoint = (codePoint << 6) | (octets[at + i]! & 0x3f);
  return codePoint;
}
