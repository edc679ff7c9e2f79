/**
 * `npm run bench`: bundles the benchmark, its workers and Penstock's into .cache/bench/build as the real build does,
 * and runs it. Arguments name sections (`npm run bench -- read memory`); none means all.
 */
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const outDir = resolve(root, '.cache/bench/build');

/**
 * Helpers of the tests find their files by `__dirname`, which in a bundle would be the bundle's; and they import vitest
 * for what tests need of it, which can't be loaded outside its runner and is not used here.
 */
const asHelpersExpect = {
  name: 'as-helpers-expect',
  enforce: 'pre',
  resolveId: (id) => (id === 'vitest' ? '\0vitest' : undefined),
  load(id) {
    if (id !== '\0vitest') return undefined;
    const names = ['describe', 'test', 'it', 'expect', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach', 'vi'];
    return names.map((name) => `export const ${name} = () => undefined;`).join('\n');
  },
  transform(code, id) {
    if (!id.includes('/tests/support/') || !code.includes('__dirname')) return undefined;
    return { code: code.replaceAll('__dirname', JSON.stringify(dirname(id))), map: null };
  },
};

await build({
  configFile: false,
  root,
  logLevel: 'error',
  plugins: [asHelpersExpect],
  build: {
    ssr: true,
    target: 'node18',
    outDir,
    emptyOutDir: true,
    rollupOptions: {
      input: {
        main: resolve(root, 'tests/bench/main.ts'),
        'read-file': resolve(root, 'tests/bench/workers/read-file.ts'),
        forwarder: resolve(root, 'tests/bench/workers/forwarder.ts'),
        busy: resolve(root, 'tests/bench/workers/busy.ts'),
        'tap-worker': resolve(root, 'src/main/tap/tap-worker.ts'),
        'engine-worker': resolve(root, 'src/main/session/engine-worker.ts'),
      },
      output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

const child = spawn(process.execPath, [resolve(outDir, 'main.js'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});
