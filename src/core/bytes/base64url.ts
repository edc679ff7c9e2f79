/** RFC 4648 §5 without line breaks; padding may be there or not. Undefined for a character outside the alphabet. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  const trimmed = text.replace(/=+$/, '');
  const octets = new Uint8Array(Math.floor((trimmed.length * 6) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of trimmed) {
    const value = ALPHABET.indexOf(character === '+' ? '-' : character === '/' ? '_' : character);
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      octets[at++] = (bits >>> held) & 0xff;
    }
  }
  return octets;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
