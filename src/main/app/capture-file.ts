import { open, stat } from 'node:fs/promises';

/** How capture files begin: pcapng, pcap in both byte orders with micro- or nanoseconds, and gzip around either. */
const BEGINNINGS = ['0a0d0d0a', 'a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1', '1f8b'];

/** Octets; 0 of what is not there. */
export async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/**
 * Why a path cannot be a capture, in the words of a window; undefined when it may be. Asked before what is open now is
 * closed for it.
 */
export async function problemOf(file: string, name: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return `There is no file ${file}.`;
  if (found.isDirectory()) return `${name} is a folder, not a capture.`;
  if (!found.isFile()) return `${name} is no regular file.`;
  if (found.size === 0) return `${name} is empty: there is no capture in it.`;
  const beginning = await beginningOf(file).catch(() => undefined);
  if (beginning === undefined) return `${name} cannot be read: look at its permissions.`;
  if (BEGINNINGS.some((known) => beginning.startsWith(known))) return undefined;
  return `${name} is no capture file: it begins neither as pcapng nor as pcap does, nor as gzip of either.`;
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const octets = Buffer.alloc(4);
    const { bytesRead } = await handle.read(octets, 0, 4, 0);
    return octets.toString('hex', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
