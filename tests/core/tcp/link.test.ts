import { describe, expect, test } from 'vitest';
import { concat, hex, latin1 } from '../../support/octets';
import { ethernet, ipv4, ipv6, tcpSegment } from '../../support/packets';
import { Conversation } from './conversation';

const SEGMENT = tcpSegment({ from: 1234, to: 80, seq: 7, flags: 'P', payload: 'GET' });
const V4 = ipv4(SEGMENT);
const V6_ENDS = {
  source: hex('20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 01'),
  destination: hex('fe 80 00 00 00 00 00 00 02 00 5e ff fe 00 53 00'),
};
const V6 = ipv6(SEGMENT, V6_ENDS);
const V4_NAMES = ['10.0.0.1 1234', '10.0.0.2 80'];
const V6_NAMES = ['2001:db8::1 1234', 'fe80::200:5eff:fe00:5300 80'];

function read(linkType: number, packet: Uint8Array, captured?: number) {
  return new Conversation().packet(packet, captured, linkType).end();
}

describe('link layers', () => {
  const sll = (protocol: string) => hex(`00 04 03 04 00 06 00 00 00 00 00 00 00 00 ${protocol}`);
  const sll2 = (protocol: string) => hex(`${protocol} 00 00 00 00 00 01 03 04 00 06 00 00 00 00 00 00 00 00`);
  const cases: [name: string, linkType: number, packet: Uint8Array, names: string[]][] = [
    ['NULL, little-endian, IPv4', 0, concat(hex('02 00 00 00'), V4), V4_NAMES],
    ['NULL, big-endian, IPv4', 0, concat(hex('00 00 00 02'), V4), V4_NAMES],
    ['NULL, IPv6 of macOS', 0, concat(hex('1e 00 00 00'), V6), V6_NAMES],
    ['NULL, IPv6 of FreeBSD, big-endian', 0, concat(hex('00 00 00 1c'), V6), V6_NAMES],
    ['LOOP, IPv6 of OpenBSD', 108, concat(hex('00 00 00 18'), V6), V6_NAMES],
    ['Ethernet, IPv4', 1, ethernet(V4), V4_NAMES],
    ['Ethernet, IPv6', 1, ethernet(V6, 0x86dd), V6_NAMES],
    ['Ethernet with a VLAN tag', 1, ethernet(V4, 0x0800, hex('81 00 00 05')), V4_NAMES],
    ['Ethernet with two tags (802.1ad)', 1, ethernet(V6, 0x86dd, hex('88 a8 00 05 81 00 00 06')), V6_NAMES],
    ['Linux cooked, IPv4', 113, concat(sll('08 00'), V4), V4_NAMES],
    ['Linux cooked, IPv6 behind a tag', 113, concat(sll('81 00 00 05 86 dd'), V6), V6_NAMES],
    ['Linux cooked version 2, IPv4', 276, concat(sll2('08 00'), V4), V4_NAMES],
    ['Linux cooked version 2, IPv6', 276, concat(sll2('86 dd'), V6), V6_NAMES],
    ['Linux cooked version 2, a tag', 276, concat(sll2('81 00'), hex('00 05 08 00'), V4), V4_NAMES],
    ['RAW', 101, V4, V4_NAMES],
    ['RAW, IPv6', 101, V6, V6_NAMES],
    ['RAW of BSD', 12, V4, V4_NAMES],
    ['RAW of OpenBSD', 14, V6, V6_NAMES],
    ['IPV4', 228, V4, V4_NAMES],
    ['IPV6', 229, V6, V6_NAMES],
  ];
  test.each(cases)('%s', (_name, linkType, packet, names) => {
    const sink = read(linkType, packet);
    expect(sink.of('connection')[0]?.ends).toEqual(names);
    expect(sink.stream(0)).toBe('GET');
    expect(sink.of('octets')[0]!.at).toBe(1000 + packet.length - 3);
    expect(sink.of('trouble')).toEqual([]);
    // Cut anywhere before the payload there may be a connection, but neither octets nor a fault of ours.
    for (let captured = 0; captured < packet.length - 3; captured++) {
      expect(read(linkType, packet, captured).of('octets')).toEqual([]);
    }
  });

  test('an unknown link type is told once, its packets are counted', () => {
    const conversation = new Conversation().packet(V4, undefined, 147).packet(V4, undefined, 147);
    expect(conversation.end().events).toEqual([{ kind: 'trouble', message: expect.stringContaining('147') }]);
    expect(conversation.demux.ignoredPackets).toBe(2);
  });

  test('ARP, UDP and ICMPv6 are counted, not told', () => {
    const conversation = new Conversation()
      .packet(ethernet(new Uint8Array(28), 0x0806), undefined, 1)
      .packet(ipv4(new Uint8Array(8), { protocol: 17 }))
      .packet(ipv6(new Uint8Array(8), { ...V6_ENDS, next: 58 }));
    expect(conversation.end().events).toEqual([]);
    expect(conversation.demux.ignoredPackets).toBe(3);
  });
});

describe('IPv4', () => {
  test('options are stepped over', () => {
    expect(read(101, ipv4(SEGMENT, { options: hex('01 01 01 00') })).stream(0)).toBe('GET');
  });

  test('padding of a short Ethernet frame is not payload', () => {
    const padded = concat(ethernet(V4), latin1('padding'));
    expect(read(1, padded).stream(0)).toBe('GET');
  });

  test('a total length of 0 (segmentation offload) means the whole packet', () => {
    expect(read(101, ipv4(SEGMENT, { totalLength: 0 })).stream(0)).toBe('GET');
  });

  test('a total length beyond the packet claims no octets that were never there', () => {
    expect(read(101, ipv4(SEGMENT, { totalLength: 1400 })).stream(0)).toBe('GET');
  });

  test('fragments are told once and ignored', () => {
    const conversation = new Conversation()
      .packet(ipv4(SEGMENT, { fragment: 0x2000 })) // more fragments
      .packet(ipv4(SEGMENT, { fragment: 0x0010 })); // offset 128
    expect(conversation.end().events).toEqual([{ kind: 'trouble', message: expect.stringContaining('fragments') }]);
    expect(conversation.demux.ignoredPackets).toBe(2);
  });
});

describe('IPv6', () => {
  const authentication = hex('06 02 00 00 00 00 00 01 00 00 00 02 00 00 00 00');
  test.each<[string, number, Uint8Array]>([
    ['hop-by-hop options', 0, hex('06 00 01 04 00 00 00 00')],
    [
      'destination options of 16 octets, then routing',
      60,
      hex('2b 01 01 0c 00000000 00000000 00000000 06 00 04 00 00000000'),
    ],
    ['authentication, counted in words', 51, authentication],
    ['an atomic fragment', 44, hex('06 00 00 00 00 00 00 01')],
  ])('%s is stepped over', (_name, next, extension) => {
    expect(read(101, ipv6(concat(extension, SEGMENT), { ...V6_ENDS, next })).stream(0)).toBe('GET');
  });

  test('a fragment is told, whether first or later', () => {
    for (const place of ['00 01', '00 08']) {
      const header = hex(`06 00 ${place} 00 00 00 01`);
      const sink = read(101, ipv6(concat(header, SEGMENT), { ...V6_ENDS, next: 44 }));
      expect(sink.events).toEqual([{ kind: 'trouble', message: expect.stringContaining('fragments') }]);
    }
  });

  test('padding is not payload; a payload length of 0 means the whole packet', () => {
    expect(read(101, concat(V6, latin1('padding'))).stream(0)).toBe('GET');
    expect(read(101, ipv6(SEGMENT, { ...V6_ENDS, payloadLength: 0 })).stream(0)).toBe('GET');
  });

  test.each([
    ['00000000 00000000 00000000 00000001', '::1'],
    ['00000000 00000000 00000000 00000000', '::'],
    ['00000000 00000000 0000ffff 7f000001', '::ffff:127.0.0.1'],
    ['20010db8 00000001 00010001 00010001', '2001:db8:0:1:1:1:1:1'], // one zero group stays
    ['20010000 00000001 00000000 00000001', '2001:0:0:1::1'], // the longest run
    ['20010db8 00000000 00010000 00000001', '2001:db8::1:0:0:1'], // the first of equals
    ['ff020000 00000000 00000000 00000000', 'ff02::'],
  ])('the address %s is written %s', (octets, text) => {
    const sink = read(101, ipv6(SEGMENT, { ...V6_ENDS, source: hex(octets) }));
    expect(sink.connections[0]!.endpoints[0].address).toBe(text);
  });
});
