/**
 * `npm test`: lint, types, build, then all tests. A failing step does not stop the later ones, so that one run tells
 * everything; the exit status is 1 when anything failed. Arguments go to Vitest: `npm test -- tests/core`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine, skipLines, tallyVitest } from './test-report.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const cache = join(root, '.cache');
const reportPath = join(cache, 'test-report.json');
const skipsPath = join(cache, 'test-skips.jsonl');

const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  PENSTOCK_SKIPS: skipsPath,
};

/** @type {import('./test-report.mjs').Tally} */
const tally = { passed: 0, failed: 0, skipped: 0 };

step('lint', 'biome', ['check', '--error-on-warnings', '.']);
step('types', 'tsc', ['-b']);
if (!step('build', 'electron-vite', ['build'])) {
  // Tests that start the program must not pass on what an earlier build left behind.
  rmSync(join(root, 'out'), { recursive: true, force: true });
}
const skipped = vitest();

if (skipped.length > 0) console.log(['', 'Left out:', ...skipped.map((line) => `  ${line}`)].join('\n'));
console.log(`\n${closingLine(tally)}`);
process.exitCode = tally.failed === 0 ? 0 : 1;

/**
 * One check step, which counts as one test.
 *
 * @param {string} name
 * @param {string} program
 * @param {string[]} programArguments
 * @returns {boolean} whether it succeeded
 */
function step(name, program, programArguments) {
  const succeeded = run(name, program, programArguments);
  tally[succeeded ? 'passed' : 'failed'] += 1;
  console.log(`${succeeded ? 'ok' : 'FAILED'}: ${name}`);
  return succeeded;
}

/** @returns {string[]} why tests were skipped */
function vitest() {
  mkdirSync(cache, { recursive: true });
  for (const path of [reportPath, skipsPath]) rmSync(path, { force: true });
  const [program, ...before] = withDisplay('vitest');
  const exitedWell = run('tests', program, [
    ...before,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath}`,
    ...process.argv.slice(2),
  ]);
  const report = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, 'utf8')) : undefined;
  const records = existsSync(skipsPath)
    ? readFileSync(skipsPath, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  const result = tallyVitest(report, exitedWell);
  tally.passed += result.tally.passed;
  tally.failed += result.tally.failed;
  tally.skipped += result.tally.skipped;
  return skipLines(result.skippedTests, records);
}

/**
 * A program, with a display of its own where there is none and Xvfb can make one: Electron's windows need it.
 *
 * @param {string} program
 * @returns {[string, ...string[]]}
 */
function withDisplay(program) {
  const { DISPLAY = '', WAYLAND_DISPLAY = '' } = process.env;
  if (process.platform !== 'linux' || DISPLAY !== '' || WAYLAND_DISPLAY !== '') return [program];
  const there = spawnSync('xvfb-run', ['--help'], { env, stdio: 'ignore' }).status === 0;
  return there ? ['xvfb-run', '-a', program] : [program];
}

/**
 * @param {string} name
 * @param {string} program of node_modules/.bin
 * @param {string[]} programArguments
 * @returns {boolean} whether it ran and exited with 0
 */
function run(name, program, programArguments) {
  console.log(`\n== ${name}: ${program} ${programArguments.join(' ')}`);
  // npm's program shims on Windows are .cmd files, which only a shell starts.
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync(program, programArguments, { cwd: root, env, stdio: 'inherit', shell });
  if (error) console.error(`${program} did not start: ${error.message}`);
  return status === 0;
}
