/**
 * `npm start`: builds what is not built, or older than the sources, then opens the window; a file may be named behind
 * `--`. Without Electron or a display the window is served to the browser.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const cli = join(root, 'out/main/cli.js');

/** What the build makes last, of each of its parts. */
const BUILT = ['out/main/index.js', 'out/main/cli.js', 'out/preload/index.js', 'out/renderer/index.html'];
const SOURCES = ['src', 'protos', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];

if (isStale()) {
  console.error('Building …');
  const program = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const { status } = spawnSync(process.execPath, [program, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

const child = spawn(process.execPath, [cli, 'open', ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal's Ctrl-C reaches both; who ends is the child.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
}
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

/** @returns {boolean} */
function isStale() {
  try {
    const built = Math.min(...BUILT.map((path) => statSync(join(root, path)).mtimeMs));
    return SOURCES.some((path) => newest(join(root, path)) > built);
  } catch {
    return true;
  }
}

/**
 * @param {string} path a file or a folder
 * @returns {number} when the newest file of it was changed
 */
function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  // A folder's own time tells of files that were removed.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
