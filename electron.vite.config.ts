import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

const source = resolve(import.meta.dirname, 'src');
const main = join(source, 'main');

/** `out/main/cli.js` is package.json's `bin`: it begins with a shebang, and can be run as it is. */
const executable: Plugin = {
  name: 'executable',
  writeBundle({ dir }) {
    if (dir !== undefined) chmodSync(join(dir, 'cli.js'), 0o755);
  },
};

/** The development server puts scripts into the page, which its policy forbids for good reason: there it has none. */
const noPolicyInDevelopment: Plugin = {
  name: 'no-policy-in-development',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

/**
 * Main, its workers and the preload script are CommonJS for Node 18, the oldest runtime that the app is tried on
 * (Electron 25); ES modules in the main process need Electron 28.
 */
export default defineConfig({
  main: {
    plugins: [executable],
    build: {
      target: 'node18',
      outDir: 'out/main',
      sourcemap: true,
      // These are ES modules only, which Node 18's require cannot load.
      externalizeDeps: { exclude: ['birpc', 'env-paths', 'open'] },
      rollupOptions: {
        input: {
          index: join(main, 'index.ts'),
          cli: join(main, 'cli.ts'),
          'tap-worker': join(main, 'tap/tap-worker.ts'),
          'engine-worker': join(main, 'session/engine-worker.ts'),
          'export-worker': join(main, 'export/export-worker.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      target: 'node18',
      outDir: 'out/preload',
      // A sandboxed preload script is one file that requires nothing but electron.
      externalizeDeps: false,
      rollupOptions: {
        input: { index: join(source, 'preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].js' },
      },
    },
  },
  renderer: {
    root: join(source, 'renderer'),
    // The window's address differs between Electron and `penstock serve`.
    base: './',
    plugins: [react(), noPolicyInDevelopment],
    build: {
      target: 'chrome114',
      outDir: 'out/renderer',
      // Fonts stay files: the page's policy allows none from `data:`.
      assetsInlineLimit: 0,
      emptyOutDir: true,
      rollupOptions: { input: join(source, 'renderer/index.html') },
    },
  },
});
