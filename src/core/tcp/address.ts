/** Addresses as text: dotted for IPv4, RFC 5952 for IPv6. */

/** `127.0.0.1` from a 32-bit word. */
export function ipv4Text(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`;
}

/** The longest run of two or more zero groups is `::`, the first of equals; a mapped IPv4 address stays dotted (§5). */
export function ipv6Text(a: number, b: number, c: number, d: number): string {
  if (a === 0 && b === 0 && c === 0xffff) return `::ffff:${ipv4Text(d)}`;
  const groups = [a, b, c, d].flatMap((word) => [word >>> 16, word & 0xffff]);
  let from = 0;
  let to = 0;
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > to - from && end - start >= 2) {
      from = start;
      to = end;
    }
  }
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  return to === 0 ? text(groups) : `${text(groups.slice(0, from))}::${text(groups.slice(to))}`;
}
