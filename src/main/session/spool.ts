import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Octets of a spooled capture at most: what is decompressed or piped beyond them is not read. */
export const MAX_SPOOL = 16 * 2 ** 30;

/**
 * A temporary file for a capture that cannot be read twice (a pipe) or not by offset (a compressed file): payloads are
 * read back from it. Only the user can read it. Where the system allows it has no name as soon as it is open, so that
 * not even a crash leaves it behind; else it is removed when it is closed, and when the program ends.
 */
export class Spool {
  readonly fd: number;
  length = 0;
  private readonly folder: string;
  private named = true;
  private closed = false;
  private readonly atExit = () => this.remove();

  /** @throws an Error of one line when the temporary folder takes no file */
  constructor(
    private readonly limit = MAX_SPOOL,
    parent = tmpdir(),
  ) {
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(parent, 'penstock-'));
      this.fd = openSync(join(folder, 'capture'), 'wx+', 0o600);
    } catch (error) {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      throw new Error(`no temporary file in ${parent}: ${(error as Error).message}; TMPDIR names another folder`);
    }
    this.folder = folder;
    if (process.platform !== 'win32') this.remove();
    if (this.named) process.once('exit', this.atExit);
  }

  /** @returns how many octets the bound left room for. @throws an Error of one line when the disk is full */
  write(octets: Uint8Array): number {
    if (this.closed) throw new Error('reading was given up');
    const wanted = Math.min(octets.length, this.limit - this.length);
    let written = 0;
    while (written < wanted) {
      try {
        written += writeSync(this.fd, octets, written, wanted - written);
      } catch (error) {
        throw this.problem(error as NodeJS.ErrnoException);
      }
    }
    this.length += written;
    return written;
  }

  private problem(error: NodeJS.ErrnoException): Error {
    const place = dirname(this.folder);
    const read = `${Math.ceil(this.length / 2 ** 20)} MiB`;
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
      return new Error(
        `no space left in ${place} for the capture (${read} so far): make room there, or name another folder by TMPDIR`,
      );
    }
    return new Error(`the temporary copy of the capture in ${place} cannot be written: ${error.message}`);
  }

  private remove(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true });
      this.named = false;
    } catch {
      // It is open and stays until it is closed.
    }
  }

  close(): void {
    this.closed = true;
    closeSync(this.fd);
    if (!this.named) return;
    process.off('exit', this.atExit);
    this.remove();
  }
}
