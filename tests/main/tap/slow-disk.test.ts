import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { MOST_UNWRITTEN } from '../../../src/main/tap/recorder';
import { Client, eventually, noise, serve, startTap } from './helpers';

/** While it is closed, writes of the capture file wait. */
const disk = vi.hoisted(() => ({ stopped: false, waiting: [] as (() => void)[] }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const writev = (...args: Parameters<typeof fs.writev>) => {
    if (disk.stopped) disk.waiting.push(() => fs.writev(...args));
    else fs.writev(...args);
  };
  return { ...fs, writev };
});

test('a disk that stands still stops the reading at 64 MiB, with a mark, and nothing is lost when it goes on', async () => {
  const total = 100_000_000;
  const piece = noise(1_000_000);
  const server = await serve((socket) => {
    for (let sent = 0; sent < total; sent += piece.length) socket.write(piece);
    socket.end();
  });
  disk.stopped = true;
  const { address, tap, notices, file } = await startTap(server);
  const client = new Client(address);
  await eventually(() => notices.length > 0);
  expect(notices[0]!.code).toBe('disk-slow');
  // One chunk may be on its way in Node's own buffer, and acknowledgements still come.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(tap.stats().unwritten).toBeGreaterThan(MOST_UNWRITTEN);
  expect(tap.stats().unwritten).toBeLessThan(MOST_UNWRITTEN + 1024 * 1024);
  expect(client.received).toBeLessThan(total);
  disk.stopped = false;
  for (const write of disk.waiting.splice(0)) write();
  await client.until(total);
  await tap.stop();
  expect(notices.map((notice) => notice.code)).toEqual(['disk-slow', 'disk-caught-up']);
  const octets = readFileSync(file);
  expect(octets.length).toBeGreaterThan(total);
  expect(octets.includes('"kind":"mark","code":"disk-slow"')).toBe(true);
  expect(octets.includes('"kind":"mark","code":"disk-caught-up"')).toBe(true);
});
