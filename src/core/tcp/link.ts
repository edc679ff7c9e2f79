/** Where the IP header starts in a captured packet, by the LINKTYPE_ registry of the tcpdump group. */

const LINKTYPE_NULL = 0;
const LINKTYPE_ETHERNET = 1;
const LINKTYPE_RAW_BSD = 12;
const LINKTYPE_RAW_OPENBSD = 14;
const LINKTYPE_RAW = 101;
const LINKTYPE_LOOP = 108;
const LINKTYPE_LINUX_SLL = 113;
const LINKTYPE_IPV4 = 228;
const LINKTYPE_IPV6 = 229;
const LINKTYPE_LINUX_SLL2 = 276;

const ETHERTYPE_IPV4 = 0x0800;
const ETHERTYPE_IPV6 = 0x86dd;
/** 802.1Q, 802.1ad and what came before it. */
const VLAN_TAGS = [0x8100, 0x88a8, 0x9100];

/** The packet carries something else, or too little of it was captured to tell. */
export const NOT_IP = -1;
/** Packets of this link type can't be read here. */
export const UNKNOWN_LINK = -2;

/** Index of the IP header's first octet in `data[start, end)`, NOT_IP or UNKNOWN_LINK. */
export function networkHeader(linkType: number, data: Uint8Array, start: number, end: number): number {
  switch (linkType) {
    case LINKTYPE_ETHERNET:
      return afterEthertype(data, start + 12, end);
    case LINKTYPE_NULL:
    case LINKTYPE_LOOP:
      return afterFamily(data, start, end);
    case LINKTYPE_RAW:
    case LINKTYPE_RAW_BSD:
    case LINKTYPE_RAW_OPENBSD:
    case LINKTYPE_IPV4:
    case LINKTYPE_IPV6:
      return start < end ? start : NOT_IP;
    case LINKTYPE_LINUX_SLL:
      return afterEthertype(data, start + 14, end);
    case LINKTYPE_LINUX_SLL2:
      return afterSll2(data, start, end);
    default:
      return UNKNOWN_LINK;
  }
}

/** An EtherType at `at`, VLAN tags (any number) between it and the payload. */
function afterEthertype(data: Uint8Array, at: number, end: number): number {
  let type = at;
  while (type + 2 <= end) {
    const value = (data[type]! << 8) | data[type + 1]!;
    if (value === ETHERTYPE_IPV4 || value === ETHERTYPE_IPV6) return type + 2 < end ? type + 2 : NOT_IP;
    if (!VLAN_TAGS.includes(value)) return NOT_IP;
    type += 4;
  }
  return NOT_IP;
}

/** SLL version 2 has its protocol first and the payload after 20 octets; a VLAN tag starts the payload. */
function afterSll2(data: Uint8Array, start: number, end: number): number {
  if (end - start <= 20) return NOT_IP;
  const protocol = (data[start]! << 8) | data[start + 1]!;
  if (protocol === ETHERTYPE_IPV4 || protocol === ETHERTYPE_IPV6) return start + 20;
  return VLAN_TAGS.includes(protocol) ? afterEthertype(data, start + 22, end) : NOT_IP;
}

/**
 * A protocol family of four octets: in the byte order of the machine that captured (NULL), which the file need not
 * share, or in network order (LOOP). Families are below 256, so the order shows.
 */
function afterFamily(data: Uint8Array, start: number, end: number): number {
  if (end - start <= 4 || data[start + 1] !== 0 || data[start + 2] !== 0) return NOT_IP;
  const first = data[start]!;
  const last = data[start + 3]!;
  if (first !== 0 && last !== 0) return NOT_IP;
  switch (first | last) {
    case 2: // AF_INET everywhere
    case 10: // AF_INET6 of Linux
    case 24: // of NetBSD, OpenBSD and BSD/OS
    case 28: // of FreeBSD
    case 30: // of macOS
      return start + 4;
    default:
      return NOT_IP;
  }
}
