/**
 * `npm run bench:ui`: builds the app and the benchmark of its window into .cache/bench, and runs it. Arguments name
 * places (chromium, electron) and parts (file, live); none means all, as far as they are there: `npm run bench:ui --
 * chromium file`. Electron needs a display: `xvfb-run -a npm run bench:ui`. With `--profile` it leaves CPU profiles of the page in .cache/bench/ui-profiles.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const app = resolve(root, '.cache/bench/app');
const outDir = resolve(root, '.cache/bench/ui');

/** Helpers of the tests find their files by `__dirname`, and import vitest, of which nothing is used here. */
const asHelpersExpect = {
  name: 'as-helpers-expect',
  enforce: 'pre',
  resolveId: (id) => (id === 'vitest' ? '\0vitest' : undefined),
  load(id) {
    if (id !== '\0vitest') return undefined;
    return ['describe', 'expect'].map((name) => `export const ${name} = () => undefined;`).join('\n');
  },
  transform(code, id) {
    if (!id.includes('/tests/support/') || !code.includes('__dirname')) return undefined;
    return { code: code.replaceAll('__dirname', JSON.stringify(dirname(id))), map: null };
  },
};

await run(process.execPath, [
  resolve(root, 'node_modules/electron-vite/bin/electron-vite.js'),
  'build',
  '--outDir',
  resolve(app, 'out'),
  '--logLevel',
  'error',
]);
mkdirSync(app, { recursive: true });
const manifest = { name: 'penstock-bench', version: '0.0.0', main: 'out/main/index.js' };
writeFileSync(resolve(app, 'package.json'), JSON.stringify(manifest));

await build({
  configFile: false,
  root,
  logLevel: 'error',
  plugins: [asHelpersExpect],
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    emptyOutDir: true,
    rollupOptions: {
      input: {
        main: resolve(root, 'tests/bench/ui/main.ts'),
        'tap-worker': resolve(root, 'src/main/tap/tap-worker.ts'),
        'engine-worker': resolve(root, 'src/main/session/engine-worker.ts'),
      },
      output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

process.exitCode = await run(process.execPath, [resolve(outDir, 'main.js'), ...process.argv.slice(2)]);

/** @returns the exit status */
function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
  return new Promise((done) => {
    child.on('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
