import { existsSync } from 'node:fs';

/** `penstock-2026-11-30T22-31-05.pcapng` by the local clock; with a number behind it where that is taken. */
export function newSessionFile(prefix: string, now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const name = `${prefix}-${date}T${two(now.getHours())}-${two(now.getMinutes())}-${two(now.getSeconds())}`;
  for (let count = 1; ; count++) {
    const file = `${name}${count === 1 ? '' : `-${count}`}.pcapng`;
    if (!existsSync(file)) return file;
  }
}

/** A path as a shell takes it. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
