import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/**
 * Bundles entries into CommonJS as the real build does, dependencies included, so that a worker or a program can be
 * started from anywhere. Names get the ending `.cjs`.
 */
export async function bundleAll(entries: Record<string, string>): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-build-'));
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node18',
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, resolve(path)])),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
