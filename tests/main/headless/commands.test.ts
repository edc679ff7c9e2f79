import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CallRecord, ConnectionRecord, FrameRecord, MessageRecord } from '../../../src/shared/records';
import { builtCli, jsonLines, penstock, shell, writeCapture } from './cli';
import { healthCheck, openHealthCheck, ROWS, twoConnections } from './fixture';

let file = '';
let two = '';

beforeAll(() => {
  builtCli();
  file = writeCapture(healthCheck().file());
  two = writeCapture(twoConnections());
}, 120_000);

describe('penstock frames', () => {
  test('prints a table for people', async () => {
    const { code, stdout, stderr } = await penstock(['frames', file]);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(lines).toHaveLength(1 + ROWS);
    expect(lines[0]).toMatch(/^ *# +Time s +Δ ms +Conn +Stream +Type +Flags +Length +Info$/);
    expect(lines[8]).toMatch(/^ *8 +0\.020000000 +\+16\.000 +1 +← +0 +WINDOW_UPDATE +4 +connection \+11/);
    expect(lines[9]).toMatch(/PING +8 +BDP ping \(grpc-go\)/);
  });

  test('prints JSON Lines with the keys of the contract', async () => {
    const { code, stdout } = await penstock(['frames', file, '--json']);
    const frames = jsonLines<FrameRecord>(stdout);
    expect(code).toBe(0);
    expect(frames.map(({ n }) => n)).toEqual(Array.from({ length: ROWS }, (_, i) => i + 1));
    expect(frames[7]).toEqual({
      n: 8,
      t: 0.02,
      delivered: 0.03,
      conn: 1,
      dir: 'toClient',
      chunk: expect.any(Number),
      chunks: [expect.any(Number), expect.any(Number)],
      type: 'WINDOW_UPDATE',
      typeId: 8,
      flags: [],
      flagBits: 0,
      stream: 0,
      reserved: 0,
      length: 4,
      offset: expect.any(Number),
      complete: true,
      info: expect.stringContaining('+11'),
      increment: 11,
    });
    expect(frames[0]).toMatchObject({ type: 'PREFACE', typeId: null });
    expect(frames[5]).toMatchObject({ block: [6], headers: expect.arrayContaining([['te', 'trailers']]) });
  });

  test('prints CSV in which no cell is a formula and numbers are numbers', async () => {
    const { code, stdout } = await penstock(['frames', two, '--csv']);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toBe(
      'n,t,tFirst,delivered,conn,dir,chunk,type,typeId,flags,flagBits,stream,reserved,length,offset,complete,info,faults',
    );
    expect(lines[8]).toMatch(/^8,0\.020000000,,0\.030000000,1,toClient,\d+,WINDOW_UPDATE,8,,0,0,0,4,/);
    expect(stdout).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  test('keeps the rows that pass a filter', async () => {
    const { code, stdout } = await penstock(['frames', file, '--filter', 'type == PING', '--json']);
    expect(code).toBe(0);
    expect(jsonLines<FrameRecord>(stdout).map(({ n }) => n)).toEqual([9]);
  });

  test('points at the place where a filter is wrong', async () => {
    const { code, stdout, stderr } = await penstock(['frames', file, '--filter', 'conn == 1 && streem == 1']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    const [message, expression, caret] = stderr.split('\n');
    expect(message).toContain('character 14');
    expect(caret!.indexOf('^')).toBe(expression!.indexOf('streem'));
  });

  test('reads standard input, gzip and pcap all the same', async () => {
    const { stdout: expected } = await penstock(['frames', file, '--json']);
    const octets = readFileSync(file);
    expect((await penstock(['frames', '-', '--json'], { stdin: octets })).stdout).toBe(expected);
    expect((await penstock(['frames', '-', '--json'], { stdin: gzipSync(octets) })).stdout).toBe(expected);
    const compressed = writeCapture(gzipSync(octets), 'capture.pcapng.gz');
    expect((await penstock(['frames', compressed, '--json'])).stdout).toBe(expected);
    const foreign = writeCapture(healthCheck({ penstock: false }).file(), 'capture.pcap');
    const frames = jsonLines<FrameRecord>((await penstock(['frames', foreign, '--json'])).stdout);
    expect(frames).toHaveLength(ROWS);
    expect(frames[0]).not.toHaveProperty('delivered');
  });

  test('shows control characters of the capture, and faults', async () => {
    const { code, stdout } = await penstock(['frames', two]);
    expect(code).toBe(0);
    expect(stdout).toContain('/a\\x1b[31m/b');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/DATA +1 +! PROTOCOL_ERROR: /);
  });
});

describe('other commands', () => {
  test('connections', async () => {
    const { code, stdout } = await penstock(['connections', two, '--json']);
    expect(code).toBe(0);
    const [first, second] = jsonLines<ConnectionRecord>(stdout);
    expect(first).toMatchObject({
      conn: 1,
      client: '127.0.0.1:40001',
      server: '127.0.0.1:50051',
      protocol: 'h2',
      joined: 'start',
      frames: { toServer: { PREFACE: 1, SETTINGS: 2, HEADERS: 1, DATA: 1 } },
      closed: { by: 'client', how: 'fin' },
    });
    expect(second).toMatchObject({ conn: 2, closed: null });
    const table = await penstock(['connections', two]);
    expect(table.stdout).toMatch(/^ +1 +127\.0\.0\.1:40001 +127\.0\.0\.1:50051 +h2 /m);
  });

  test('calls', async () => {
    const { code, stdout } = await penstock(['calls', file, '--json']);
    expect(code).toBe(0);
    expect(jsonLines<CallRecord>(stdout)).toEqual([
      {
        conn: 1,
        stream: 1,
        kind: 'grpc',
        method: '/grpc.health.v1.Health/Check',
        httpStatus: 200,
        status: 0,
        statusName: 'OK',
        statusMessage: null,
        start: 0.004,
        end: 0.031,
        requestEnd: 0.004,
        responseStart: 0.031,
        requestMessages: 1,
        responseMessages: 1,
        requestBytes: 11,
        responseBytes: 7,
        state: 'closed',
        resetCode: null,
        unprocessed: false,
      },
    ]);
    expect((await penstock(['calls', file])).stdout).toMatch(/\/grpc\.health\.v1\.Health\/Check +OK +0\.004000 +27 ms/);
  });

  test('messages, of all calls or of one', async () => {
    const { code, stdout } = await penstock(['messages', file, '--json']);
    expect(code).toBe(0);
    const messages = jsonLines<MessageRecord>(stdout);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toMatchObject({
      conn: 1,
      stream: 1,
      dir: 'toServer',
      index: 0,
      compressed: false,
      encoding: 'identity',
      wireLength: 6,
      length: 6,
      complete: true,
      assumed: false,
      frames: [7],
    });
    const table = await penstock(['messages', file, '--call', '1:1']);
    expect(table.stdout).toContain('1: "demo"');
    const none = await penstock(['messages', file, '--call', '1:7']);
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no call on stream 7') });
  });

  test('bytes: a dump, the fields, what a PING means, and a header block', async () => {
    const pingText = await penstock(['bytes', file, '--frame', '9']);
    expect(pingText.code).toBe(0);
    expect(pingText.stdout).toContain('0000  00 00 08 06 00 00 00 00  00 02 04 10 10 09 0e 07  ................');
    expect(pingText.stdout).toMatch(/9 to 16 +Opaque data +02 04 10 10 09 0e 07 07 +BDP ping \(grpc-go\)/);
    const headersText = await penstock(['bytes', file, '--frame', '6']);
    expect(headersText.stdout).toMatch(/:path +\/grpc\.health\.v1\.Health\/Check +literal, not added to the table/);
    const { stdout } = await penstock(['bytes', file, '--frame', '8', '--json']);
    expect(jsonLines(stdout)).toEqual([
      { frame: expect.objectContaining({ n: 8 }), fields: expect.any(Array), octets: '0000040800000000000000000b' },
    ]);
  });

  test('info', async () => {
    const { code, stdout } = await penstock(['info', two]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Format +pcapng, written by Penstock/);
    expect(stdout).toContain('2024-01-01T00:00:00.000000000Z');
    expect(stdout).toMatch(/^Connections 2 h2$/m);
    expect(stdout).toMatch(/^Faults +1\n +1 PROTOCOL_ERROR$/m);
  });
});

describe('the exit status is', () => {
  test('2 for wrong usage, with one line on standard error', async () => {
    const { code, stdout, stderr } = await penstock(['frames', 'a', '--color']);
    expect(stderr).toBe('penstock: frames: unknown option --color; allowed: --filter EXPR, --json, --csv\n');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each([
    ['/no/such/file', 'no such file'],
    [__filename, 'is no capture file'],
    [__dirname, 'is a directory'],
  ])('1 for a file like %s', async (path, message) => {
    const { code, stdout, stderr } = await penstock(['frames', path]);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('1 for a frame that is not there', async () => {
    const result = await penstock(['bytes', file, '--frame', '99']);
    expect(result).toMatchObject({ code: 1, stderr: `penstock: there is no frame 99: the file has ${ROWS}\n` });
  });

  test('0 for a file that ends inside a block: what is there is printed', async () => {
    const octets = readFileSync(file);
    const cut = writeCapture(octets.subarray(0, octets.length - 7));
    const { code, stdout, stderr } = await penstock(['frames', cut, '--json']);
    expect(jsonLines(stdout)).toHaveLength(ROWS);
    expect(stderr).toContain('the file ends inside a block');
    expect(code).toBe(0);
  });

  test('1 for a damaged file, after what came before the damage', async () => {
    const octets = Buffer.concat([readFileSync(file), Buffer.alloc(64, 0xff)]);
    const { code, stdout, stderr } = await penstock(['frames', writeCapture(octets), '--json']);
    expect(jsonLines(stdout)).toHaveLength(ROWS);
    expect(stderr).toContain('damaged at file offset');
    expect(code).toBe(1);
  });

  test('0 for help and the version', async () => {
    const help = await penstock(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('penstock frames FILE');
    expect(help.stdout).not.toContain('penstock lab');
    expect((await penstock(['capture', '--help'])).stdout).toContain('--delay-to-client DURATION');
    expect((await penstock(['--version'])).stdout).toMatch(/^penstock \d+\.\d+\.\d+\n$/);
  });
});

describe('pipes', () => {
  const many = 20_000;
  let large = '';

  beforeAll(() => {
    // Larger than any pipe's buffer in every format.
    const frames = Array.from({ length: many }, () => Uint8Array.of(0, 0, 0, 0xfa, 0, 0, 0, 0, 1));
    large = writeCapture(openHealthCheck().toServer(0.6, Buffer.concat(frames)).file());
  });

  test('that close end the program in good order', async () => {
    const { code, stdout, stderr } = await shell(`$PENSTOCK frames ${large} --json | head -1; exit \${PIPESTATUS[0]}`);
    expect(jsonLines(stdout)).toHaveLength(1);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('get all of a large output, though their reader is slow', async () => {
    const { code, stdout } = await shell(`$PENSTOCK frames ${large} --json | (sleep 0.5; wc -l)`);
    expect(code).toBe(0);
    expect(Number(stdout)).toBe(many + ROWS);
  });
});

test('the program can be run as it is', () => {
  const { stdout, status } = spawnSync(builtCli(), ['--version'], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('penstock');
});
