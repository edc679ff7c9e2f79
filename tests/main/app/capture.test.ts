import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDemoCalls } from '../../../src/main/lab/flow-clients';
import { startFlowServer } from '../../../src/main/lab/flow-service';
import type { CaptureSettings } from '../../../src/shared/app';
import { afterThisTest, temporaryFolder } from '../session/helpers';
import { workersOf } from './child-platform';
import { builtFolder, startHost, withWorkers } from './helpers';

withWorkers();

const SETTINGS: CaptureSettings = {
  listen: '127.0.0.1:0',
  upstream: '127.0.0.1:1',
  delayToServer: 0,
  delayToClient: 0,
  rateToServer: null,
  rateToClient: null,
  delayConnect: false,
};

async function flowServer(): Promise<string> {
  const server = await startFlowServer();
  afterThisTest(() => server.close());
  return `127.0.0.1:${server.port}`;
}

test('a capture shows real calls, changes its delay while it runs, and keeps them', async () => {
  const { host, frames, state } = await startHost();
  const upstream = await flowServer();
  expect(await host.startCapture({ ...SETTINGS, upstream })).toEqual({ ok: true, value: null });
  const { session } = await host.state();
  if (session.kind !== 'capturing') throw new Error(`it is ${session.kind}`);
  expect(session).toMatchObject({ demo: false, writing: true, saved: false, settings: { upstream } });
  expect(session.listening).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);

  const outcomes = await runDemoCalls(session.listening);
  expect(outcomes.filter(({ matches }) => !matches)).toEqual([]);
  await frames(200);
  expect(await host.updateCapture({ delayToServer: 5, rateToClient: 1e6 })).toEqual({ ok: true, value: null });
  const changed = await host.state();
  expect(changed.session).toMatchObject({ settings: { delayToServer: 5, delayToClient: 0, rateToClient: 1e6 } });
  const { figures } = await state((each) => (each.figures?.connections.total ?? 0) >= 2);
  expect(figures?.octets.toClient).toBeGreaterThan(1 << 20);

  expect(await host.stopCapture()).toEqual({ ok: true, value: null });
  const stopped = await host.state();
  expect(stopped).toMatchObject({ session: { kind: 'open', saved: false, file: session.file }, figures: null });
  const status = await host.status();
  expect(status).toMatchObject({ state: 'complete', lag: 0, troubles: 0 });
  expect(status.read).toBe(readFileSync(session.file).length);
});

test('the demo keeps calls coming until it is stopped', async () => {
  const { host, frames } = await startHost();
  expect((await host.startDemo()).ok).toBe(true);
  expect((await host.state()).session).toMatchObject({
    demo: true,
    settings: { delayToServer: 10, delayToClient: 10 },
  });
  await frames(100);
  expect((await host.stopCapture()).ok).toBe(true);
  const { items } = await host.calls({ from: 0, count: 3 });
  expect(items.map(({ method }) => method)).toEqual(Array(3).fill('/grpc.health.v1.Health/Check'));
});

test('what stands against a capture is said at the field that it is about, and leaves nothing behind', async () => {
  const { host } = await startHost();
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  afterThisTest(() => taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const cases: [Partial<CaptureSettings>, keyof CaptureSettings, RegExp][] = [
    [{ listen: `127.0.0.1:${port}` }, 'listen', /already in use/],
    [{ listen: 'nonsense' }, 'listen', /HOST:PORT/],
    [{ listen: '192.0.2.1:0' }, 'listen', /not an address of this machine/],
    [{ upstream: '' }, 'upstream', /HOST:PORT/],
    [{ upstream: '127.0.0.1:0' }, 'upstream', /from 1 to 65535/],
    [{ upstream: '127.0.0.1:70000' }, 'upstream', /HOST:PORT/],
    [{ listen: 'localhost:4000', upstream: '127.0.0.1:4000' }, 'upstream', /go round/],
    [{ delayToServer: -1 }, 'delayToServer', /delay/],
    [{ delayToClient: 1e9 }, 'delayToClient', /delay/],
    [{ rateToClient: 0 }, 'rateToClient', /rate/],
  ];
  for (const [settings, field, message] of cases) {
    const outcome = await host.startCapture({ ...SETTINGS, ...settings });
    expect([settings, outcome]).toEqual([settings, { ok: false, field, message: expect.stringMatching(message) }]);
  }
  expect((await host.state()).session).toEqual({ kind: 'none' });
  expect((await host.state()).recent).toEqual([]);
});

test('a server that refuses is a notice, and forwarding goes on', async () => {
  const { host, state } = await startHost();
  const upstream = await flowServer();
  // Nobody listens on port 1.
  await host.startCapture({ ...SETTINGS, upstream: '127.0.0.1:1' });
  const { session } = await host.state();
  if (session.kind !== 'capturing') throw new Error(`it is ${session.kind}`);
  await runDemoCalls(session.listening);
  const { notices } = await state((each) => each.notices.length > 0);
  expect(notices[0]).toMatchObject({ about: 'upstream', message: expect.stringMatching(/refused/) });
  await host.dismissNotice(notices[0]!.id);
  expect((await host.state()).notices).toEqual([]);
  expect(upstream).not.toBe('');

  // What is told of a capture is not told of the next.
  await runDemoCalls(session.listening);
  await state((each) => each.notices.length > 0);
  await host.stopCapture();
  expect((await host.state()).notices).toHaveLength(1);
  await host.startCapture({ ...SETTINGS, upstream });
  expect((await host.state()).notices).toEqual([]);
});

test('at its size limit a capture ends, says so, and calls still get through', async () => {
  const { host, state } = await startHost({ maxSize: 200_000 });
  await host.startCapture({ ...SETTINGS, upstream: await flowServer() });
  const { session } = await host.state();
  if (session.kind !== 'capturing') throw new Error(`it is ${session.kind}`);
  expect(session.maxSize).toBe(200_000);
  const outcomes = await runDemoCalls(session.listening);
  expect(outcomes.every(({ matches }) => matches)).toBe(true);
  const limited = await state((each) => each.session.kind === 'capturing' && !each.session.writing);
  expect(limited.notices.map(({ message }) => message).join()).toMatch(/limit/);
  await host.stopCapture();
  expect(readFileSync(session.file).length).toBeLessThanOrEqual(200_000);
});

test('one capture runs at a time', async () => {
  const { host } = await startHost();
  const upstream = await flowServer();
  const both = await Promise.all([
    host.startCapture({ ...SETTINGS, upstream }),
    host.startCapture({ ...SETTINGS, upstream }),
  ]);
  expect(both).toEqual([
    { ok: true, value: null },
    { ok: false, message: expect.stringMatching(/running/) },
  ]);
  expect(await host.openPath('/somewhere')).toMatchObject({ ok: false, message: expect.stringMatching(/stop it/) });
  await host.closeSession();
  expect(await host.stopCapture()).toMatchObject({ ok: false });
  expect(existsSync('/somewhere')).toBe(false);
});

test('when the engine fails, another one reads the running capture, and nothing is lost', async () => {
  const folder = temporaryFolder();
  const crash = join(folder, 'crash');
  const engineWorker = join(folder, 'engine.cjs');
  writeFileSync(
    engineWorker,
    `const { existsSync, unlinkSync } = require('node:fs');
    require(${JSON.stringify(workersOf(builtFolder()).engineWorker)});
    setInterval(() => {
      if (!existsSync(${JSON.stringify(crash)})) return;
      unlinkSync(${JSON.stringify(crash)});
      throw new Error('made for this test');
    }, 5);`,
  );
  const { host, frames, state } = await startHost({ engineWorker });
  await host.startDemo();
  await frames(50);
  const { items: before } = await host.frames({ from: 0, count: 50 });
  writeFileSync(crash, '');
  const { notices } = await state((each) => each.notices.length > 0);
  expect(notices[0]).toMatchObject({ severity: 'error', message: expect.stringMatching(/made for this test/) });
  await frames(50);
  expect((await host.frames({ from: 0, count: 50 })).items.map(({ type }) => type)).toEqual(
    before.map(({ type }) => type),
  );
  expect((await host.stopCapture()).ok).toBe(true);
  expect(await host.status()).toMatchObject({ state: 'complete', troubles: 0 });
});
