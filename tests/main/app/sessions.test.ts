import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { Download, Platform } from '../../../src/main/app/platform';
import { runDemoCalls } from '../../../src/main/lab/flow-clients';
import { startFlowServer } from '../../../src/main/lab/flow-service';
import { healthCheck, ROWS } from '../headless/fixture';
import { afterThisTest, temporaryFile, temporaryFolder } from '../session/helpers';
import { builtFolder, startHost, withWorkers } from './helpers';

withWorkers();

const DONE = { ok: true, value: null };

/** A demo's session, stopped. */
async function stoppedDemo(options: Parameters<typeof startHost>[0] = {}) {
  const started = await startHost(options);
  const { host, frames } = started;
  await host.startDemo();
  await frames(50);
  await host.stopCapture();
  const { session } = await host.state();
  if (session.kind !== 'open') throw new Error(`it is ${session.kind}`);
  return { ...started, session };
}

test('a file opens, is remembered, and opens again by its id', async () => {
  const path = temporaryFile(healthCheck().file());
  const { host, dataFolder } = await startHost();
  expect(await host.openPath(path)).toEqual(DONE);
  expect((await host.state()).session).toMatchObject({ kind: 'open', file: path, saved: true });
  expect((await host.frames({ from: 0, count: 100 })).items).toHaveLength(ROWS);
  expect((await host.state()).recent).toEqual([]); // what is open is not offered
  await host.closeSession();
  const [recent] = (await host.state()).recent;
  expect(recent).toMatchObject({ recovered: false, size: readFileSync(path).length });
  await host.shutdown();

  const { host: next } = await startHost({ dataFolder });
  expect((await next.state()).recent).toEqual([recent]);
  expect(await next.openRecent(recent!.id)).toEqual(DONE);
  expect((await next.status()).file).toBe(path);
  await next.closeSession();
  await next.forgetRecent(recent!.id);
  expect((await next.state()).recent).toEqual([]);
  expect(existsSync(path)).toBe(true);
});

test.each([
  ['a folder', () => temporaryFolder(), /folder/],
  ['an empty file', () => temporaryFile(new Uint8Array(0)), /empty/],
  ['something else', () => temporaryFile(new TextEncoder().encode('not a capture at all')), /no capture/],
  ['nothing', () => '/nowhere/at/all', /no file/],
])('%s is refused in words, and something better opens after it', async (_, make, message) => {
  const { host } = await startHost();
  expect(await host.openPath(make())).toEqual({ ok: false, message: expect.stringMatching(message) });
  expect((await host.state()).session).toEqual({ kind: 'none' });
  expect(await host.openPath(temporaryFile(healthCheck().file()))).toEqual(DONE);
});

test('a damaged list of recent sessions is an empty one', async () => {
  const dataFolder = temporaryFolder();
  writeFileSync(join(dataFolder, 'recent.json'), '[1, "x", {');
  const { host } = await startHost({ dataFolder });
  expect((await host.state()).recent).toEqual([]);
});

test('saving moves an unsaved session to its place', async () => {
  const { host, session } = await stoppedDemo();
  const octets = readFileSync(session.file);
  const target = join(temporaryFolder(), 'kept.pcapng');
  expect(await host.saveAs(target)).toEqual({ ok: true, value: { saved: true, download: null } });
  expect(readFileSync(target).equals(octets)).toBe(true);
  expect(existsSync(session.file)).toBe(false);
  expect((await host.state()).session).toMatchObject({ kind: 'open', file: target, name: 'kept.pcapng', saved: true });
  // Payloads are still there to be read.
  const { captured } = await host.frame(1);
  expect((await host.frameOctets(1, { from: 0, count: captured })).octets).toHaveLength(captured);
  expect(await host.saveAs(target)).toMatchObject({ ok: false });
  await host.closeSession();
  expect((await host.state()).recent).toMatchObject([{ name: 'kept.pcapng', recovered: false }]);
});

test('while a capture runs, saving copies what is there, and the capture goes on', async () => {
  const { host, frames } = await startHost();
  await host.startDemo();
  await frames(50);
  const target = join(temporaryFolder(), 'so-far.pcapng');
  expect(await host.saveAs(target)).toMatchObject({ ok: true, value: { saved: true } });
  expect((await host.state()).session).toMatchObject({ kind: 'capturing', saved: false });
  await host.stopCapture();
  const saved = await startHost();
  expect(await saved.host.openPath(target)).toEqual(DONE);
  await saved.state(() => true);
  expect((await saved.host.status()).troubles).toBe(0);
});

test('with dialogs the user says where, whatever the window says', async () => {
  const folder = temporaryFolder();
  const asked: string[] = [];
  let answer: string | undefined;
  const platform: Platform = {
    facts: { kind: 'electron', os: 'linux', dialogs: true },
    dialogs: {
      open: async () => answer,
      save: async (name) => {
        asked.push(name);
        return answer;
      },
    },
  };
  const { host, session } = await stoppedDemo({ platform });
  expect(await host.saveAs(join(folder, 'window.pcapng'))).toEqual({
    ok: true,
    value: { saved: false, download: null },
  });
  answer = join(folder, 'user.pcapng');
  expect(await host.saveAs(join(folder, 'window.pcapng'))).toMatchObject({ ok: true, value: { saved: true } });
  expect(existsSync(join(folder, 'window.pcapng'))).toBe(false);
  expect(asked).toEqual([session.name, session.name]);
  expect(await host.openDialog()).toEqual({ ok: true, value: true });
  answer = undefined;
  expect(await host.openDialog()).toEqual({ ok: true, value: false });
});

test('without dialogs a session and an export are offered for download', async () => {
  const offers: Download[] = [];
  const platform: Platform = {
    facts: { kind: 'browser', os: 'linux', dialogs: false },
    offer: (download) => `there/${offers.push(download)}`,
  };
  const path = temporaryFile(healthCheck().file());
  const { host, states } = await startHost({ platform });
  await host.openPath(path);
  expect(await host.saveAs(null)).toEqual({ ok: true, value: { saved: false, download: 'there/1' } });
  const exported = await host.exportAs({ format: 'jsonl', filter: 'type == DATA' }, null);
  expect(exported).toEqual({ ok: true, value: { saved: false, download: 'there/2' } });
  expect(offers).toMatchObject([
    { path, temporary: false },
    { temporary: true, name: expect.stringMatching(/\.jsonl$/) },
  ]);
  const lines = readFileSync(offers[1]!.path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['DATA', 'DATA']);
  expect(states.some(({ jobs }) => jobs.some(({ title }) => title.startsWith('Exporting')))).toBe(true);
  expect((await host.state()).jobs).toEqual([]);
  expect(await host.exportAs({ format: 'csv', filter: 'type ==' }, null)).toMatchObject({ ok: false });
});

test('nothing that is there is replaced without having been asked for', async () => {
  const path = temporaryFile(healthCheck().file());
  const other = temporaryFile(new Uint8Array([1]));
  const { host } = await startHost();
  await host.openPath(path);
  expect(await host.saveAs(other)).toMatchObject({ ok: false, message: expect.stringMatching(/already/) });
  expect(await host.exportAs({ format: 'csv', filter: null }, other)).toMatchObject({ ok: false });
  expect(readFileSync(other)).toHaveLength(1);
});

test('a session that was closed without being saved is offered until it is discarded', async () => {
  const { host, session } = await stoppedDemo();
  await host.closeSession();
  const [left] = (await host.state()).recent;
  expect(left).toMatchObject({ name: session.name, recovered: true });
  expect(await host.openRecent(left!.id)).toEqual(DONE);
  expect((await host.state()).session).toMatchObject({ kind: 'open', saved: false });
  expect(await host.forgetRecent(left!.id)).toMatchObject({ ok: false }); // it is open
  await host.closeSession();
  await host.forgetRecent(left!.id);
  expect((await host.state()).recent).toEqual([]);
  expect(existsSync(session.file)).toBe(false);
});

test('a capture whose program was killed is offered at the next start, with the same frames', async () => {
  const dataFolder = temporaryFolder();
  const server = await startFlowServer();
  afterThisTest(() => server.close());
  const program = join(builtFolder(), 'child.cjs');
  const child = spawn(process.execPath, [program, dataFolder, `127.0.0.1:${server.port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterThisTest(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  const line = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = lines.map((each) => wanted.exec(each)).filter((each) => each !== null);
      if (found.length > 0) return found.at(-1)!;
      lines.push(String(await once(reader, 'line')));
    }
  };
  const [, listening, file] = await line(/^listening (\S+) (\S+)/);
  reader.on('line', (each) => lines.push(each));
  await runDemoCalls(listening!);
  const [, seen] = await line(/^frames (\d{3,})/);

  // Its owner runs: it is not ours to offer.
  const meanwhile = await startHost({ dataFolder });
  expect((await meanwhile.host.state()).recent).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const { host, frames } = await startHost({ dataFolder });
  const { recent } = await host.state();
  expect(recent).toMatchObject([{ recovered: true, size: readFileSync(file!).length }]);
  expect(await host.openRecent(recent[0]!.id)).toEqual(DONE);
  expect((await host.state()).session).toMatchObject({ kind: 'open', saved: false, file });
  await frames(Number(seen));
});

test('the folder of sessions may hold other things', async () => {
  const dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, 'sessions', 'sub.pcapng'), { recursive: true });
  writeFileSync(join(dataFolder, 'sessions', 'note.txt'), 'x');
  writeFileSync(join(dataFolder, 'sessions', 'old.pcapng'), 'x');
  writeFileSync(join(dataFolder, 'sessions', 'old.pcapng.unsaved'), '{"pid":"1"');
  const { host } = await startHost({ dataFolder });
  expect((await host.state()).recent).toMatchObject([{ name: 'old.pcapng', recovered: true }]);
});
