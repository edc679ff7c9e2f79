import { afterAll, beforeAll } from 'vitest';
import { AppHost, type AppHostOptions } from '../../../src/main/app/app-host';
import type { AppEvents, AppState } from '../../../src/shared/app';
import type { EngineProgress } from '../../../src/shared/contract';
import { bundleAll } from '../../support/bundle';
import { afterThisTest, temporaryFolder } from '../session/helpers';
import { BARE, workersOf } from './child-platform';

/** Milliseconds: four bundles, on a machine that does other things too. */
const BUILD_PATIENCE = 60_000;

let built = '';

/** Builds the workers for this file's tests. */
export function withWorkers(): void {
  let remove: () => void = () => undefined;
  beforeAll(async () => {
    const bundle = await bundleAll({
      'tap-worker': 'src/main/tap/tap-worker.ts',
      'engine-worker': 'src/main/session/engine-worker.ts',
      'export-worker': 'src/main/export/export-worker.ts',
      child: 'tests/main/app/child.ts',
    });
    built = bundle.folder;
    remove = bundle.remove;
  }, BUILD_PATIENCE);
  afterAll(() => remove());
}

export function builtFolder(): string {
  return built;
}

export interface TestHost {
  host: AppHost;
  dataFolder: string;
  states: AppState[];
  progress: EngineProgress[];
  /** Resolves with the first state, from now on or now, that `wanted` likes. */
  state(wanted: (state: AppState) => boolean): Promise<AppState>;
  frames(atLeast: number): Promise<void>;
}

export async function startHost(options: Partial<AppHostOptions> = {}): Promise<TestHost> {
  const dataFolder = options.dataFolder ?? temporaryFolder();
  const host = await AppHost.start({ platform: BARE, ...workersOf(built), ...options, dataFolder });
  afterThisTest(() => host.shutdown());
  const states: AppState[] = [];
  const progress: EngineProgress[] = [];
  const wakers = new Set<() => void>();
  const wake = () => {
    for (const waker of [...wakers]) waker();
  };
  const events: AppEvents = {
    state: (state) => {
      states.push(state);
      wake();
    },
    progress: (each) => {
      progress.push(each);
      wake();
    },
    command: () => undefined,
  };
  host.on(events);
  const until = async (condition: () => Promise<boolean>) => {
    while (!(await condition())) {
      await new Promise<void>((resolve) => {
        const waker = () => {
          wakers.delete(waker);
          resolve();
        };
        wakers.add(waker);
      });
    }
  };
  return {
    host,
    dataFolder,
    states,
    progress,
    async state(wanted) {
      let found = await host.state();
      await until(async () => {
        found = await host.state();
        return wanted(found);
      });
      return found;
    },
    frames: (atLeast) => until(async () => (await host.status()).frames >= atLeast),
  };
}
