import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { hasTshark, tsharkComplaints, tsharkFields } from '../../support/tshark';
import { bundle } from './build';
import { afterThisTest, Client, echo, eventually, noise, serve, startTap, temporaryFile } from './helpers';

/** The types of a file's blocks, in order; throws where a block is not whole. */
function blockTypes(octets: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at < octets.length; ) {
    const length = octets.readUInt32LE(at + 4);
    if (octets.readUInt32LE(at + length - 4) !== length) throw new Error(`a broken block at ${at}`);
    types.push(octets.readUInt32LE(at));
    at += length;
  }
  return types;
}

const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const STATISTICS = 5;
const PACKET = 6;

describe('the capture file', () => {
  test('has a section, an interface and a conversation with acknowledgements when chunks were handed on', async () => {
    const { address, tap, file, committed } = await startTap(await echo(), { delayToServer: 20 });
    const client = new Client(address);
    await client.connected;
    const { localPort } = client.socket;
    await client.exchange(noise(70_000));
    client.socket.end();
    await client.closed;
    await eventually(() => tap.stats().connections.open === 0);
    const summary = await tap.stop();
    expect(summary.length).toBe(statSync(file).size);
    expect(committed.at(-1)).toBe(summary.length);
    const types = blockTypes(readFileSync(file));
    expect(types.slice(0, 5)).toEqual([SECTION, INTERFACE, PACKET, PACKET, PACKET]);
    expect(types.filter((type) => type === PACKET)).toHaveLength(summary.packets);
    if (!hasTshark()) return;
    expect(await tsharkComplaints(file)).toEqual([]);
    const rows = await tsharkFields(file, [
      'frame.time_relative',
      'tcp.srcport',
      'tcp.len',
      'tcp.ack',
      'tcp.flags.push',
    ]);
    const ofClient = (row: string[]) => row[1] === String(localPort);
    const data = rows.filter((row) => ofClient(row) && row[2] !== '0');
    expect(data.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(70_000);
    expect(Math.max(...data.map((row) => Number(row[2])))).toBeLessThanOrEqual(65_000);
    expect(data.at(-1)![4]).toBe('1');
    // The server's ACK of the last octet comes the delay after that octet's arrival.
    const delivered = rows.find((row) => !ofClient(row) && row[3] === '70001');
    expect(Number(delivered![0]) - Number(data.at(-1)![0])).toBeGreaterThanOrEqual(0.02);
  });

  test('is right over the wrap of the sequence numbers at 2^32, in both directions', async () => {
    const tuning = { initialSequence: (): [number, number] => [2 ** 32 - 100_000, 2 ** 32 - 2] };
    const { address, tap, file } = await startTap(await echo(), { delayToServer: 1 }, {}, tuning);
    const client = new Client(address);
    for (let i = 0; i < 5; i++) await client.exchange(noise(60_000, i));
    client.socket.end();
    await client.closed;
    await eventually(() => tap.stats().connections.open === 0);
    await tap.stop();
    if (!hasTshark()) return;
    expect(await tsharkComplaints(file)).toEqual([]);
    const rows = await tsharkFields(file, ['tcp.payload'], { filter: `tcp.len>0 && tcp.dstport==${address.port}` });
    expect(Buffer.from(rows.flat().join(''), 'hex').equals(client.octets)).toBe(true);
  });

  test('says when which settings applied', async () => {
    const { address, tap, file } = await startTap(await echo(), { delayToServer: 3 });
    await new Client(address).exchange(noise(10));
    tap.update(0, { delayToClient: 7, rateToServer: 1e6 });
    await new Client(address).exchange(noise(10));
    await tap.stop();
    const octets = readFileSync(file);
    expect(blockTypes(octets)).toContain(STATISTICS);
    const text = octets.toString('latin1');
    expect(text).toContain('Penstock 0.1.0');
    const listen = `127.0.0.1:${address.port}`;
    expect(text).toContain(
      `{"kind":"tap","listen":"${listen}","settings":{"delayToServer":3,"delayToClient":0,"delayConnect":false}}`,
    );
    expect(text).toContain(
      '{"kind":"settings","settings":{"delayToServer":3,"delayToClient":7,"delayConnect":false,"rateToServer":1000000}}',
    );
  });

  test('ends at its size limit with a mark, while forwarding goes on', async () => {
    const { address, tap, file, notices } = await startTap(await echo(), {}, { maxSize: 500_000 });
    const client = new Client(address);
    for (let i = 0; i < 20; i++) await client.exchange(noise(50_000, i));
    expect(client.received).toBe(1_000_000);
    expect(notices.map((notice) => notice.code)).toEqual(['size-limit']);
    expect(tap.stats().capturing).toBe(false);
    const summary = await tap.stop();
    expect(summary.ended).toBe('size-limit');
    const octets = readFileSync(file);
    expect(octets.length).toBeLessThanOrEqual(500_000);
    expect(octets.length).toBeGreaterThan(400_000);
    expect(blockTypes(octets).at(-1)).toBe(STATISTICS);
    expect(octets.toString('latin1')).toContain('"kind":"mark","code":"size-limit"');
    if (hasTshark()) expect(await tsharkComplaints(file)).toEqual([]);
  });

  test('a full disk ends the capture with a notice, while forwarding goes on', async () => {
    const { address, tap, notices } = await startTap(await echo(), {}, { file: '/dev/full' });
    const client = new Client(address);
    for (let i = 0; i < 20; i++) await client.exchange(noise(50_000, i));
    await eventually(() => notices.length > 0);
    expect(notices).toEqual([
      {
        severity: 'error',
        code: 'disk-full',
        message: 'cannot write /dev/full: the disk is full; the capture ends, forwarding goes on',
      },
    ]);
    await client.exchange(noise(50_000));
    const summary = await tap.stop();
    expect(summary.ended).toBe('disk-full');
    expect(summary.length).toBe(0);
  });

  test('is readable after kill -9, up to the last batch that was announced', async () => {
    const { folder, remove } = await bundle({ child: 'tests/main/tap/child.ts' });
    afterThisTest(remove);
    const server = await serve((socket) => socket.pipe(socket));
    const file = temporaryFile();
    const child = spawn(process.execPath, [join(folder, 'child.cjs'), file, String(server.port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    afterThisTest(() => child.kill('SIGKILL'));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let port = 0;
    let committed = 0;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word, value] = line.split(' ');
      if (word === 'listening') port = Number(value);
      else committed = Number(value);
    });
    await eventually(() => port > 0);
    const client = new Client({ host: '127.0.0.1', port });
    for (let i = 0; i < 300; i++) await client.exchange(noise(30_000, i));
    await eventually(() => committed > 9_000_000);
    child.kill('SIGKILL');
    await exited;
    const octets = readFileSync(file);
    expect(octets.length).toBeGreaterThanOrEqual(committed);
    expect(blockTypes(octets.subarray(0, committed)).length).toBeGreaterThan(600);
    if (!hasTshark()) return;
    const rows = await tsharkFields(file, ['tcp.len'], { filter: `tcp.dstport==${port}` });
    expect(rows.reduce((sum, [length]) => sum + Number(length), 0)).toBeGreaterThan(4_000_000);
    expect(await tsharkComplaints(file)).toEqual([]);
  });
});
