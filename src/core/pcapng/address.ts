/** IP addresses as text and as octets. */

/**
 * The 4 or 16 octets of an IPv4 or IPv6 address (RFC 4291 §2.2; a zone such as `%lo` is dropped, and an IPv4-mapped
 * address is taken as IPv4, which is what a dual-stack socket means by it). Undefined when it is neither.
 */
export function parseAddress(text: string): Uint8Array | undefined {
  const bare = text.replace(/%.*$/, '');
  if (!bare.includes(':')) return parseIpv4(bare);
  const octets = parseIpv6(bare);
  if (octets && isMapped(octets)) return octets.slice(12);
  return octets;
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
  return Uint8Array.from(parts, Number);
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groups(halves[0]!);
  const tail = halves.length === 2 ? groups(halves[1]!) : [];
  if (!head || !tail) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  return Uint8Array.from([...head, ...new Array<number>(missing).fill(0), ...tail]);
}

/** The octets of `2001:db8:0:1` or of `ffff:192.0.2.1`. */
function groups(text: string): number[] | undefined {
  if (text === '') return [];
  const octets: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const last = index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (!last) return undefined;
      octets.push(...last);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return undefined;
      const group = Number.parseInt(part, 16);
      octets.push(group >> 8, group & 0xff);
    }
  }
  return octets;
}

function isMapped(octets: Uint8Array): boolean {
  return octets.subarray(0, 10).every((octet) => octet === 0) && octets[10] === 0xff && octets[11] === 0xff;
}
