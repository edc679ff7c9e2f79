import fc from 'fast-check';

/**
 * Loaded before every test file. `npm test` runs property tests on the same cases each time, so that what passed here
 * passes elsewhere; `npm run fuzz` (CASES) draws new ones. A failure prints its seed either way.
 */
if (process.env.CASES === undefined) fc.configureGlobal({ seed: 20_250_913 });
