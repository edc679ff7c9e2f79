/**
 * An HPACK encoder for tests (RFC 7541) that does exactly what it is told, the forbidden included: it keeps no dynamic
 * table, so the test states each index. It shares nothing with the decoder under test but hpack.js's Huffman code.
 */
import hpack from 'hpack.js';
import { concat, latin1 } from './octets';

/** Text stands for its Latin-1 octets. */
export type Text = string | Uint8Array;

export interface StringOptions {
  /** RFC 7541 §5.2; off by default, so that a test's octets can be read. */
  huffman?: boolean;
}

/**
 * RFC 7541 §5.1: `value` on a prefix of `prefixBits` bits, under the pattern `firstBits` (already in place, such as
 * 0x80). Values up to 2^53 - 1.
 */
export function integer(value: number, prefixBits: number, firstBits = 0): Uint8Array {
  const limit = 2 ** prefixBits - 1;
  if (value < limit) return Uint8Array.of(firstBits | value);
  const octets = [firstBits | limit];
  let rest = value - limit;
  while (rest >= 128) {
    octets.push(0x80 | (rest % 128));
    rest = Math.floor(rest / 128);
  }
  octets.push(rest);
  return Uint8Array.from(octets);
}

/** The Huffman code of some octets, padded with ones (RFC 7541 §5.2), without its length prefix. */
export function huffman(text: Text): Uint8Array {
  const out: number[] = [];
  let octet = 0;
  let filled = 0;
  const bit = (value: number): void => {
    octet = (octet << 1) | value;
    filled += 1;
    if (filled === 8) {
      out.push(octet);
      octet = 0;
      filled = 0;
    }
  };
  for (const symbol of toOctets(text)) {
    const [bits, code] = hpack.huffman.encode[symbol]!;
    for (let i = bits - 1; i >= 0; i--) bit((code >>> i) & 1);
  }
  while (filled !== 0) bit(1);
  return Uint8Array.from(out);
}

/** RFC 7541 §5.2: the H bit and length, then the octets. */
export function stringLiteral(text: Text, options: StringOptions = {}): Uint8Array {
  const octets = options.huffman ? huffman(text) : toOctets(text);
  return concat(integer(octets.length, 7, options.huffman ? 0x80 : 0), octets);
}

/** RFC 7541 §6.1: 1 to 61 static, from 62 dynamic; 0 is forbidden and encoded all the same. */
export function indexed(index: number): Uint8Array {
  return integer(index, 7, 0x80);
}

/** RFC 7541 §6.2.1: enters the table. `name` is an index or text. */
export function incremental(name: number | Text, value: Text, options?: StringOptions): Uint8Array {
  return literalField(0x40, 6, name, value, options);
}

/** RFC 7541 §6.2.2: does not enter the table. */
export function literal(name: number | Text, value: Text, options?: StringOptions): Uint8Array {
  return literalField(0x00, 4, name, value, options);
}

/** RFC 7541 §6.2.3: must stay a literal at every hop. */
export function neverIndexed(name: number | Text, value: Text, options?: StringOptions): Uint8Array {
  return literalField(0x10, 4, name, value, options);
}

/** RFC 7541 §6.3. */
export function sizeUpdate(size: number): Uint8Array {
  return integer(size, 5, 0x20);
}

/** A block of literals without indexing: no state needed on either side. */
export function literals(
  fields: readonly (readonly [name: string, value: string])[],
  options?: StringOptions,
): Uint8Array {
  return concat(...fields.map(([name, value]) => literal(name, value, options)));
}

/** The header block of a gRPC request, in the order that gRPC's protocol description asks for. */
export function grpcRequest(path: string, extra: readonly (readonly [string, string])[] = []): Uint8Array {
  return literals([
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'localhost'],
    ['te', 'trailers'],
    ['content-type', 'application/grpc'],
    ...extra,
  ]);
}

/** The header block that opens a gRPC response. */
export function grpcResponse(extra: readonly (readonly [string, string])[] = []): Uint8Array {
  return literals([[':status', '200'], ['content-type', 'application/grpc'], ...extra]);
}

/** The trailers that end a gRPC response; `message` goes out as it is (percent-encode it yourself). */
export function grpcTrailers(status: number, message?: string): Uint8Array {
  return literals([
    ['grpc-status', String(status)],
    ...(message === undefined ? [] : [['grpc-message', message] as const]),
  ]);
}

function literalField(
  firstBits: number,
  prefixBits: number,
  name: number | Text,
  value: Text,
  options?: StringOptions,
): Uint8Array {
  return typeof name === 'number'
    ? concat(integer(name, prefixBits, firstBits), stringLiteral(value, options))
    : concat(Uint8Array.of(firstBits), stringLiteral(name, options), stringLiteral(value, options));
}

function toOctets(text: Text): Uint8Array {
  return typeof text === 'string' ? latin1(text) : text;
}
