import huffman from 'hpack.js/lib/hpack/huffman.js';
import staticTable from 'hpack.js/lib/hpack/static-table.js';

/**
 * RFC 7541's two tables, taken from hpack.js: the only place that imports it. Its decompressor is not used here (see
 * docs/decisions): it is the oracle that the tests hold Penstock's own decoder against. Nor is it loaded: with the
 * streams below it, that would take longer than opening a small capture.
 */

/** RFC 7541 Appendix A: index 1 stands at position 0. */
export const STATIC_TABLE: readonly { readonly name: string; readonly value: string }[] = staticTable.table.map(
  ({ name, value }) => ({ name, value }),
);

/** RFC 7541 Appendix B: for each symbol, 256 being EOS, the length in bits and the code, aligned to the right. */
export const HUFFMAN_CODE: readonly (readonly [bits: number, code: number])[] = huffman.encode;
