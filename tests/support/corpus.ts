import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { skipReason } from './skips';

/**
 * A path in the corpus of captures and conformance data made by others, which is not part of this project.
 * It is looked for in PENSTOCK_CORPUS, else in `shared/corpus` beside the checkout; undefined where it is absent
 * (tests that need it then skip, and the reason is recorded here).
 */
export function corpusPath(...parts: string[]): string | undefined {
  const root = process.env.PENSTOCK_CORPUS ?? resolve(__dirname, '../../../shared/corpus');
  const path = join(root, ...parts);
  if (existsSync(path)) return path;
  skipReason(`corpus ${parts.join('/')}`, 'the corpus is not here (PENSTOCK_CORPUS names its folder)');
  return undefined;
}
