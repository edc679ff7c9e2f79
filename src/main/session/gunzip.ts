import { createGunzip } from 'node:zlib';

/** Output comes in pieces of this size; of damaged data, zlib keeps back the one that the damage is found in. */
const PIECE = 16 * 1024;
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
  let over = false;
  let wake = () => {};
  const end = (error?: NodeJS.ErrnoException) => {
    failure = error;
    over = true;
    wake();
  };
  gunzip.on('error', end).once('end', () => end());
  // A write during which the data ends (zeros may follow) or turns out to be damaged is never called back.
  const step = (start: () => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      start();
    });
  try {
    for await (const piece of compressed) {
      for (let at = 0; at < piece.length && !over; at += STEP) {
        await step(() => gunzip.write(piece.subarray(at, at + STEP), () => wake()));
        yield* ready.splice(0);
      }
      if (over) break;
    }
    if (!over) {
      await step(() => gunzip.end());
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
