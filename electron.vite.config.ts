import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig } from 'electron-vite';

const main = resolve(import.meta.dirname, 'src/main');

/** `out/main/cli.js` is package.json's `bin`: it begins with a shebang, and can be run as it is. */
const executable = {
  name: 'executable',
  writeBundle({ dir }: { dir?: string }) {
    if (dir !== undefined) chmodSync(join(dir, 'cli.js'), 0o755);
  },
};

/**
 * Main and its workers are CommonJS for Node 18, the oldest runtime that the app is tried on (Electron 25);
 * ES modules in the main process need Electron 28.
 */
export default defineConfig({
  main: {
    plugins: [executable],
    build: {
      target: 'node18',
      outDir: 'out/main',
      sourcemap: true,
      rollupOptions: {
        input: {
          cli: resolve(main, 'cli.ts'),
          'tap-worker': resolve(main, 'tap/tap-worker.ts'),
          'engine-worker': resolve(main, 'session/engine-worker.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
});
