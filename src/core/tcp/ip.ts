/** IPv4 (RFC 791) and IPv6 (RFC 8200) headers, down to where TCP starts. */

const TCP = 6;
const HOP_BY_HOP = 0;
const ROUTING = 43;
const FRAGMENT = 44;
const AUTHENTICATION = 51;
const DESTINATION = 60;
const MOBILITY = 135;
const HIP = 139;
const SHIM6 = 140;

/** The header's fields are set and TCP follows. */
export const IP_TCP = 0;
/** Another protocol. */
export const IP_OTHER = 1;
/** A fragment of a TCP segment. */
export const IP_FRAGMENT = 2;
/** Cut by the snap length before TCP, or lengths that contradict each other. */
export const IP_MALFORMED = 3;

export type IpVerdict = typeof IP_TCP | typeof IP_OTHER | typeof IP_FRAGMENT | typeof IP_MALFORMED;

/** One header, filled anew for every packet so that none is allocated. */
export class IpHeader {
  /** Source, then destination: four 32-bit words each; an IPv4 address is the fourth, the others zero. */
  readonly words = new Int32Array(8);
  version = 4;
  /** Where TCP's header starts. */
  start = 0;
  /** Where TCP's last octet ends by IP's own length: without link padding, and beyond the captured octets if they were cut. */
  end = 0;

  /**
   * @param at of the IP header in `data`
   * @param captured end of the captured octets
   * @param wire where the packet ended on the wire, in the same count
   */
  read(data: Uint8Array, at: number, captured: number, wire: number): IpVerdict {
    const version = data[at]! >> 4;
    if (version === 4) return this.readIpv4(data, at, captured, wire);
    if (version === 6) return this.readIpv6(data, at, captured, wire);
    return IP_MALFORMED;
  }

  private readIpv4(data: Uint8Array, at: number, captured: number, wire: number): IpVerdict {
    if (captured - at < 20) return IP_MALFORMED;
    const header = (data[at]! & 0xf) * 4;
    if (header < 20) return IP_MALFORMED;
    if (data[at + 9] !== TCP) return IP_OTHER;
    // More Fragments, or an offset.
    if (((data[at + 6]! & 0x3f) | data[at + 7]!) !== 0) return IP_FRAGMENT;
    const total = (data[at + 2]! << 8) | data[at + 3]!;
    if (total !== 0 && total < header) return IP_MALFORMED;
    const { words } = this;
    words[0] = words[1] = words[2] = words[4] = words[5] = words[6] = 0;
    words[3] = word(data, at + 12);
    words[7] = word(data, at + 16);
    this.version = 4;
    this.start = at + header;
    // 0 is what segmentation offload leaves: the packet was longer than the field. A length beyond the wire's is
    // somebody's damage; the octets can't have been there.
    this.end = total === 0 ? wire : Math.min(at + total, wire);
    return this.start < captured ? IP_TCP : IP_MALFORMED;
  }

  private readIpv6(data: Uint8Array, at: number, captured: number, wire: number): IpVerdict {
    if (captured - at < 40) return IP_MALFORMED;
    const length = (data[at + 4]! << 8) | data[at + 5]!;
    const { words } = this;
    for (let i = 0; i < 8; i++) words[i] = word(data, at + 8 + 4 * i);
    this.version = 6;
    // 0: a jumbogram (RFC 2675) or segmentation offload.
    this.end = length === 0 ? wire : Math.min(at + 40 + length, wire);
    let next = data[at + 6]!;
    let header = at + 40;
    while (next !== TCP) {
      if (header + 8 > captured) return isExtension(next) ? IP_MALFORMED : IP_OTHER;
      if (next === FRAGMENT) {
        // An atomic fragment (RFC 6946) is whole: offset 0 and no more to come.
        if ((data[header + 2]! | (data[header + 3]! & 0xf9)) !== 0) {
          return data[header] === TCP ? IP_FRAGMENT : IP_OTHER;
        }
      } else if (!isExtension(next)) {
        return IP_OTHER;
      }
      const size =
        next === FRAGMENT ? 8 : next === AUTHENTICATION ? (data[header + 1]! + 2) * 4 : (data[header + 1]! + 1) * 8;
      next = data[header]!;
      header += size;
    }
    this.start = header;
    return header < captured ? IP_TCP : IP_MALFORMED;
  }
}

function isExtension(next: number): boolean {
  switch (next) {
    case HOP_BY_HOP:
    case ROUTING:
    case FRAGMENT:
    case AUTHENTICATION:
    case DESTINATION:
    case MOBILITY:
    case HIP:
    case SHIM6:
      return true;
    default:
      return false;
  }
}

/** Four octets in network order, as a signed 32-bit integer. */
export function word(data: Uint8Array, at: number): number {
  return (data[at]! << 24) | (data[at + 1]! << 16) | (data[at + 2]! << 8) | data[at + 3]!;
}
