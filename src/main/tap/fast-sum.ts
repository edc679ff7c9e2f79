import { fold, onesSum } from '../../core/pcapng/checksum';

/*
 * At the tap's rates the checksum in JavaScript (some 2 GiB/s on octets that were just read) costs as much as
 * forwarding them. WebAssembly's 128-bit instructions are several times quicker, the copy into its memory included.
 * The module, in WebAssembly's text format:
 *
 *   (func (export "s") (param $end i32) (result i32) (local $at i32) (local $sum v128)
 *     (loop
 *       (local.set $sum (i32x4.add (local.get $sum)
 *         (i32x4.extadd_pairwise_i16x8_u (v128.load (local.get $at)))))
 *       (br_if 0 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
 *     (i32.add … the four lanes of $sum))
 *
 * With 64 KiB each lane stays below 2^30, and their sum below 2^32.
 */
// biome-ignore format: one instruction or section a line
const MODULE = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, 0x7f, // type 0: i32 to i32
  0x03, 0x02, 0x01, 0x00, // function 0 has type 0
  0x05, 0x03, 0x01, 0x00, 0x02, // memory of two pages
  0x07, 0x09, 0x02, 0x01, 0x6d, 0x02, 0x00, 0x01, 0x73, 0x00, 0x00, // exports m and s
  0x0a, 0x3d, 0x01, 0x3b, // code: one body of 59 octets
  0x02, 0x01, 0x7f, 0x01, 0x7b, // locals: an i32, a v128
  0x03, 0x40, // loop
  0x20, 0x02, // local.get $sum
  0x20, 0x01, 0xfd, 0x00, 0x04, 0x00, // v128.load (local.get $at)
  0xfd, 0x7f, // i32x4.extadd_pairwise_i16x8_u
  0xfd, 0xae, 0x01, // i32x4.add
  0x21, 0x02, // local.set $sum
  0x20, 0x01, 0x41, 0x10, 0x6a, 0x22, 0x01, // local.tee $at (i32.add (local.get $at) (i32.const 16))
  0x20, 0x00, 0x49, // i32.lt_u (local.get $end)
  0x0d, 0x00, // br_if 0
  0x0b, // end of the loop
  0x20, 0x02, 0xfd, 0x1b, 0x00, // lane 0
  0x20, 0x02, 0xfd, 0x1b, 0x01, 0x6a, // and 1
  0x20, 0x02, 0xfd, 0x1b, 0x02, 0x6a, // and 2
  0x20, 0x02, 0xfd, 0x1b, 0x03, 0x6a, // and 3
  0x0b,
);

const LONGEST = 65_536;
/** Below this the call and the copy cost more than they save. */
const WORTH_COPYING = 1024;

/** What is used of the global object: Node's types leave it to the DOM's, which don't belong here. */
declare const WebAssembly: {
  Module: new (octets: Uint8Array) => object;
  Instance: new (module: object) => { exports: Record<string, unknown> };
};

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE));
const sum = exports.s as (end: number) => number;
const memory = new Uint8Array((exports.m as { buffer: ArrayBuffer }).buffer);

/** What `onesSum` gives for all of `octets`, at most 64 KiB; sooner. */
export function fastSum(octets: Uint8Array): number {
  const { length } = octets;
  if (length < WORTH_COPYING || length > LONGEST) return onesSum(octets, 0, length);
  memory.set(octets);
  // The last vector may reach beyond the octets: zeros add nothing.
  memory.fill(0, length, length + 16);
  const words = fold(sum(length) >>> 0);
  // WebAssembly reads little-endian words; turning the sum round turns them all (RFC 1071 §2 (B)).
  return ((words & 0xff) << 8) | (words >>> 8);
}
