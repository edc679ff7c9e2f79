import { latin1, utf8 } from '../bytes/text';

/**
 * A `grpc-message`: percent-encoded UTF-8 (gRPC PROTOCOL-HTTP2, Status-Message). Lenient, as that text demands:
 * broken escapes stay as they are, and when the octets are no UTF-8 the result is their Latin-1 reading.
 *
 * @param value the header's value, one character an octet; a character above U+00FF counts as `?`
 */
export function decodePercent(value: string): string {
  const octets = new Uint8Array(value.length);
  let length = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    const escaped = unit === 0x25 ? escapedOctet(value, i) : undefined;
    if (escaped !== undefined) i += 2;
    octets[length++] = escaped ?? (unit > 0xff ? 0x3f : unit);
  }
  return utf8(octets, 0, length) ?? latin1(octets, 0, length);
}

function escapedOctet(value: string, at: number): number | undefined {
  const high = hexDigit(value.charCodeAt(at + 1));
  const low = hexDigit(value.charCodeAt(at + 2));
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

/** NaN (past the end) is no digit. */
function hexDigit(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x41 && unit <= 0x46) return unit - 0x41 + 10;
  if (unit >= 0x61 && unit <= 0x66) return unit - 0x61 + 10;
  return undefined;
}
