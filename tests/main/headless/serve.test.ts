import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { WindowServer, type WindowServerOptions } from '../../../src/main/headless/serve/server';
import { connectBySocket } from '../../../src/renderer/transport/socket';
import type { AppEvents } from '../../../src/shared/app';
import { startHost, withWorkers } from '../app/helpers';
import { afterThisTest, temporaryFile, temporaryFolder } from '../session/helpers';
import { healthCheck, ROWS } from './fixture';

withWorkers();

/** A built renderer's stand-in, with a secret beside it and a link out of it. */
function renderer(): string {
  const folder = temporaryFolder();
  const built = join(folder, 'renderer');
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>Penstock</title>');
  writeFileSync(join(built, 'assets', 'index-1.js'), 'export {};');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  symlinkSync(join(folder, 'secret.js'), join(built, 'link.js'));
  return built;
}

async function served(options: Partial<WindowServerOptions> = {}) {
  const server = await WindowServer.listen({ port: 0, renderer: renderer(), ...options });
  afterThisTest(() => server.close());
  const started = await startHost({
    platform: {
      facts: { kind: 'browser', os: 'linux', dialogs: false },
      offer: (download) => server.downloads.offer(download),
    },
  });
  server.serve(started.host);
  const token = new URL(server.address).searchParams.get('token') ?? '';
  const origin = `http://127.0.0.1:${server.port}`;
  return { ...started, server, token, origin, page: new URL(`${origin}/${token}/`) };
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** A request exactly as it is written: `fetch` would tidy its path and its Host. */
function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The status by which a WebSocket was refused; 101 when it was not. */
function upgrade(address: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address, { headers });
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => undefined);
  });
}

const SILENT: AppEvents & { closed(): void } = {
  state: () => undefined,
  progress: () => undefined,
  command: () => undefined,
  closed: () => undefined,
};

test('the printed address leads to the window, with headers that shut everything else out', async () => {
  const { server, token } = await served();
  const first = await ask(server.port, `/?token=${token}`);
  expect(first).toMatchObject({ status: 303, headers: { location: `/${token}/` } });
  const page = await ask(server.port, `/${token}/`);
  expect(page).toMatchObject({
    status: 200,
    body: expect.stringContaining('<title>Penstock</title>'),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  });
  expect(await ask(server.port, `/${token}/assets/index-1.js`)).toMatchObject({ status: 200, body: 'export {};' });
  expect(Buffer.from(token, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
});

test('without the token nothing is told, in a plain line', async () => {
  const { server, token } = await served();
  const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const paths = ['/', '/index.html', '/?token=', `/?token=${wrong}`, `/${wrong}/`, '/socket', '/upload', '//', '/%00'];
  for (const path of [...paths, `/${token.slice(0, -1)}/`, `/${token}x/`, `/x?token=${token}`]) {
    const answer = await ask(server.port, path);
    expect([path, answer.status, answer.body]).toEqual([path, 403, expect.stringMatching(/^[^\n<]+\n$/)]);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  }
  expect(await upgrade(`ws://127.0.0.1:${server.port}/socket`, { origin: `http://127.0.0.1:${server.port}` })).toBe(
    403,
  );
});

test('a foreign Host is refused, whatever it knows', async () => {
  const { server, token, origin } = await served();
  const { port } = server;
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1.evil:${port}`,
  ]) {
    expect([host, (await ask(port, `/${token}/`, { headers: { host } })).status]).toEqual([host, 403]);
  }
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    expect([host, (await ask(port, `/${token}/`, { headers: { host } })).status]).toEqual([host, 200]);
  }
  expect(await upgrade(`ws://127.0.0.1:${port}/${token}/socket`, { origin, host: `evil:${port}` })).toBe(403);
});

test('a foreign Origin, or none, opens no socket and sends no file', async () => {
  const { server, token, origin, host } = await served();
  const address = `ws://127.0.0.1:${server.port}/${token}/socket`;
  const foreign = ['http://evil.example', 'null', `https://127.0.0.1:${server.port}`, `${origin}.evil.example`];
  for (const each of foreign) {
    expect([each, await upgrade(address, { origin: each })]).toEqual([each, 403]);
    const sent = await ask(server.port, `/${token}/upload?name=x`, { method: 'POST', headers: { origin: each } });
    expect([each, sent.status]).toEqual([each, 403]);
  }
  expect(await upgrade(address)).toBe(403);
  expect((await ask(server.port, `/${token}/upload?name=x`, { method: 'POST' })).status).toBe(403);
  expect(await upgrade(address, { origin })).toBe(101);
  expect(await upgrade(`${address}s`, { origin })).toBe(404);
  expect((await host.state()).session).toEqual({ kind: 'none' });
});

test('no path leads out of the built window', async () => {
  const { server, token } = await served();
  const paths = [
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/..%2fsecret.js',
    '/assets/../../secret.js',
    '/assets/..%5c..%5csecret.js',
    '/link.js',
    '/%',
    '/index.html%00.js',
    '/assets',
    '//etc/passwd',
    '/C:/secret.js',
  ];
  for (const path of paths) {
    const answer = await ask(server.port, `/${token}${path}`);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.body).not.toContain('secret');
  }
});

test('only what is meant can be asked', async () => {
  const { server, token, origin } = await served();
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'POST']) {
    expect((await ask(server.port, `/${token}/`, { method, headers: { origin } })).status).toBe(405);
  }
  expect((await ask(server.port, `/${token}/upload`)).status).toBe(405);
  expect((await ask(server.port, `/${token}/download/nothing/x`)).status).toBe(404);
});

test('a window over a WebSocket gets rows, octets as octets, and is told what happens', async () => {
  const { page, origin, frames } = await served();
  asBrowser(origin);
  const states: unknown[] = [];
  const client = await connectBySocket(page, { ...SILENT, state: (state) => states.push(state) });
  const path = temporaryFile(healthCheck().file());
  expect(await client.api.openPath(path)).toEqual({ ok: true, value: null });
  await frames(ROWS);
  const { items, total } = await client.api.frames({ from: 0, count: 5 });
  expect([total, items.map(({ type }) => type)]).toEqual([
    ROWS,
    ['PREFACE', 'SETTINGS', 'SETTINGS', 'SETTINGS', 'SETTINGS'],
  ]);
  const { octets } = await client.api.frameOctets(9, { from: 9, count: 8 });
  expect(octets).toBeInstanceOf(Uint8Array);
  expect([...octets]).toEqual([0x02, 0x04, 0x10, 0x10, 0x09, 0x0e, 0x07, 0x07]); // grpc-go's PING
  await expect(client.api.frame(10_000)).rejects.toThrow('there is no frame 10000');
  await expect(client.api.open('/etc/passwd')).rejects.toThrow('there is no method "open" for a window');
  // The state is told when it has settled, which may be after these answers.
  await expect.poll(() => states.length, { timeout: 10_000 }).toBeGreaterThan(0);
});

test('two windows see one session', async () => {
  const { page, origin } = await served();
  asBrowser(origin);
  const first = await connectBySocket(page, SILENT);
  let told: (state: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => {
    told = resolve;
  });
  const second = await connectBySocket(page, {
    ...SILENT,
    state: ({ session }) => {
      if (session.kind === 'open') told(session.name);
    },
  });
  await first.api.openPath(temporaryFile(healthCheck().file(), 'seen-by-both'));
  expect(await opened).toBe('seen-by-both');
  expect((await second.api.state()).session).toMatchObject({ kind: 'open' });
});

test('an uploaded file is opened; its copy goes with the server', async () => {
  const { server, token, origin, host } = await served();
  const body = Buffer.from(healthCheck().file());
  const path = `/${token}/upload?name=${encodeURIComponent('../../my capture.pcapng')}`;
  const sent = await ask(server.port, path, { method: 'POST', headers: { origin }, body });
  expect([sent.status, JSON.parse(sent.body)]).toEqual([200, { ok: true, value: null }]);
  const { session, recent } = await host.state();
  if (session.kind !== 'open') throw new Error(`it is ${session.kind}`);
  expect(session).toMatchObject({ name: 'my capture.pcapng', size: body.length });
  expect(recent).toEqual([]);
  expect(existsSync(session.file)).toBe(true);
  const junk = await ask(server.port, path, { method: 'POST', headers: { origin }, body: Buffer.from('junk') });
  expect([junk.status, JSON.parse(junk.body)]).toEqual([200, { ok: false, message: expect.stringMatching(/capture/) }]);
  await server.close();
  expect(existsSync(session.file)).toBe(false);
});

test.each([
  ['says so', { 'content-length': '1001' }],
  ['does not say so', { 'transfer-encoding': 'chunked' }],
])('an upload beyond the bound is refused and leaves nothing, when it %s', async (_, headers) => {
  const before = uploadFolders();
  const { server, token, origin, host } = await served({ uploadLimit: 1000 });
  const sent = await ask(server.port, `/${token}/upload?name=x`, {
    method: 'POST',
    headers: { origin, ...headers },
    body: Buffer.alloc(1001),
  });
  expect([sent.status, JSON.parse(sent.body)]).toEqual([413, { ok: false, message: expect.stringMatching(/1000/) }]);
  expect((await host.state()).session).toEqual({ kind: 'none' });
  expect(uploadFolders()).toEqual(before);
});

test('an export is fetched by its own address', async () => {
  const { server, token, host } = await served();
  await host.openPath(temporaryFile(healthCheck().file(), 'Prüfung.pcapng'));
  const exported = await host.exportAs({ format: 'csv', filter: null }, null);
  if (!exported.ok || exported.value.download === null) throw new Error('not offered');
  const fetched = await ask(server.port, `/${token}/${exported.value.download}`);
  expect(fetched.body.trim().split('\n')).toHaveLength(ROWS + 1);
  expect(fetched.headers['content-disposition']).toBe("attachment; filename*=UTF-8''Pr%C3%BCfung-export.csv");
  expect((await ask(server.port, `/${exported.value.download}`)).status).toBe(403);
});

/** The renderer's transport expects a browser: its WebSocket sends the page's Origin. */
function asBrowser(origin: string): void {
  const before = globalThis.WebSocket;
  class BrowserSocket extends WebSocket {
    constructor(address: URL) {
      super(address, { origin });
    }
  }
  globalThis.WebSocket = BrowserSocket as unknown as typeof globalThis.WebSocket;
  afterThisTest(() => {
    globalThis.WebSocket = before;
  });
}

function uploadFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('penstock-upload-'));
}
