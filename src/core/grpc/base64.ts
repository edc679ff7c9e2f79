/**
 * The values of a `-bin` header: Base64 (RFC 4648 §4), padded or not, several joined by commas (gRPC PROTOCOL-HTTP2,
 * Custom-Metadata). A value that is no Base64 is undefined, its neighbours are not touched.
 */
export function decodeBinaryMetadata(value: string): (Uint8Array | undefined)[] {
  return value.split(',').map((part) => decodeBase64(part.trim()));
}

/**
 * One Base64 value (RFC 4648 §4), with or without padding; bits left over at the end are ignored. Undefined on a
 * character outside the alphabet, padding that is too much or too little, or a length that no octets give.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.length - padding;
  if (digits % 4 === 1 || (padding > 0 && text.length % 4 !== 0)) return undefined;

  const octets = new Uint8Array(Math.floor((digits * 3) / 4));
  let length = 0;
  let bits = 0;
  let waiting = 0;
  for (let i = 0; i < digits; i++) {
    const digit = base64Digit(text.charCodeAt(i));
    if (digit === undefined) return undefined;
    bits = ((bits << 6) | digit) & 0xffff;
    waiting += 6;
    if (waiting >= 8) {
      waiting -= 8;
      octets[length++] = (bits >> waiting) & 0xff;
    }
  }
  return octets;
}

function base64Digit(unit: number): number | undefined {
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41;
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61 + 26;
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30 + 52;
  if (unit === 0x2b) return 62;
  if (unit === 0x2f) return 63;
  return undefined;
}
