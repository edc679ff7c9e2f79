import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that real time or a real peer decides: they run one file at a time, with nothing beside them. */
const serial = ['tests/main/tap/**/*.test.ts', 'tests/interop/**/*.test.ts'];

export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['tests/support/properties.ts'],
    // Told only to end what hangs: starting the built program takes seconds on a busy machine.
    testTimeout: 90_000,
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
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          // One window at a time: two would fight for the keyboard's focus, and for two cores.
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
