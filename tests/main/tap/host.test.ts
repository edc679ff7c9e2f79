import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TapNotice } from '../../../src/main/tap/messages';
import { TapHost } from '../../../src/main/tap/tap-host';
import { bundle } from './build';
import { afterThisTest, Client, echo, eventually, NO_DELAY, noise, temporaryFile } from './helpers';

let workerPath = '';
let removeWorker = (): void => undefined;

beforeAll(async () => {
  const { folder, remove } = await bundle({ 'tap-worker': 'src/main/tap/tap-worker.ts' });
  workerPath = join(folder, 'tap-worker.cjs');
  removeWorker = remove;
});

afterAll(() => removeWorker());

test('a capture in a worker listens, changes its settings, tells its figures and stops', async () => {
  const upstream = await echo();
  const file = temporaryFile();
  const listen = { host: '127.0.0.1', port: 0 };
  const settings = { ...NO_DELAY, delayToServer: 20 };
  const host = await TapHost.start({ file, workerPath, taps: [{ listen, upstream: plain(upstream), settings }] });
  afterThisTest(() => host.stop());
  let committed = 0;
  host.on('committed', (length) => {
    committed = length;
  });
  const client = new Client(host.listening[0]!);
  await client.connected;
  expect(await client.exchange(noise(64))).toBeGreaterThanOrEqual(20);
  await host.update(0, { delayToServer: 0 });
  await client.exchange(noise(64));
  const stats = await host.stats();
  expect(stats.connections).toEqual({ open: 1, total: 1 });
  expect(stats.octets).toEqual({ toServer: 128, toClient: 128 });
  expect(stats.delayError.count).toBe(1);
  await eventually(() => committed > 0);
  await expect(host.update(0, { delayToServer: Number.NaN })).rejects.toThrow('the delay to the server must be');
  const summary = await host.stop();
  expect(summary.octets).toEqual({ toServer: 128, toClient: 128 });
  expect(summary.length).toBe(statSync(file).size);
  expect(committed).toBe(summary.length);
  await expect(host.stats()).rejects.toThrow('the tap has ended');
});

test('a worker that cannot start says why in one line', async () => {
  const upstream = await echo();
  const file = temporaryFile();
  const taps = [{ listen: { host: '127.0.0.1', port: upstream.port }, upstream: plain(upstream), settings: NO_DELAY }];
  await expect(TapHost.start({ file, workerPath, taps })).rejects.toThrow(`port ${upstream.port} is already in use`);
});

test('notices come through', async () => {
  const gone = await echo();
  await new Promise((resolve) => gone.server.close(resolve));
  const listen = { host: '127.0.0.1', port: 0 };
  const file = temporaryFile();
  const host = await TapHost.start({ file, workerPath, taps: [{ listen, upstream: plain(gone), settings: NO_DELAY }] });
  afterThisTest(() => host.stop());
  const notices: TapNotice[] = [];
  host.on('notice', (notice) => notices.push(notice));
  await new Client(host.listening[0]!).closed;
  await eventually(() => notices.length > 0);
  expect(notices[0]!.code).toBe('upstream-refused');
});

test('the version in captures is that of package.json', async () => {
  const { VERSION } = await import('../../../src/shared/version');
  expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
});

function plain({ host, port }: { host: string; port: number }): { host: string; port: number } {
  return { host, port };
}
