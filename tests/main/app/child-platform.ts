import { join } from 'node:path';
import type { AppHostOptions } from '../../../src/main/app/app-host';
import type { Platform } from '../../../src/main/app/platform';

/** Neither dialogs nor downloads. */
export const BARE: Platform = { facts: { kind: 'browser', os: 'linux', dialogs: false } };

/** Of a bundle made by `withWorkers`. */
export function workersOf(folder: string): Pick<AppHostOptions, 'tapWorker' | 'engineWorker' | 'exportWorker'> {
  return {
    tapWorker: join(folder, 'tap-worker.cjs'),
    engineWorker: join(folder, 'engine-worker.cjs'),
    exportWorker: join(folder, 'export-worker.cjs'),
  };
}
