import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { type ClientHttp2Session, connect, createServer } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { FrameRecord } from '../../../src/shared/records';
import { builtCli, jsonLines, penstock, type Running, shell, startPenstock, temporaryFolder } from './cli';

const cleanups: (() => void)[] = [];

beforeAll(() => {
  builtCli();
}, 120_000);

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** An HTTP/2 server that answers every request with 200 and a short body. */
async function upstream(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return ((server as Server).address() as AddressInfo).port;
}

interface Listening {
  event: string;
  host: string;
  port: number;
  file: string;
}

/** A capture that listens, and the first line that it printed. */
async function started(args: string[]): Promise<{ running: Running; listening: Listening }> {
  const running = startPenstock(['capture', '--listen', '127.0.0.1:0', '--json', ...args]);
  cleanups.push(() => running.child.kill('SIGKILL'));
  await running.until(() => running.lines.length > 0);
  return { running, listening: JSON.parse(running.lines[0]!) as Listening };
}

/** One request on a session of its own; resolves to the status. */
async function request(port: number): Promise<unknown> {
  const session: ClientHttp2Session = connect(`http://127.0.0.1:${port}`);
  cleanups.push(() => session.destroy());
  const stream = session.request({ ':path': '/asked' });
  stream.resume();
  const [headers] = await once(stream, 'response');
  await once(stream, 'end');
  session.close();
  return headers[':status'];
}

test('a capture prints where it listens, each frame as it comes, and a summary when it is interrupted', async () => {
  const file = join(temporaryFolder(), 'session.pcapng');
  const { running, listening } = await started(['--upstream', `127.0.0.1:${await upstream()}`, '--write', file]);
  expect(listening).toMatchObject({ event: 'listening', host: '127.0.0.1', port: expect.any(Number), file });
  expect(await request(listening.port)).toBe(200);
  await running.until(() => running.lines.some((line) => line.includes('"END_STREAM"')));
  running.child.kill('SIGINT');
  expect(await running.exit).toBe(0);
  const frames = jsonLines<FrameRecord>(running.lines.slice(1, -1).join('\n'));
  const summary = JSON.parse(running.lines[running.lines.length - 1]!);
  expect(summary).toMatchObject({
    event: 'summary',
    file,
    length: statSync(file).size,
    connections: 1,
    frames: frames.length,
    calls: 1,
    faults: 0,
    statuses: { 'HTTP 200': 1 },
  });
  // The file is complete: reading it gives the same rows (with deliveries that were not known yet).
  const { code, stdout, stderr } = await penstock(['frames', file, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const read = jsonLines<FrameRecord>(stdout);
  expect(read.map(({ n, t, type, dir, stream }) => ({ n, t, type, dir, stream }))).toEqual(
    frames.map(({ n, t, type, dir, stream }) => ({ n, t, type, dir, stream })),
  );
});

test('SIGTERM ends it as well, and --quiet prints no frames', async () => {
  const file = join(temporaryFolder(), 'session.pcapng');
  const { running, listening } = await started([
    '--upstream',
    `127.0.0.1:${await upstream()}`,
    '--write',
    file,
    '--quiet',
  ]);
  expect(await request(listening.port)).toBe(200);
  running.child.kill('SIGTERM');
  expect(await running.exit).toBe(0);
  expect(running.lines.map((line) => JSON.parse(line).event)).toEqual(['listening', 'summary']);
  expect((await penstock(['info', file])).stdout).toMatch(/^Connections 1 h2$/m);
});

test('the settings are in the file', async () => {
  const file = join(temporaryFolder(), 'session.pcapng');
  const settings = ['--rtt', '20ms', '--rate', '10MiB/s', '--delay-connect', '--duration', '50ms'];
  const { running } = await started(['--upstream', 'localhost:1', '--write', file, ...settings]);
  expect(await running.exit).toBe(0);
  const { stdout } = await penstock(['info', file]);
  expect(stdout).toContain('delay 10 ms to the server, 10 ms to the client, connecting delayed too');
  expect(stdout).toContain('10 MiB/s to the server, 10 MiB/s to the client');
});

test('without --write the file is in the current folder, and standard error names it', async () => {
  const folder = temporaryFolder();
  const args = ['capture', '--listen', '[::1]:0', '--upstream', 'localhost:1', '--duration', '10ms'];
  const { code, stdout, stderr } = await penstock(args, { cwd: folder });
  const [file] = readdirSync(folder);
  expect(file).toMatch(/^penstock-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.pcapng$/);
  expect(stderr).toMatch(/^listening on \[::1\]:\d+, forwarding to localhost:1, writing /);
  expect(stderr).toContain(file);
  expect(stdout).toContain('0 connections');
  expect(code).toBe(0);
});

test('a port in use is one clear line, and the file is not made', async () => {
  const port = await upstream();
  const file = join(temporaryFolder(), 'session.pcapng');
  const args = ['capture', '--listen', `127.0.0.1:${port}`, '--upstream', 'localhost:1', '--write', file];
  const { code, stdout, stderr } = await penstock(args);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(`port ${port} is already in use`);
  expect(stdout).toBe('');
  expect(code).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('an upstream that refuses is told, and the tap goes on', async () => {
  const file = join(temporaryFolder(), 'session.pcapng');
  const { running, listening } = await started(['--upstream', '127.0.0.1:1', '--write', file]);
  const session = connect(`http://127.0.0.1:${listening.port}`);
  session.on('error', () => undefined);
  cleanups.push(() => session.destroy());
  await running.until(() => running.stderr.includes('connection refused'));
  expect(running.stderr).toMatch(/^error: .*127\.0\.0\.1:1.*: connection refused$/m);
  running.child.kill('SIGINT');
  expect(await running.exit).toBe(0);
});

test('listening beyond this machine is allowed, with a warning', async () => {
  const folder = temporaryFolder();
  const args = ['capture', '--listen', '0.0.0.0:0', '--upstream', 'localhost:1', '--duration', '10ms'];
  const { code, stderr } = await penstock(args, { cwd: folder });
  expect(stderr).toContain('warning: 0.0.0.0 is no loopback address: other machines can connect to the tap');
  expect(code).toBe(0);
});

test('a reader that goes away ends it in good order', async () => {
  const folder = temporaryFolder();
  const line = `$PENSTOCK capture --listen 127.0.0.1:0 --upstream localhost:1 --json --duration 300ms | head -c 0; exit \${PIPESTATUS[0]}`;
  const { code, stderr } = await shell(line, folder);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(readdirSync(folder)).toHaveLength(1);
});
