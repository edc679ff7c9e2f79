import { open, rename } from 'node:fs/promises';
import { OutputFile } from '../export/output-file';
import { codeOf } from '../tap/errors';
import type { RunningJob } from './jobs';

/** Octets copied at a time. */
const PIECE = 4 << 20;

/** Copies a file's first `length` octets; the copy appears whole or not at all. @returns false when it was cancelled */
export async function copyFile(from: string, to: string, length: number, job: RunningJob): Promise<boolean> {
  const source = await open(from, 'r');
  let target: OutputFile | undefined;
  try {
    target = await OutputFile.create(to);
    const piece = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, length)));
    for (let at = 0; at < length; ) {
      if (job.signal.aborted) {
        await target.discard();
        return false;
      }
      const { bytesRead } = await source.read(piece, 0, Math.min(piece.length, length - at), at);
      if (bytesRead === 0) break;
      await target.write(piece.subarray(0, bytesRead));
      at += bytesRead;
      job.progress(at / length);
    }
    await target.finish();
    return true;
  } catch (error) {
    await target?.discard();
    throw error;
  } finally {
    await source.close();
  }
}

/** Renames where both are on one disk. @returns false: they are not, or another program holds the file */
export async function renameFile(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['EXDEV', 'EPERM', 'EBUSY', 'EACCES'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}
