import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MOST_NOT_DUE, MOST_NOT_TAKEN } from '../../../src/main/tap/delay-line';
import { Tap } from '../../../src/main/tap/tap';
import { hasTshark, tsharkComplaints, tsharkFields } from '../../support/tshark';
import { Client, echo, eventually, NO_DELAY, noise, serve, startTap, temporaryFile } from './helpers';

const quiet = { committed: () => undefined, notice: () => undefined };

describe('ends', () => {
  test('a half-closed connection goes on in the other direction', async () => {
    const server = await serve((socket) => {
      socket.resume();
      socket.on('end', () => socket.end(noise(100_000)));
    });
    const { address, tap, file } = await startTap(server, { delayToServer: 3, delayToClient: 3 });
    const client = new Client(address);
    await client.connected;
    const clientPort = client.socket.localPort;
    client.socket.end('question');
    await client.closed;
    expect(client.error).toBeUndefined();
    expect(client.octets.equals(noise(100_000))).toBe(true);
    await tap.stop();
    if (!hasTshark()) return;
    const ends = await tsharkFields(file, ['tcp.srcport', 'tcp.flags.reset'], {
      filter: 'tcp.flags.fin==1 || tcp.flags.reset==1',
    });
    expect(ends).toEqual([
      [String(clientPort), '0'],
      [String(address.port), '0'],
    ]);
    expect(await tsharkComplaints(file)).toEqual([]);
  });

  for (const delay of [0, 5]) {
    test(`a server's reset after 100 kB is a reset for the client, after all octets (delay ${delay} ms)`, async () => {
      const server = await serve((socket) => {
        socket.once('data', () => {
          socket.write(noise(100_000), () => socket.resetAndDestroy());
        });
      });
      const { address, tap, file } = await startTap(server, { delayToClient: delay });
      const client = new Client(address);
      client.socket.write('go');
      await client.closed;
      expect(client.error?.code).toBe('ECONNRESET');
      expect(client.ended).toBe(false);
      expect(client.octets.equals(noise(100_000))).toBe(true);
      await tap.stop();
      expect(readFileSync(file).includes(noise(60_000).subarray(0, 1000))).toBe(true);
      if (!hasTshark()) return;
      const payloads = await tsharkFields(file, ['tcp.payload'], {
        filter: `tcp.srcport==${address.port} && tcp.len>0`,
      });
      const octets = Buffer.from(payloads.flat().join(''), 'hex');
      expect(octets.equals(noise(100_000))).toBe(true);
      const resets = await tsharkFields(file, ['tcp.srcport'], { filter: 'tcp.flags.reset==1' });
      expect(resets).toEqual([[String(address.port)]]);
      expect(await tsharkComplaints(file)).toEqual([]);
    });
  }

  test('a server that resets while the client still sends loses none of its last octets', async () => {
    const server = await serve((socket) => {
      socket.once('data', () => {
        // Unread octets of the client turn this close into a reset, behind what was sent.
        socket.pause();
        socket.write(noise(50_000), () => setTimeout(() => socket.resetAndDestroy(), 5));
      });
    });
    const { address } = await startTap(server);
    const client = new Client(address);
    const sending = setInterval(() => client.socket.writable && client.socket.write(noise(20_000)), 0);
    await client.closed;
    clearInterval(sending);
    expect(client.error?.code).toBe('ECONNRESET');
    expect(client.octets.equals(noise(50_000))).toBe(true);
  });

  test("a client's reset reaches the server as a reset, after all octets", async () => {
    let received = 0;
    let code: string | undefined;
    const server = await serve((socket) => {
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        code = error.code;
      });
      socket.on('end', () => {
        code = 'END';
      });
    });
    const { address } = await startTap(server, { delayToServer: 5 });
    const client = new Client(address);
    client.socket.write(noise(80_000), () => client.socket.resetAndDestroy());
    await eventually(() => code !== undefined);
    expect(code).toBe('ECONNRESET');
    expect(received).toBe(80_000);
  });

  test('a refused upstream resets the client, and a notice says why', async () => {
    const closed = await echo();
    await new Promise((resolve) => closed.server.close(resolve));
    const { address, notices } = await startTap(closed);
    const client = new Client(address);
    client.socket.write('hello');
    await client.closed;
    expect(client.error?.code).toBe('ECONNRESET');
    expect(notices).toEqual([
      {
        severity: 'error',
        code: 'upstream-refused',
        message: `cannot connect to the upstream 127.0.0.1:${closed.port}: connection refused`,
      },
    ]);
  });

  test('an upstream whose name means nothing is told by its name', async () => {
    const { address, notices } = await startTap({ host: 'nowhere.invalid', port: 1 });
    const client = new Client(address);
    await client.closed;
    expect(client.error?.code).toBe('ECONNRESET');
    expect(notices[0]?.message).toMatch(
      /^cannot connect to the upstream nowhere\.invalid:1: the name cannot be resolved/,
    );
  });

  test('stopping the tap resets what is open', async () => {
    const { address, tap } = await startTap(await echo());
    const client = new Client(address);
    await client.exchange(noise(10));
    await tap.stop();
    await client.closed;
    expect(client.error?.code).toBe('ECONNRESET');
  });
});

describe('addresses', () => {
  test('localhost is resolved as the system does, also when it listens on ::1 only', async () => {
    const server = await echo('::1');
    const { address } = await startTap({ host: 'localhost', port: server.port });
    const client = new Client(address);
    await client.exchange(noise(1000));
    expect(client.octets.equals(noise(1000))).toBe(true);
  });

  test('[::1] is an upstream and a listening address', async () => {
    const server = await echo('::1');
    const spec = {
      listen: { host: '[::1]', port: 0 },
      upstream: { host: '[::1]', port: server.port },
      settings: NO_DELAY,
    };
    const { address, file, tap } = await startTap(server, {}, { taps: [spec] });
    expect(address.host).toBe('::1');
    const client = new Client(address);
    await client.exchange(noise(100_000));
    await tap.stop();
    if (!hasTshark()) return;
    expect(await tsharkComplaints(file)).toEqual([]);
    expect(await tsharkFields(file, ['ipv6.dst'], { filter: 'frame.number==1' })).toEqual([['::1']]);
  });

  test('a dual-stack listener records its IPv4 clients as IPv4', async () => {
    const server = await echo();
    const spec = { listen: { host: '::', port: 0 }, upstream: server, settings: NO_DELAY };
    const { address, file, tap } = await startTap(
      server,
      {},
      { taps: [{ ...spec, upstream: { host: '127.0.0.1', port: server.port } }] },
    );
    const client = new Client({ host: '127.0.0.1', port: address.port });
    await client.exchange(noise(10));
    await tap.stop();
    if (!hasTshark()) return;
    expect(await tsharkFields(file, ['ip.dst'], { filter: 'frame.number==1' })).toEqual([['127.0.0.1']]);
    expect(await tsharkComplaints(file)).toEqual([]);
  });

  test('a port in use is told with the port, and an existing capture is left alone', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const file = temporaryFile();
    writeFileSync(file, 'somebody needs this');
    const spec = { listen: { host: '127.0.0.1', port }, upstream: { host: '127.0.0.1', port: 1 }, settings: NO_DELAY };
    await expect(Tap.start({ file, taps: [spec] }, quiet)).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: port ${port} is already in use`,
    );
    expect(readFileSync(file, 'utf8')).toBe('somebody needs this');
    const fresh = temporaryFile();
    await expect(Tap.start({ file: fresh, taps: [spec] }, quiet)).rejects.toThrow('already in use');
    expect(existsSync(fresh)).toBe(false);
    await new Promise((resolve) => taken.close(resolve));
  });

  test('a foreign address and an unwritable file are told', async () => {
    const upstream = { host: '127.0.0.1', port: 1 };
    const elsewhere = { listen: { host: '192.0.2.1', port: 0 }, upstream, settings: NO_DELAY };
    await expect(Tap.start({ file: temporaryFile(), taps: [elsewhere] }, quiet)).rejects.toThrow(
      'cannot listen on 192.0.2.1:0: 192.0.2.1 is not an address of this machine',
    );
    const here = { listen: { host: '127.0.0.1', port: 0 }, upstream, settings: NO_DELAY };
    await expect(Tap.start({ file: '/no/such/folder/x.pcapng', taps: [here] }, quiet)).rejects.toThrow(
      'cannot write /no/such/folder/x.pcapng: no such folder',
    );
    const badPort = { ...here, listen: { host: '127.0.0.1', port: 70_000 } };
    await expect(Tap.start({ file: temporaryFile(), taps: [badPort] }, quiet)).rejects.toThrow('127.0.0.1:70000');
  });
});

describe('many octets', () => {
  test('200 MB against a client that reads nothing stay within the bounds, and the transfer resumes', async () => {
    const total = 200_000_000;
    const piece = noise(1_000_000);
    let sent = 0;
    const server = await serve((socket) => {
      const more = (): void => {
        while (sent < total) {
          sent += piece.length;
          if (!socket.write(piece)) return;
        }
        socket.end();
      };
      socket.on('drain', more);
      more();
    });
    const { address, tap } = await startTap(server, { delayToClient: 20 });
    const client = new Client(address, { paused: true });
    await client.connected;
    const most = { notDue: 0, notTaken: 0, memory: 0 };
    const before = process.memoryUsage().rss;
    let arrived = -1;
    let still = 0;
    // It has come to a stand when nothing arrives for half a second.
    await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { spool, octets } = tap.stats();
      most.notDue = Math.max(most.notDue, spool.notDue);
      most.notTaken = Math.max(most.notTaken, spool.notTaken);
      most.memory = Math.max(most.memory, process.memoryUsage().rss - before);
      still = octets.toClient === arrived ? still + 1 : 0;
      arrived = octets.toClient;
      return still === 50;
    });
    expect(arrived).toBeLessThan(total);
    expect(most.notDue).toBeLessThanOrEqual(MOST_NOT_DUE + 65_536);
    // All that was under way may come due after reading stopped.
    expect(most.notTaken).toBeLessThanOrEqual(MOST_NOT_DUE + MOST_NOT_TAKEN + 65_536);
    const hash = createHash('sha256');
    client.socket.on('data', (chunk: Buffer) => hash.update(chunk));
    client.read();
    client.socket.resume();
    await client.untilEnd();
    const expected = createHash('sha256');
    for (let i = 0; i < total / piece.length; i++) expected.update(piece);
    expect(client.received).toBe(total);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  }, 60_000);

  test('a delay changed 1,000 times under load changes no octet and stops nothing', async () => {
    const { address, tap } = await startTap(await echo(), { delayToServer: 2, delayToClient: 2 });
    const client = new Client(address);
    await client.connected;
    const sent = noise(8_000_000);
    let at = 0;
    for (let change = 0; change < 1000; change++) {
      tap.update(0, { delayToServer: (change * 7) % 11, delayToClient: (change * 5) % 13 });
      client.socket.write(sent.subarray(at, at + 8000));
      at += 8000;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await client.until(sent.length);
    expect(client.octets.equals(sent)).toBe(true);
  });

  test('100 connections at once get their own octets, each with its own conversation in the file', async () => {
    const { address, tap, file } = await startTap(await echo(), { delayToServer: 3, delayToClient: 3 });
    const clients = Array.from({ length: 100 }, () => new Client(address));
    await Promise.all(clients.map((client, i) => client.exchange(noise(20_000, i))));
    for (const [i, client] of clients.entries()) expect(client.octets.equals(noise(20_000, i))).toBe(true);
    for (const client of clients) client.socket.end();
    await Promise.all(clients.map((client) => client.closed));
    await eventually(() => tap.stats().connections.open === 0);
    const summary = await tap.stop();
    expect(summary.connections).toBe(100);
    expect(summary.octets).toEqual({ toServer: 2_000_000, toClient: 2_000_000 });
    if (!hasTshark()) return;
    const streams = await tsharkFields(file, ['tcp.stream']);
    expect(new Set(streams.flat()).size).toBe(100);
    expect(await tsharkComplaints(file)).toEqual([]);
  });

  test('two taps to one upstream are two interfaces and never one conversation', async () => {
    const server = await echo();
    const spec = (delay: number) => ({
      listen: { host: '127.0.0.1', port: 0 },
      upstream: { host: server.host, port: server.port },
      settings: { ...NO_DELAY, delayToServer: delay },
    });
    const { tap, file } = await startTap(server, {}, { taps: [spec(0), spec(10)] });
    const [a, b] = tap.listening.map((address) => new Client(address)) as [Client, Client];
    await Promise.all([a.exchange(noise(5000, 1)), b.exchange(noise(5000, 2))]);
    tap.update(1, { delayToServer: 0 });
    await Promise.all([a.exchange(noise(5000, 3)), b.exchange(noise(5000, 4))]);
    await tap.stop();
    if (!hasTshark()) return;
    const rows = await tsharkFields(file, ['tcp.stream', 'frame.interface_id', 'frame.interface_description']);
    const upstream = `127.0.0.1:${server.port}`;
    expect(new Set(rows.map((row) => row.join(' ')))).toEqual(new Set([`0 0 ${upstream}`, `1 1 ${upstream}`]));
    expect(await tsharkComplaints(file)).toEqual([]);
  });
});
