import { linkSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FrameRecord } from '../../../src/shared/records';
import { captureFile, conversation } from '../../support/conversation';
import { hasTshark, tsharkComplaints, tsharkFields } from '../../support/tshark';
import { builtCli, jsonLines, penstock, temporaryFolder, writeCapture } from './cli';
import { healthCheck, ROWS, twoConnections } from './fixture';

beforeAll(() => {
  builtCli();
}, 120_000);

async function framesOf(path: string): Promise<FrameRecord[]> {
  return jsonLines<FrameRecord>((await penstock(['frames', path, '--json'])).stdout);
}

function target(name: string): string {
  return join(temporaryFolder(), name);
}

describe('pcapng', () => {
  test('of a pcapng file is the file, unpacked if it was compressed', async () => {
    const octets = Buffer.from(twoConnections());
    const out = target('out.pcapng');
    const { code, stdout } = await penstock(['export', writeCapture(octets), '--to', 'pcapng', '-o', out]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(readFileSync(out).equals(octets)).toBe(true);
    expect(readdirSync(dirname(out))).toEqual(['out.pcapng']);
    const compressed = writeCapture(gzipSync(octets), 'capture.gz');
    await penstock(['export', compressed, '--to', 'pcapng', '-o', out]);
    expect(readFileSync(out).equals(octets)).toBe(true);
  });

  test('of a pcap file has the same frames at the same times, and no deliveries', async () => {
    const source = writeCapture(twoConnections({ penstock: false }), 'capture.pcap');
    const out = target('out.pcapng');
    expect((await penstock(['export', source, '--to', 'pcapng', '-o', out])).code).toBe(0);
    expect(readFileSync(out).subarray(0, 4).toString('hex')).toBe('0a0d0d0a');
    expect(await framesOf(out)).toEqual(await framesOf(source));
  });

  test('with a filter keeps the connections of the frames that pass, whole', async () => {
    for (const penstockFile of [true, false]) {
      const source = writeCapture(twoConnections({ penstock: penstockFile }));
      const out = target('out.pcapng');
      const { code, stderr } = await penstock([
        'export',
        source,
        '--to',
        'pcapng',
        '-o',
        out,
        '--filter',
        'type == PING',
      ]);
      expect(stderr).toContain('1 of 2 connections have frames that pass: kept whole');
      expect(code).toBe(0);
      const frames = await framesOf(out);
      expect(frames).toEqual((await framesOf(source)).filter(({ conn }) => conn === 1));
      expect(frames).toHaveLength(ROWS);
    }
  });

  test('with a filter tells connections of one pair of ports apart', async () => {
    const sequence = { toServer: 0x8000_0000, toClient: 0x9000_0000 };
    const again = conversation({ delay: 0.01, handshake: 2, sequence }).toServer(2.1, Uint8Array.of(1, 2, 3));
    const source = writeCapture(captureFile([healthCheck(), again]));
    const out = target('out.pcapng');
    await penstock(['export', source, '--to', 'pcapng', '-o', out, '--filter', 'conn == 2']);
    expect((await framesOf(out)).map(({ type, length }) => [type, length])).toEqual([['OPAQUE', 3]]);
  });

  test.runIf(hasTshark())('is what tshark finds nothing wrong with', async () => {
    const source = writeCapture(twoConnections());
    const out = target('out.pcapng');
    await penstock(['export', source, '--to', 'pcapng', '-o', out, '--filter', 'conn == 1']);
    const rows = await tsharkFields(out, ['http2.type'], { filter: 'http2', http2Ports: [50051] });
    const types = rows.flat().flatMap((types) => types.split(','));
    expect(types.filter((type) => type !== '')).toHaveLength(ROWS - 1);
    expect(await tsharkComplaints(out)).toEqual([]);
  });
});

test('jsonl and csv are what frames prints, to a file or to standard output', async () => {
  const source = writeCapture(twoConnections());
  for (const [format, option] of [
    ['jsonl', '--json'],
    ['csv', '--csv'],
  ] as const) {
    const { stdout: expected } = await penstock(['frames', source, option, '--filter', 'conn == 2']);
    const out = target(`out.${format}`);
    await penstock(['export', source, '--to', format, '-o', out, '--filter', 'conn == 2']);
    expect(readFileSync(out, 'utf8')).toBe(expected);
    const { stdout } = await penstock(['export', source, '--to', format, '-o', '-', '--filter', 'conn == 2']);
    expect(stdout).toBe(expected);
  }
});

describe('the capture itself is never overwritten', () => {
  test('by its name or by a link to it', async () => {
    const octets = Buffer.from(twoConnections());
    const source = writeCapture(octets);
    const links = temporaryFolder();
    symlinkSync(source, join(links, 'symbolic'));
    linkSync(source, join(links, 'hard'));
    for (const path of [source, join(links, 'symbolic'), join(links, 'hard')]) {
      const { code, stderr } = await penstock(['export', source, '--to', 'csv', '-o', path]);
      expect(stderr).toContain('is the capture itself');
      expect(code).toBe(2);
    }
    expect(readFileSync(source).equals(octets)).toBe(true);
  });

  test('and a file that cannot be written is a failure without a trace', async () => {
    const source = writeCapture(twoConnections());
    const { code, stderr } = await penstock(['export', source, '--to', 'csv', '-o', '/no/such/folder/out.csv']);
    expect(stderr).toBe('penstock: cannot write /no/such/folder/out.csv: no such folder\n');
    expect(code).toBe(1);
  });
});
