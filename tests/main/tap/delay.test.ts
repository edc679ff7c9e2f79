import { describe, expect, test } from 'vitest';
import { Client, echo, noise, serve, startTap } from './helpers';

describe('a delayed connection', () => {
  test('an echo of 64 octets over 25 + 40 ms takes 65 ms and less than 5 more', async () => {
    const { address } = await startTap(await echo(), { delayToServer: 25, delayToClient: 40 });
    const client = new Client(address);
    await client.connected;
    const times: number[] = [];
    for (let i = 0; i < 8; i++) times.push(await client.exchange(noise(64, i)));
    // Every one is late enough; the quickest shows the line's own precision where others show a busy machine's.
    expect(Math.min(...times)).toBeGreaterThanOrEqual(65);
    expect(Math.min(...times)).toBeLessThan(70);
  });

  test('small delays are not cut by timers that count whole milliseconds', async () => {
    const { address, tap } = await startTap(await echo(), { delayToServer: 2.5, delayToClient: 2.5 });
    const client = new Client(address);
    await client.connected;
    const times: number[] = [];
    // The quickest counts: a busy machine makes the others late.
    while (times.length < 50 || (Math.min(...times) >= 6 && times.length < 1000))
      times.push(await client.exchange(noise(64)));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(5);
    expect(Math.min(...times)).toBeLessThan(6);
    const { delayError } = tap.stats();
    expect(delayError.count).toBe(2 * times.length);
    expect(delayError.p50).toBeGreaterThan(0);
    expect(delayError.p99).toBeGreaterThanOrEqual(delayError.p50);
    expect(delayError.max).toBeGreaterThanOrEqual(delayError.p99 * 0.99);
  });

  test('without delay nothing waits: no chunk goes through the line', async () => {
    const { address, tap } = await startTap(await echo());
    const client = new Client(address);
    await client.connected;
    for (let i = 0; i < 20; i++) await client.exchange(noise(64, i));
    expect(tap.stats().delayError.count).toBe(0);
  });

  test('delays do not add up: chunks sent 1 ms apart arrive 1 ms apart', async () => {
    const { address } = await startTap(await echo(), { delayToServer: 50 });
    const client = new Client(address);
    await client.connected;
    const start = performance.now();
    for (let i = 0; i < 20; i++) {
      client.socket.write(noise(100, i));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await client.until(2000);
    // Twenty delays one after the other would be a second.
    expect(performance.now() - start).toBeLessThan(500);
  });

  test('a delay that falls to 0 in mid-stream keeps the order and loses nothing', async () => {
    const { address, tap } = await startTap(await echo(), { delayToServer: 60, delayToClient: 0 });
    const client = new Client(address);
    await client.connected;
    const parts = Array.from({ length: 40 }, (_, i) => noise(1000, i));
    for (const [index, part] of parts.entries()) {
      client.socket.write(part);
      if (index === 20) tap.update(0, { delayToServer: 0 });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await client.until(40_000);
    expect(client.octets.equals(Buffer.concat(parts))).toBe(true);
    // Nothing of the 60 ms is left.
    const times = [];
    for (let i = 0; i < 20; i++) times.push(await client.exchange(noise(64)));
    expect(Math.min(...times)).toBeLessThan(50);
  });

  test('the end is delayed like the octets before it', async () => {
    let endedAt = 0;
    const server = await serve((socket) => {
      socket.resume();
      socket.on('end', () => {
        endedAt = performance.now();
        socket.end();
      });
    });
    const { address } = await startTap(server, { delayToServer: 40, delayToClient: 30 });
    const client = new Client(address);
    await client.connected;
    const start = performance.now();
    client.socket.end('last words');
    await client.untilEnd();
    expect(endedAt - start).toBeGreaterThanOrEqual(40);
    expect(performance.now() - start).toBeGreaterThanOrEqual(70);
  });

  test('an imitated handshake holds the first octets for a round trip, and only those', async () => {
    const { address } = await startTap(await echo(), { delayToServer: 30, delayToClient: 20, delayConnect: true });
    const client = new Client(address);
    await client.connected;
    const first = await client.exchange(noise(64));
    // Connecting and asking over a path of 50 ms takes two round trips; the kernel accepted a little before we knew.
    expect(first).toBeGreaterThanOrEqual(95);
    expect(await client.exchange(noise(64))).toBeLessThan(first - 25);
  });

  test('a rate limit is kept within a tenth', async () => {
    const rate = 4 * 1024 * 1024;
    const server = await serve((socket) => socket.end(noise(4 * 1024 * 1024)));
    const { address } = await startTap(server, { rateToClient: rate });
    const start = performance.now();
    const client = new Client(address);
    await client.until(rate);
    const seconds = (performance.now() - start) / 1000;
    expect(rate / seconds).toBeGreaterThan(rate * 0.9);
    expect(rate / seconds).toBeLessThan(rate * 1.1);
    expect(client.octets.equals(noise(rate))).toBe(true);
  });

  test('a rate limit that is lifted lets go of what waits for it', async () => {
    const server = await serve((socket) => socket.end(noise(1024 * 1024)));
    const { address, tap } = await startTap(server, { rateToClient: 1000 });
    const client = new Client(address);
    await client.until(1);
    tap.update(0, { rateToClient: undefined });
    await client.until(1024 * 1024);
    expect(client.octets.equals(noise(1024 * 1024))).toBe(true);
  });

  test('settings without sense are refused in one line', async () => {
    const { tap } = await startTap(await echo());
    expect(() => tap.update(0, { delayToServer: -1 })).toThrow('the delay to the server must be from 0 to 600000 ms');
    expect(() => tap.update(0, { rateToClient: 0 })).toThrow('at least 1 octet a second');
    expect(() => tap.update(7, {})).toThrow('there is no tap 7');
  });
});
