/** The parts of hpack.js 2.1 that Penstock uses; the package ships no types. */
declare module 'hpack.js' {
  /** Indexed by the next octet of the code: 0 (no code), `bits << 9 | symbol`, or the table for the octet after it. */
  type HuffmanTable = (number | HuffmanTable)[];
  interface Decompressor {
    write(octets: Uint8Array): void;
    execute(callback?: (error: Error | null) => void): void;
    read(): { name: string; value: string; neverIndex?: boolean } | null;
    updateTableSize(size: number): void;
    on(event: 'error', listener: (error: Error) => void): void;
  }
  interface Compressor {
    write(
      fields: { name: string; value: string; neverIndex?: boolean; incremental?: boolean; huffman?: boolean }[],
    ): void;
    read(): Uint8Array | null;
    updateTableSize(size: number): void;
    reset(): void;
  }
  const hpack: {
    'static-table': { table: { name: string; value: string }[] };
    huffman: { decode: HuffmanTable; encode: [bits: number, code: number][] };
    decompressor: { create(options: { table: { maxSize: number } }): Decompressor };
    compressor: { create(options: { table: { maxSize: number } }): Compressor };
  };
  export default hpack;
}

declare module 'hpack.js/lib/hpack/static-table.js' {
  const staticTable: { table: { name: string; value: string }[] };
  export default staticTable;
}

declare module 'hpack.js/lib/hpack/huffman.js' {
  const huffman: { encode: [bits: number, code: number][] };
  export default huffman;
}
