import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Outcome } from '../../../shared/app';
import { refused } from '../../app/outcome';
import { explain } from '../../tap/errors';

/** Octets of an uploaded capture at most. */
export const UPLOAD_LIMIT = 4 * 1024 ** 3;

class TooLarge extends Error {}

/** A file that a browser was given is copied to a temporary folder, and opened from there. */
export class Uploads {
  /** Of the upload that is open, or was last. */
  private folder: string | undefined;
  private busy = false;

  constructor(
    private readonly open: (path: string) => Promise<Outcome>,
    private readonly limit = UPLOAD_LIMIT,
  ) {}

  async take(request: IncomingMessage, name: string): Promise<{ status: number; outcome: Outcome }> {
    if (this.busy) return { status: 409, outcome: refused('Another file is on its way.') };
    const tooLarge = { status: 413, outcome: refused(`Files up to ${this.limit} bytes are taken.`) };
    if (Number(request.headers['content-length'] ?? 0) > this.limit) return tooLarge;
    this.busy = true;
    const folder = await mkdtemp(join(tmpdir(), 'penstock-upload-'));
    try {
      const path = join(folder, plainName(name));
      await pipeline(request, bounded(this.limit), createWriteStream(path, { flags: 'wx' }));
      const outcome = await this.open(path);
      if (outcome.ok) {
        await this.close();
        this.folder = folder;
      } else {
        await rm(folder, { recursive: true, force: true });
      }
      return { status: 200, outcome };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (error instanceof TooLarge) return tooLarge;
      return { status: 500, outcome: refused(`The file could not be taken: ${explain(error)}.`) };
    } finally {
      this.busy = false;
    }
  }

  async close(): Promise<void> {
    const { folder } = this;
    this.folder = undefined;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function bounded(limit: number): Transform {
  let length = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      length += piece.length;
      if (length > limit) done(new TooLarge());
      else done(null, piece);
    },
  });
}

/** The file's own name without anything that could be a path, for people to recognise it by. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[^\p{L}\p{N} ._()+-]/gu, '_').slice(0, 100);
  return /^\.*$/.test(plain) ? 'capture' : plain;
}
