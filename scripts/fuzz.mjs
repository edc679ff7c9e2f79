// Runs the decoder's property tests (tests/core/capture/properties.test.ts) with many more cases than `npm test` does.
//
//   node scripts/fuzz.mjs [CASES]     cases in all, shared out among the properties; default 100,000
//
// A failure prints its seed and the smallest counterexample found. Exit status: that of the tests.
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** About as many properties as the file has. */
const PROPERTIES = 33;

const total = Number(process.argv[2] ?? 100_000);
if (!Number.isInteger(total) || total < 1) {
  console.error(`not a number of cases: ${process.argv[2]}`);
  process.exit(2);
}
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');
const cases = Math.ceil(total / PROPERTIES);
console.log(`${PROPERTIES} properties, ${cases} cases each`);
const { status } = spawnSync(process.execPath, [vitest, 'run', 'tests/core/capture/properties.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CASES: String(cases) },
});
process.exit(status ?? 1);
