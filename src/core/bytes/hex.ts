/** Octets as people read them. */

const DIGITS = '0123456789abcdef';

/** Two lower-case digits an octet, `separator` between octets. */
export function hex(octets: Uint8Array, start = 0, end = octets.length, separator = ''): string {
  let text = '';
  for (let at = start; at < end; at++) {
    const octet = octets[at]!;
    text += (at === start ? '' : separator) + DIGITS[octet >> 4] + DIGITS[octet & 0xf];
  }
  return text;
}

/** The first octets, spaced: `02 04 10 10`, and `…` when there are more than `limit`. */
export function hexPreview(octets: Uint8Array, start: number, end: number, limit = 16): string {
  const shown = Math.min(end, start + limit);
  return hex(octets, start, shown, ' ') + (shown < end ? ' …' : '');
}

/** `1 octet`, `2 octets`. */
export function countOctets(count: number): string {
  return `${count} ${count === 1 ? 'octet' : 'octets'}`;
}
