import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The capture that a command line asks to open: its last word that is no switch, if there is such a file.
 * @param words without the program itself, nor the app's folder where the program is a bare Electron
 */
export function fileArgument(words: readonly string[], folder: string): string | undefined {
  const word = words.filter((each) => !each.startsWith('-')).at(-1);
  if (word === undefined) return undefined;
  const path = resolve(folder, word);
  return existsSync(path) ? path : undefined;
}

/** A command line without the program, and without the app's folder where the program is a bare Electron. */
export function ownWords(argv: readonly string[], packaged: boolean): string[] {
  const words = argv.slice(1);
  if (packaged) return words;
  const app = words.findIndex((word) => !word.startsWith('-'));
  return app === -1 ? words : words.filter((_, index) => index !== app);
}
