import { describe, expect, test } from 'vitest';
import { CaptureReader } from '../../../src/core/pcapng/reader';
import { chunksOf, concat, hex } from '../../support/octets';
import { buildPcap, buildPcapng, Endian, Pcapng } from '../../support/packets';
import { RecordingSink, readPieces } from './recording-sink';

const FIRST = hex('01 02 03 04 05');
const SECOND = hex('aa bb');
const EPOCH = 1_700_000_000n;

describe('pcap', () => {
  for (const little of [true, false]) {
    for (const nanoseconds of [true, false]) {
      const unit = nanoseconds ? 1_000_000_000n : 1_000_000n;
      test(`${little ? 'little' : 'big'}-endian, ${nanoseconds ? 'nano' : 'micro'}seconds`, () => {
        const file = buildPcap({
          little,
          nanoseconds,
          linkType: 101,
          packets: [
            { octets: FIRST, time: EPOCH * unit + 999_999n },
            { octets: SECOND, time: (EPOCH + 1n) * unit + 3n, originalLength: 1500 },
          ],
        });
        const { sink, reader } = readPieces([file]);
        const later = nanoseconds ? 1_000_000_000 - 999_996 : 4_000;
        expect(sink.calls).toEqual([
          { format: 'pcap' },
          { id: 0, linkType: 101, snapLength: 65535 },
          { octets: '0102030405', time: 0, originalLength: 5, interfaceId: 0, fileOffset: 40, comment: undefined },
          { octets: 'aabb', time: later, originalLength: 1500, interfaceId: 0, fileOffset: 61, comment: undefined },
        ]);
        expect(reader.format).toBe('pcap');
        expect(reader.packetCount).toBe(2);
        expect(reader.firstTime).toBe(EPOCH * 1_000_000_000n + (nanoseconds ? 999_999n : 999_999_000n));
      });
    }
  }

  test('the bits above the link type, which tell of a frame check sequence, are left out', () => {
    const { sink } = readPieces([buildPcap({ linkType: 0x2400_0001, packets: [] })]);
    expect(sink.interfaces[0]!.linkType).toBe(1);
  });

  test('a packet longer than 64 MiB is damage, and what came before it stands', () => {
    const e = new Endian(true);
    const file = concat(
      buildPcap({ packets: [{ octets: FIRST }] }),
      e.u32(0), // seconds
      e.u32(0), // microseconds
      e.u32(64 * 1024 * 1024 + 1), // captured
      e.u32(0),
      SECOND,
    );
    const { sink } = readPieces([file]);
    expect(sink.packets).toHaveLength(1);
    expect(sink.troubles).toEqual([{ fileOffset: 45, message: expect.stringContaining('67108865 octets') }]);
  });
});

describe('pcapng', () => {
  test('sections of both byte orders; their interfaces are counted on', () => {
    const little = new Pcapng(true);
    const big = new Pcapng(false);
    const file = concat(
      little.section([
        [4, 'Penstock 0.1'],
        [1, 'first'],
        [1, 'sécond 🚰'],
      ]),
      little.interface(101, [
        [2, 'tap0'],
        [3, '127.0.0.1:50051'],
        [1, '{"rtt":20}'],
        [9, Uint8Array.of(9)],
      ]),
      little.enhanced({ octets: FIRST, time: 5_000_000_000n, originalLength: 90 }, 0, [[1, 'a comment']]),
      big.section(),
      big.interface(1, [], 64),
      big.interface(113),
      big.enhanced({ octets: SECOND, time: 5_000_001n }, 1),
    );
    const { sink, reader } = readPieces([file]);
    expect(sink.sections).toEqual([
      { format: 'pcapng', application: 'Penstock 0.1', comment: 'first\nsécond 🚰' },
      { format: 'pcapng' },
    ]);
    expect(sink.interfaces).toEqual([
      { id: 0, linkType: 101, snapLength: 0, name: 'tap0', description: '127.0.0.1:50051', comment: '{"rtt":20}' },
      { id: 1, linkType: 1, snapLength: 64 },
      { id: 2, linkType: 113, snapLength: 0 },
    ]);
    expect(sink.packets).toMatchObject([
      { octets: '0102030405', time: 0, originalLength: 90, interfaceId: 0, comment: 'a comment' },
      { octets: 'aabb', time: 1_000, originalLength: 2, interfaceId: 2, comment: undefined },
    ]);
    for (const { octets, fileOffset } of sink.packets) {
      expect(Buffer.from(file).toString('hex', fileOffset, fileOffset + octets.length / 2)).toBe(octets);
    }
    expect(reader.firstTime).toBe(5_000_000_000n);
    expect(sink.troubles).toEqual([]);
  });

  test('the obsolete Packet Block has an interface of 16 bits', () => {
    const file = new Pcapng();
    const blocks = [file.section(), file.interface(), file.interface(), file.obsolete({ octets: FIRST, time: 9n }, 1)];
    const { sink } = readPieces([concat(...blocks)]);
    expect(sink.packets).toMatchObject([{ octets: '0102030405', interfaceId: 1 }]);
  });

  test('a Simple Packet Block is cut by the snap length and takes the time of the packet before', () => {
    const file = new Pcapng();
    const { sink, reader } = readPieces([
      concat(
        file.section(),
        file.interface(1, [], 3),
        file.enhanced({ octets: SECOND, time: 10n }),
        file.enhanced({ octets: SECOND, time: 17n }),
        file.simple(hex('01 02 03'), 1500), // with one octet of padding
      ),
    ]);
    expect(sink.packets[2]).toMatchObject({ octets: '010203', originalLength: 1500, time: 7_000 });
    expect(sink.troubles).toHaveLength(1);
    expect(reader.packetCount).toBe(3);
  });

  test('statistics before the first packet are told when the time they are told from is known', () => {
    const file = new Pcapng();
    const early = file.statistics(3n, 0, [[1, 'early']]);
    const head = concat(file.section(), file.interface(), early);
    const { sink } = readPieces([concat(head, file.enhanced({ octets: FIRST, time: 5n }), file.statistics(6n))]);
    expect(sink.marks).toEqual([
      { interfaceId: 0, time: -2_000, comment: 'early' },
      { interfaceId: 0, time: 1_000 },
    ]);
    expect(sink.calls.indexOf(sink.marks[0])).toBeLessThan(sink.calls.indexOf(sink.packets[0]));

    const alone = readPieces([head]);
    expect(alone.sink.marks).toEqual([{ interfaceId: 0, time: 0, comment: 'early' }]);
    expect(alone.reader.firstTime).toBeUndefined();
  });

  test('unknown blocks are passed over, each type told once; known ones without packets silently', () => {
    const file = new Pcapng();
    const { sink } = readPieces([
      concat(
        file.section(),
        file.block(0x7777, hex('01 02 03 04')),
        file.block(0x7777, hex('')),
        file.block(4, hex('00 00 00 00')), // name resolution
        file.block(10, hex('4b 53 4c 54 00 00 00 00')), // decryption secrets
        file.block(0xbad, hex('00 00 00 00')), // custom
        file.interface(),
        file.enhanced({ octets: FIRST }),
      ),
    ]);
    expect(sink.packets).toHaveLength(1);
    expect(sink.troubles).toEqual([{ fileOffset: 28, message: 'a block of unknown type 0x7777 is passed over' }]);
  });

  test('a section of an unknown version is passed over, the next one is read', () => {
    const file = new Pcapng();
    const body = concat(file.interface(), file.enhanced({ octets: FIRST }));
    const { sink } = readPieces([concat(file.section([], 2), body, file.section(), body)]);
    expect(sink.packets).toMatchObject([{ interfaceId: 0 }]);
    expect(sink.troubles).toEqual([{ fileOffset: 0, message: 'a section of pcapng version 2 is passed over' }]);
  });

  test('a packet that does not fit its block, or names no interface, is passed over', () => {
    const file = new Pcapng();
    const tooLong = file.enhanced({ octets: FIRST });
    tooLong[20] = 9; // captured length 9 in a block with room for 8
    const { sink } = readPieces([
      concat(file.section(), file.interface(), tooLong, file.enhanced({ octets: FIRST }, 3), file.block(6, hex('00'))),
      file.enhanced({ octets: SECOND }),
    ]);
    expect(sink.packets).toMatchObject([{ octets: 'aabb' }]);
    expect(sink.troubles).toHaveLength(2);
  });

  test('an option longer than its block ends the options, not the reading', () => {
    const file = new Pcapng();
    const section = concat(hex('4d 3c 2b 1a 01 00 00 00 ff ff ff ff ff ff ff ff'), hex('04 00 ff 00 41 41 41 41'));
    const { sink } = readPieces([file.block(0x0a0d0d0a, section), file.interface(), file.enhanced({ octets: FIRST })]);
    expect(sink.sections).toEqual([{ format: 'pcapng' }]);
    expect(sink.packets).toHaveLength(1);
    expect(sink.troubles).toHaveLength(1);
  });

  describe('damaged lengths end the reading and are told with their place', () => {
    const file = new Pcapng();
    const good = concat(file.section(), file.interface(), file.enhanced({ octets: FIRST }));
    const damage = (at: number, value: number) => {
      const block = file.enhanced({ octets: SECOND });
      block.set(new Endian(true).u32(value), at < 0 ? block.length + at : at);
      return block;
    };
    for (const [name, block] of [
      ['shorter than a block can be', damage(4, 8)],
      ['no multiple of four', damage(4, 37)],
      ['longer than 64 MiB', damage(4, 64 * 1024 * 1024 + 4)],
      ['the second differs from the first', damage(-4, 40)],
    ] as const) {
      test(name, () => {
        const { sink } = readPieces([concat(good, block, file.enhanced({ octets: SECOND }))]);
        expect(sink.packets).toMatchObject([{ octets: '0102030405' }]);
        const message = expect.stringContaining(`damaged at file offset ${good.length}`);
        expect(sink.troubles).toEqual([{ fileOffset: good.length, message }]);
      });
    }

    test('a section without a byte-order magic', () => {
      const section = file.section();
      section[8] = 0;
      const { sink } = readPieces([concat(good, section)]);
      expect(sink.troubles).toEqual([{ fileOffset: good.length, message: expect.stringContaining('byte-order') }]);
    });
  });
});

describe('whatever the pieces', () => {
  const little = new Pcapng(true);
  const big = new Pcapng(false);
  const pcapng = concat(
    little.section([[4, 'some program']]),
    little.interface(1, [[9, Uint8Array.of(9)]]),
    little.statistics(1n, 0, [[1, 'settings']]),
    little.enhanced({ octets: FIRST, time: 5_000_000_000_000_000_000n }, 0, [[1, 'one']]),
    little.block(0x7777, hex('00 00 00 00')),
    little.simple(SECOND),
    big.section(),
    big.interface(101),
    big.enhanced({ octets: SECOND, time: 5_000_000_000_000_017n }),
    big.obsolete({ octets: new Uint8Array(300).fill(7), time: 5_000_000_000_000_018n }),
  );
  const pcap = buildPcap({ packets: [{ octets: FIRST }, { octets: hex(''), time: 3n }, { octets: SECOND, time: 9n }] });

  /** Where a file may end, by a walk of its own. */
  const blockEnds = (file: Uint8Array, format: 'pcap' | 'pcapng'): number[] => {
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const ends = format === 'pcap' ? [24] : [];
    let isLittle = true;
    for (let at = ends[0] ?? 0; at < file.length; ends.push(at)) {
      if (format === 'pcap') at += 16 + view.getUint32(at + 8, true);
      else {
        if (view.getUint32(at) === 0x0a0d0d0a) isLittle = view.getUint32(at + 8, true) === 0x1a2b3c4d;
        at += view.getUint32(at + 4, isLittle);
      }
    }
    return ends;
  };

  for (const [name, file] of [
    ['pcapng', pcapng],
    ['pcap', pcap],
  ] as const) {
    const whole = readPieces([file]).sink.calls;

    test(`${name}: one octet at a time, and a few`, () => {
      for (const size of [1, 2, 3, 5, 7, 11, 13, 64]) {
        expect(readPieces(chunksOf(file, size)).sink.calls, `pieces of ${size}`).toEqual(whole);
      }
    });

    test(`${name}: split at each position`, () => {
      for (let at = 0; at <= file.length; at++) {
        const pieces = [file.subarray(0, at), new Uint8Array(0), file.subarray(at)];
        expect(readPieces(pieces).sink.calls, `split at ${at}`).toEqual(whole);
      }
    });

    test(`${name}: cut off at each position, what came before stands and the cut is told`, () => {
      const boundaries = new Set(blockEnds(file, name));
      for (let at = 0; at < file.length; at++) {
        const { sink } = readPieces([file.subarray(0, at)]);
        const cut = readPieces(chunksOf(file.subarray(0, at), 1)).sink;
        expect(cut.calls, `cut at ${at}`).toEqual(sink.calls);
        expect(whole.filter((call) => (call as { octets?: string }).octets !== undefined)).toEqual(
          expect.arrayContaining(sink.packets),
        );
        const ends = sink.troubles.filter(({ message }) => /ends inside a block|too short|empty/.test(message));
        expect(ends, `cut at ${at}`).toHaveLength(boundaries.has(at) ? 0 : 1);
      }
      const last = readPieces([file.subarray(0, file.length - 1)]).sink.troubles.at(-1)!;
      expect(last.message).toBe('the file ends inside a block');
      expect(file.length - last.fileOffset).toBe(name === 'pcap' ? 18 : 332);
    });
  }

  test('a whole block in the pushed piece is handed on in place', () => {
    const file = buildPcapng([{ octets: FIRST }, { octets: SECOND }]);
    const sink = new RecordingSink();
    const lent: Uint8Array[] = [];
    sink.packet = (data) => {
      lent.push(data);
    };
    const reader = new CaptureReader(sink);
    const head = file.subarray(0, file.length - 10);
    const tail = file.subarray(file.length - 10);
    reader.push(head);
    reader.push(tail);
    expect(lent[0]).toBe(head);
    expect(lent[1]).not.toBe(tail);
  });
});

describe('what is no capture', () => {
  test('is told once, with its first octets', () => {
    const { sink, reader } = readPieces([hex('50 4b 03 04 00 00'), hex('00 00 00')]);
    expect(sink.calls).toEqual([
      { fileOffset: 0, message: 'neither pcap nor pcapng: the file starts with 50 4b 03 04' },
    ]);
    expect(reader.format).toBeUndefined();
    expect(reader.packetCount).toBe(0);
  });

  test('gzip is named', () => {
    const { sink } = readPieces(chunksOf(hex('1f 8b 08 00 00 00 00 00 00 03'), 1));
    expect(sink.calls).toEqual([{ fileOffset: 0, message: expect.stringContaining('gzip') }]);
  });

  test('an empty file, and one of three octets', () => {
    expect(readPieces([]).sink.troubles).toEqual([{ fileOffset: 0, message: 'the file is empty' }]);
    const { troubles } = readPieces([hex('0a 0d 0d')]).sink;
    expect(troubles).toEqual([{ fileOffset: 0, message: 'the file is too short to be a capture' }]);
  });
});
