import { readFile, realpath } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** What the build makes. Anything else is no part of the window. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

export interface Asset {
  type: string;
  octets: Buffer;
}

/**
 * A file of the built renderer. Undefined for what is not there, and for every path that leads out of it.
 * @param path as in an address, from its first `/` on, percent-encoded; `/` is the page
 */
export async function readAsset(folder: string, path: string): Promise<Asset | undefined> {
  let name: string;
  try {
    name = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  // Neither separators of other systems nor drives nor streams have a place in the names of a build.
  if (!/^(\/[\w@.-]+)*\/?$/.test(name)) return undefined;
  const wanted = name.endsWith('/') ? `${name}index.html` : name;
  const type = TYPES[extname(wanted)];
  if (type === undefined) return undefined;
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, wanted))]);
    const inside = relative(root, file);
    if (inside === '..' || inside.startsWith(`..${sep}`) || inside.includes(':')) return undefined;
    return { type, octets: await readFile(file) };
  } catch {
    return undefined;
  }
}
