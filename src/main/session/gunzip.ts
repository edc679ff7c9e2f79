import { createGunzip } from 'node:zlib';

/** Output is handed on in pieces of this size; when the data is damaged, so much of the end is lost at most. */
const PIECE = 64 * 1024;
/** Compressed octets taken at a time: deflate grows by 1032 at most, so that 17 MiB wait to be taken at most. */
const STEP = 16 * 1024;

/**
 * Decompresses gzip, several members after each other too (RFC 1952 §2.2). A damaged or cut stream gives what could be
 * decompressed, then `onTrouble`, then ends.
 */
export async function* gunzipped(
  compressed: AsyncIterable<Uint8Array>,
  onTrouble: (message: string) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE });
  const ready: Uint8Array[] = [];
  let failure: NodeJS.ErrnoException | undefined;
  gunzip.on('data', (piece: Uint8Array) => ready.push(piece));
  gunzip.on('error', (error) => {
    failure = error;
  });
  try {
    for await (const piece of compressed) {
      for (let at = 0; at < piece.length && failure === undefined; at += STEP) {
        // Copied: zlib's thread may still read it when the caller's buffer is filled again.
        const step = piece.slice(at, at + STEP);
        await new Promise<void>((resolve) => gunzip.write(step, () => resolve()));
        yield* ready.splice(0);
      }
      if (failure !== undefined) break;
    }
    if (failure === undefined) {
      await new Promise<void>((resolve) => {
        gunzip.once('end', resolve).once('close', resolve);
        gunzip.end();
      });
      yield* ready.splice(0);
    }
    if (failure !== undefined) onTrouble(inWords(failure));
  } finally {
    gunzip.destroy();
  }
}

function inWords(error: NodeJS.ErrnoException): string {
  return error.code === 'Z_BUF_ERROR'
    ? 'the gzip data ends early: what it holds up to there is read'
    : `the gzip data is damaged (${error.message}): what it holds up to there is read`;
}
