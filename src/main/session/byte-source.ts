import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Where a capture's octets can be read again: payloads are not kept in memory. */
export interface ByteSource {
  /** `length` octets at `offset`; fewer where the file ends before. The result is the caller's. */
  read(offset: number, length: number): Uint8Array;
  readonly size: number;
  close(): void;
}

/** Read-ahead: rows that are shown together stand together in the file. */
const BLOCK = 64 * 1024;

/** A file, which may still grow. Small reads are answered from the last block read. */
export class FileSource implements ByteSource {
  private readonly fd: number;
  private block = Buffer.alloc(0);
  private blockStart = 0;

  /**
   * @param file a path, or a descriptor that is open for reading
   * @param onClose closes the descriptor; needed only when one was given
   * @throws the system's error when the file cannot be opened
   */
  constructor(
    file: string | number,
    private readonly onClose?: () => void,
  ) {
    this.fd = typeof file === 'string' ? openSync(file, 'r') : file;
  }

  get size(): number {
    return fstatSync(this.fd).size;
  }

  read(offset: number, length: number): Uint8Array {
    const from = offset - this.blockStart;
    if (from >= 0 && from + length <= this.block.length) {
      return Uint8Array.prototype.slice.call(this.block, from, from + length);
    }
    if (length >= BLOCK) {
      const large = Buffer.allocUnsafe(length);
      return new Uint8Array(large.subarray(0, this.fill(large, offset)));
    }
    const block = Buffer.allocUnsafe(BLOCK);
    this.block = block.subarray(0, this.fill(block, offset));
    this.blockStart = offset;
    return Uint8Array.prototype.slice.call(this.block, 0, length);
  }

  /** Reads to the beginning of `target`, past all that is held. @returns octets read; 0 at the file's end */
  readInto(target: Buffer, length: number, offset: number): number {
    return readSync(this.fd, target, 0, length, offset);
  }

  private fill(target: Buffer, offset: number): number {
    let filled = 0;
    while (filled < target.length) {
      const count = readSync(this.fd, target, filled, target.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  close(): void {
    if (this.onClose === undefined) closeSync(this.fd);
    else this.onClose();
  }
}

/** Octets in memory: tests, and small captures from elsewhere. */
export class MemorySource implements ByteSource {
  constructor(private readonly octets: Uint8Array) {}

  get size(): number {
    return this.octets.length;
  }

  read(offset: number, length: number): Uint8Array {
    return this.octets.slice(offset, offset + length);
  }

  close(): void {}
}
