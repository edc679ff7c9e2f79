import { resolve } from 'node:path';
import { defineConfig } from 'electron-vite';

const main = resolve(import.meta.dirname, 'src/main');

/**
 * Main and its workers are CommonJS for Node 18, the oldest runtime that the app is tried on (Electron 25);
 * ES modules in the main process need Electron 28.
 */
export default defineConfig({
  main: {
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
