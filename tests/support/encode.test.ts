import hpack from 'hpack.js';
import { describe, expect, test } from 'vitest';
import {
  concat,
  data,
  frame,
  goaway,
  headersFrame,
  hex,
  huffman,
  incremental,
  indexed,
  integer,
  latin1,
  literal,
  neverIndexed,
  ping,
  pushPromise,
  settings,
  sizeUpdate,
  splitHeaders,
  stringLiteral,
  toHex,
  windowUpdate,
} from './encode';

describe('the tests’ frame encoder', () => {
  test('writes grpc-go’s WINDOW_UPDATE and BDP ping as they are on the wire', () => {
    const octets = concat(windowUpdate(0, 11), ping(hex('02 04 10 10 09 0e 07 07')));
    expect(toHex(octets)).toBe(
      toHex(
        hex(`00 00 04 | 08 | 00 | 00 00 00 00 ; length 4, WINDOW_UPDATE, no flags, connection
             00 00 00 0b                      ; increment 11
             00 00 08 | 06 | 00 | 00 00 00 00 ; length 8, PING, no ACK, connection
             02 04 10 10 09 0e 07 07          ; opaque data`),
      ),
    );
  });

  test('puts pad length, payload and padding in the order of RFC 9113 §6.1', () => {
    expect(toHex(data(3, hex('aa bb'), { padding: 2, endStream: true }))).toBe(
      '000005' + '00' + '09' + '00000003' + '02aabb0000',
    );
  });

  test('puts pad length, priority, block and padding in the order of RFC 9113 §6.2', () => {
    const octets = headersFrame(1, hex('82'), { padding: 1, priority: { dependency: 5, weight: 16, exclusive: true } });
    expect(toHex(octets)).toBe('000008' + '01' + '2c' + '00000001' + '01' + '80000005' + '0f' + '82' + '00');
  });

  test('puts the promised stream before the block, and the last stream before the error code', () => {
    expect(toHex(pushPromise(1, 2, hex('82')))).toBe('000005' + '05' + '04' + '00000001' + '00000002' + '82');
    expect(toHex(goaway(2 ** 31 - 1, 2, latin1('x')))).toBe(
      '000009' + '07' + '00' + '00000000' + '7fffffff' + '00000002' + '78',
    );
  });

  test('keeps the order and the duplicates of settings, and values of 32 bits', () => {
    const octets = settings([
      [4, 2 ** 32 - 1],
      [4, 0],
    ]);
    expect(toHex(octets)).toBe('00000c' + '04' + '00' + '00000000' + '0004ffffffff' + '000400000000');
  });

  test('can lie about the length and set the reserved bit', () => {
    expect(toHex(frame(0xfa, 0xff, 1, hex('00'), { reserved: 1, length: 9 }))).toBe(
      '000009' + 'fa' + 'ff' + '80000001' + '00',
    );
  });

  test('cuts a header block into HEADERS and CONTINUATION, END_HEADERS on the last alone', () => {
    const frames = splitHeaders(1, hex('82 84 86'), 2, { endStream: true });
    expect(frames.map(toHex)).toEqual([
      '000002' + '01' + '01' + '00000001' + '8284',
      '000001' + '09' + '04' + '00000001' + '86',
    ]);
  });
});

describe('the tests’ HPACK encoder', () => {
  test('writes integers as RFC 7541 Appendix C.1 does, and longer ones', () => {
    expect(toHex(integer(10, 5))).toBe('0a');
    expect(toHex(integer(1337, 5))).toBe('1f9a0a');
    expect(toHex(integer(42, 8))).toBe('2a');
    expect(toHex(integer(2 ** 32, 7, 0x80))).toBe('ff81ffffff0f');
  });

  test('writes the fields of RFC 7541 Appendix C.2', () => {
    expect(toHex(incremental('custom-key', 'custom-header'))).toBe(
      '400a637573746f6d2d6b65790d637573746f6d2d686561646572',
    );
    expect(toHex(literal(4, '/sample/path'))).toBe('040c2f73616d706c652f70617468');
    expect(toHex(neverIndexed('password', 'secret'))).toBe('100870617373776f726406736563726574');
    expect(toHex(indexed(2))).toBe('82');
    expect(toHex(sizeUpdate(4096))).toBe('3fe11f');
  });

  test('writes the Huffman string of RFC 7541 Appendix C.4.1', () => {
    expect(toHex(huffman('www.example.com'))).toBe('f1e3c2e5f23a6ba0ab90f4ff');
    expect(toHex(stringLiteral('www.example.com', { huffman: true }))).toBe('8cf1e3c2e5f23a6ba0ab90f4ff');
  });

  test('is read back by hpack.js, with all 256 octets Huffman-coded', () => {
    const every = Uint8Array.from({ length: 256 }, (_, octet) => octet);
    const decompressor = hpack.decompressor.create({ table: { maxSize: 4096 } });
    decompressor.on('error', (error) => {
      throw error;
    });
    decompressor.write(Buffer.from(literal('x', every, { huffman: true })));
    decompressor.execute();
    expect(decompressor.read()).toMatchObject({ name: 'x', value: String.fromCharCode(...every) });
  });
});
