import { gunzipSync, inflateSync } from 'node:zlib';

/** A message may not grow beyond this: a small one that claims to is shown as it is. */
export const MAX_DECOMPRESSED = 64 << 20;

export type Decompressed = { octets: Uint8Array } | { problem: string };

/** gRPC PROTOCOL-HTTP2 Message-Encoding: identity, gzip, deflate (which is zlib's format). */
export function decompress(encoding: string, octets: Uint8Array): Decompressed {
  const inflate = { gzip: gunzipSync, deflate: inflateSync }[encoding];
  if (encoding === 'identity') return { octets };
  if (inflate === undefined) return { problem: `no decompressor for grpc-encoding ${encoding}` };
  try {
    return { octets: inflate(octets, { maxOutputLength: MAX_DECOMPRESSED }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return { problem: `it decompresses to more than ${MAX_DECOMPRESSED >> 20} MiB` };
    }
    return { problem: `it is no ${encoding}: ${(error as Error).message}` };
  }
}
