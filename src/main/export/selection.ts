import type { Capture } from '../../core/capture/capture';
import { ipv4Text, ipv6Text } from '../../core/tcp/address';
import { IP_TCP, IpHeader, word } from '../../core/tcp/ip';
import { networkHeader } from '../../core/tcp/link';
import type { Endpoint } from '../../core/tcp/types';

interface Span {
  conn: number;
  /** Nanoseconds since the capture's first packet. */
  start: number;
}

/** Tells which packets of a capture belong to chosen connections. */
export class PacketSelection {
  private readonly header = new IpHeader();
  /** By the pair of endpoints: its connections, oldest first (a port may be used again). */
  private readonly spans = new Map<string, Span[]>();

  /** @param chosen ids of connections */
  constructor(
    capture: Capture,
    private readonly chosen: ReadonlySet<number>,
  ) {
    for (const { tcp } of capture.connections) {
      const key = pairKey(endpointKey(tcp.endpoints[0]), endpointKey(tcp.endpoints[1]));
      const spans = this.spans.get(key);
      if (spans === undefined) this.spans.set(key, [{ conn: tcp.id, start: tcp.start }]);
      else spans.push({ conn: tcp.id, start: tcp.start });
    }
  }

  /** What is no TCP belongs to no connection. Parameters as in PacketSink.packet. */
  has(data: Uint8Array, start: number, end: number, time: number, originalLength: number, linkType: number): boolean {
    const at = networkHeader(linkType, data, start, end);
    if (at < 0) return false;
    const { header } = this;
    if (header.read(data, at, end, start + originalLength) !== IP_TCP || end - header.start < 4) return false;
    const ports = word(data, header.start);
    const from = `${addressText(header, 0)} ${ports >>> 16}`;
    const to = `${addressText(header, 4)} ${ports & 0xffff}`;
    const spans = this.spans.get(pairKey(from, to));
    if (spans === undefined) return false;
    let found = spans[0]!;
    for (const span of spans) if (span.start <= time) found = span;
    return this.chosen.has(found.conn);
  }
}

function addressText({ version, words }: IpHeader, first: 0 | 4): string {
  if (version === 4) return ipv4Text(words[first + 3]!);
  return ipv6Text(words[first]!, words[first + 1]!, words[first + 2]!, words[first + 3]!);
}

function endpointKey({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
