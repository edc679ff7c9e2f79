import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A file that appears whole or not at all: written under another name beside its place, then renamed (what was there
 * before is replaced).
 */
export class OutputFile {
  private constructor(
    readonly path: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws the system's error when the folder takes no file */
  static async create(path: string): Promise<OutputFile> {
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
    return new OutputFile(path, temporary, await open(temporary, 'w'));
  }

  async write(octets: Uint8Array | string): Promise<void> {
    await this.handle.appendFile(octets);
  }

  async finish(): Promise<void> {
    await this.handle.close();
    await rename(this.temporary, this.path);
  }

  /** Leaves no trace. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await unlink(this.temporary).catch(() => undefined);
  }
}

/** Whether two paths lead to one file: links count, what is not there does not. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)));
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}
