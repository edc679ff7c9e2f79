const ROW = 16;

/** Lines of sixteen octets: offset, hex in two halves, ASCII with dots for the rest. */
export function* hexDump(octets: Uint8Array): Iterable<string> {
  const digits = Math.max(4, (octets.length - 1).toString(16).length);
  for (let at = 0; at < octets.length; at += ROW) {
    const row = octets.subarray(at, at + ROW);
    const hex = Array.from(row, (octet) => octet.toString(16).padStart(2, '0'));
    const halves = `${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`;
    const ascii = Array.from(row, (octet) => (octet >= 0x20 && octet < 0x7f ? String.fromCharCode(octet) : '.'));
    yield `${at.toString(16).padStart(digits, '0')}  ${halves.padEnd(3 * ROW)}  ${ascii.join('')}`;
  }
}
