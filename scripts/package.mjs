/**
 * `npm run package`: the installers for this system. With ELECTRON_OVERRIDE_DIST_PATH an unpacked folder, made from the
 * Electron that is there; so it is tried without a download. Other arguments go to electron-builder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH;

run('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']);
const unpacked = dist ? ['--dir', `-c.electronDist=${resolve(dist)}`] : [];
run('electron-builder/cli.js', ['--publish', 'never', ...unpacked, ...process.argv.slice(2)]);

/**
 * @param {string} program in node_modules
 * @param {string[]} words
 */
function run(program, words) {
  const path = join(root, 'node_modules', program);
  if (!existsSync(path)) throw new Error(`${program} is not installed: run npm ci`);
  const { status } = spawnSync(process.execPath, [path, ...words], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
