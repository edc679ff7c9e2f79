import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineHost } from '../../../src/main/session/engine-host';
import { Nice } from '../../../src/main/thread-priority';
import type { EngineProgress } from '../../../src/shared/contract';
import { bundleAll } from '../../support/bundle';
import { toHex } from '../../support/octets';
import { afterThisTest, everything, sessionOf, temporaryFile, temporaryFolder, unaryCalls } from './helpers';

let workerPath = '';
let removeWorker = () => undefined as unknown;

beforeAll(async () => {
  const { folder, remove } = await bundleAll({ 'engine-worker': 'src/main/session/engine-worker.ts' });
  workerPath = join(folder, 'engine-worker.cjs');
  removeWorker = remove;
});

afterAll(() => removeWorker());

async function start(path = workerPath): Promise<EngineHost> {
  const host = await EngineHost.start({ workerPath: path });
  afterThisTest(() => host.stop());
  return host;
}

/** Nice values of this process's threads but the first: field 19 of /proc/PID/stat, counted behind the name in brackets. */
function niceValues(): number[] {
  const threads = readdirSync('/proc/self/task').filter((id) => id !== String(process.pid));
  return threads.map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

const whole = unaryCalls(6).file();
const expected = everything(sessionOf(whole)) as { frames: { n: number; stream: number }[] } & Record<string, unknown>;

describe('an engine in its own thread', () => {
  test.runIf(process.platform === 'linux')('gives way to the tap while it follows, and alone', async () => {
    const count = () => niceValues().filter((nice) => nice === Nice.following).length;
    const before = count();
    const reading = await start();
    await reading.open(temporaryFile(whole));
    expect(count()).toBe(before);
    const following = await start();
    await following.follow(temporaryFile(whole));
    expect(count()).toBe(before + 1);
    expect(getPriority()).not.toBe(Nice.following);
  });

  test('follows a file, tells its progress and answers', async () => {
    const host = await start();
    const path = temporaryFile(new Uint8Array(0));
    const progress: EngineProgress[] = [];
    host.on('progress', (each) => progress.push(each));
    await host.follow(path);
    for (let length = 0; length < whole.length; length += 500) {
      appendFileSync(path, whole.subarray(length, length + 500));
      host.committed(Math.min(whole.length, length + 500));
    }
    await host.finish();
    expect(await host.status()).toMatchObject({ state: 'complete', read: whole.length, lag: 0 });
    expect(progress.at(-1)).toMatchObject({ state: 'complete', frames: expected.frames.length });
    expect(await host.frames(1, 5000)).toEqual(expected.frames);
    expect(await host.frames(3, 2)).toEqual(expected.frames.slice(2, 4));
    expect(await host.calls(1, 5000)).toEqual(expected.calls);
    expect(await host.connections()).toEqual(expected.connections);
    expect((await host.api.messages({ from: 0, count: 5000 })).items).toEqual(expected.messages);
    const fifth = expected.frames.filter(({ stream }) => stream === 5);
    expect(await host.frames(1, 5, 'stream == 5')).toEqual(fifth);
    expect(await host.frames(2, 1, 'stream == 5')).toEqual(fifth.slice(1, 2));
    await expect(host.frames(1, 5, 'stream = 5')).rejects.toThrow('==');
  });

  test('hands over all octet values as they are', async () => {
    const host = await start();
    const file = temporaryFile(whole);
    await host.open(file);
    const octets: Uint8Array[] = [];
    for (const { n } of expected.frames) {
      octets.push((await host.api.frameOctets(n, { from: 0, count: 1000 })).octets);
    }
    const session = sessionOf(readFileSync(file));
    expect(octets.map(toHex)).toEqual(expected.frames.map(({ n }) => toHex(session.frameOctets(n))));
  });

  test('refuses in one line what cannot be opened', async () => {
    const host = await start();
    await expect(host.open('/no/such/file')).rejects.toThrow(/^no such file: \/no\/such\/file$/);
    await expect(host.finish()).rejects.toThrow('no file is being followed');
  });
});

describe('an engine that is gone', () => {
  test('when it was stopped refuses what is asked', async () => {
    const host = await start();
    await host.stop();
    await host.stop();
    await expect(host.status()).rejects.toThrow('the engine was stopped');
    host.committed(1); // nothing happens
  });

  /** A worker whose engine fails by a fault of ours, in an answer or by itself. */
  function broken(text: string): string {
    const path = join(temporaryFolder(), 'broken.cjs');
    writeFileSync(path, text);
    return path;
  }

  test('by a fault of its own refuses what was asked and what will be, and tells it', async () => {
    const host = await start(
      broken(`
        const { parentPort } = require('node:worker_threads');
        parentPort.on('message', ({ i, m }) => {
          if (m === 'status') parentPort.postMessage({ t: 's', i, r: {} });
          if (m === 'finish') setImmediate(() => { throw new TypeError('x is not a function'); });
        });`),
    );
    const failed = new Promise<Error>((resolve) => host.on('failed', resolve));
    const waiting = host.connections();
    const finishing = host.finish();
    await expect(waiting).rejects.toThrow('the engine has failed: x is not a function');
    await expect(finishing).rejects.toThrow('the engine has failed: x is not a function');
    await expect(host.status()).rejects.toThrow('the engine has failed: x is not a function');
    expect((await failed).message).toBe('the engine has failed: x is not a function');
  });

  test('by ending refuses what was asked', async () => {
    const host = await start(
      broken(`
        const { parentPort } = require('node:worker_threads');
        parentPort.on('message', ({ i, m }) => {
          if (m === 'status') parentPort.postMessage({ t: 's', i, r: {} });
          else process.exit(3);
        });`),
    );
    await expect(host.connections()).rejects.toThrow('the engine has ended');
  });

  test('from the beginning makes the start fail', async () => {
    const throwing = broken(`throw new Error('no such module');`);
    await expect(EngineHost.start({ workerPath: throwing })).rejects.toThrow('the engine has failed: no such module');
    await expect(EngineHost.start({ workerPath: '/no/such/worker.cjs' })).rejects.toThrow('the engine has failed');
  });
});
