import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A path in the corpus of captures and conformance data made by others, which is not part of this project.
 * It is looked for in PENSTOCK_CORPUS, else in `shared/corpus` beside the checkout; undefined where it is absent
 * (tests that need it then skip).
 */
export function corpusPath(...parts: string[]): string | undefined {
  const root = process.env.PENSTOCK_CORPUS ?? resolve(__dirname, '../../../shared/corpus');
  const path = join(root, ...parts);
  return existsSync(path) ? path : undefined;
}
