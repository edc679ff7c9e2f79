import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that real time or a real peer decides: they run one file at a time, with nothing beside them. */
const serial = ['tests/main/tap/**/*.test.ts', 'tests/interop/**/*.test.ts'];

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...serial, 'tests/e2e/**', 'tests/bench/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'serial',
          include: serial,
          fileParallelism: false,
          // A later group starts when the earlier one is done: without it, unit tests would disturb the clock here.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
