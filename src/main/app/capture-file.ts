import { stat } from 'node:fs/promises';

/** Octets; 0 of what is not there. */
export async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Why a path cannot be a capture, in the words of a window; undefined when it may be. */
export async function problemOf(file: string, name: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) return `${name} is a folder, not a capture.`;
    if (!found.isFile()) return `${name} is no regular file.`;
    return found.size === 0 ? `${name} is empty: there is no capture in it.` : undefined;
  } catch {
    return `There is no file ${file}.`;
  }
}
