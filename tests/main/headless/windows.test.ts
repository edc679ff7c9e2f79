import { beforeAll, describe, expect, test } from 'vitest';
import type { WindowRecord } from '../../../src/shared/records';
import { captureFile, conversation } from '../../support/conversation';
import { data, grpcRequest, headersFrame, PREFACE, settings, windowUpdate } from '../../support/encode';
import { builtCli, jsonLines, penstock, writeCapture } from './cli';
import { healthCheck, twoConnections } from './fixture';

let file = '';

beforeAll(() => {
  builtCli();
  file = writeCapture(healthCheck().file());
}, 120_000);

const base = { conn: 1, view: 'sender' } as const;

describe('penstock windows', () => {
  test('prints JSON Lines with the keys of the contract, in the view of the sender', async () => {
    const { code, stdout, stderr } = await penstock(['windows', file, '--json']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    // The request is a message of 6 octets behind its prefix of 5, the response one of 2 behind 5.
    expect(jsonLines<WindowRecord>(stdout)).toEqual([
      { ...base, dir: 'toServer', stream: 1, t: 0.004, window: 65_535, change: 0, cause: 'OPEN', frame: 6 },
      { ...base, dir: 'toClient', stream: 1, t: 0.004, window: 65_535, change: 0, cause: 'OPEN', frame: 6 },
      { ...base, dir: 'toServer', stream: 0, t: 0.004, window: 65_524, change: -11, cause: 'DATA', frame: 7 },
      { ...base, dir: 'toServer', stream: 1, t: 0.004, window: 65_524, change: -11, cause: 'DATA', frame: 7 },
      { ...base, dir: 'toClient', stream: 0, t: 0.021, window: 65_528, change: -7, cause: 'DATA', frame: 11 },
      { ...base, dir: 'toClient', stream: 1, t: 0.021, window: 65_528, change: -7, cause: 'DATA', frame: 11 },
      // Sent at 20 ms, with the client at 30 ms.
      { ...base, dir: 'toServer', stream: 0, t: 0.03, window: 65_535, change: 11, cause: 'WINDOW_UPDATE', frame: 8 },
    ]);
  });

  test('prints the view of the receiver when asked', async () => {
    const { stdout } = await penstock(['windows', file, '--view', 'receiver', '--json']);
    const records = jsonLines<WindowRecord>(stdout);
    expect(records.every(({ view }) => view === 'receiver')).toBe(true);
    expect(records.map(({ t, stream, window, frame }) => [t, stream, window, frame])).toEqual([
      [0.004, 1, 65_535, 6],
      [0.004, 1, 65_535, 6],
      [0.014, 0, 65_524, 7],
      [0.014, 1, 65_524, 7],
      [0.02, 0, 65_535, 8],
      [0.031, 0, 65_528, 11],
      [0.031, 1, 65_528, 11],
    ]);
  });

  test('prints a table for people', async () => {
    const { code, stdout, stderr } = await penstock(['windows', file]);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(lines).toHaveLength(1 + 7);
    expect(lines[0]).toMatch(/^ *Time s +Conn +Stream +Cause +Change +Window +Frame +Notes$/);
    expect(lines[1]).toMatch(/^ *0\.004000000 +1 +→ +1 +OPEN +65,535 +6$/);
    expect(lines[7]).toMatch(/^ *0\.030000000 +1 +→ +conn +WINDOW_UPDATE +\+11 +65,535 +8$/);
  });

  test('says of a connection joined in the middle that its windows are relative', async () => {
    const middle = conversation({ handshake: false })
      .toServer(0, data(1, new Uint8Array(9)))
      .toClient(0.01, windowUpdate(0, 4))
      .file();
    const { stdout } = await penstock(['windows', writeCapture(middle), '--json']);
    expect(jsonLines<WindowRecord>(stdout)).toEqual([
      { ...base, dir: 'toServer', stream: 0, t: 0, window: -9, change: -9, cause: 'DATA', frame: 1, relative: true },
      { ...base, dir: 'toServer', stream: 1, t: 0, window: -9, change: -9, cause: 'DATA', frame: 1, relative: true },
      {
        ...base,
        dir: 'toServer',
        stream: 0,
        t: 0.01,
        window: -5,
        change: 4,
        cause: 'WINDOW_UPDATE',
        frame: 2,
        relative: true,
      },
    ]);
  });

  test('merges connections by time, then by place in the file', async () => {
    const talk = (n: number) => {
      const one = conversation({ client: `127.0.0.1:4000${n}`, handshake: n / 1e4 })
        .toServer(0.001, PREFACE, settings())
        .toServer(0.002, headersFrame(1, grpcRequest('/a.B/C')));
      for (let i = 0; i < 10; i++) one.toServer(0.01 + i * n * 0.001, data(1, new Uint8Array(n)));
      return one;
    };
    const { stdout } = await penstock(['windows', writeCapture(captureFile([1, 2, 3, 4, 5].map(talk))), '--json']);
    const records = jsonLines<WindowRecord>(stdout);
    expect(records).toHaveLength(5 * (2 + 2 * 10));
    expect(records).toEqual([...records].sort((a, b) => a.t - b.t || a.frame - b.frame));
    expect(new Set(records.map(({ conn }) => conn)).size).toBe(5);
  });

  test.each<[what: string, octets: () => Uint8Array, words: string]>([
    ['no deliveries', () => healthCheck({ penstock: false }).file(), 'does not tell when octets were delivered'],
    [
      'octets that were never seen',
      () =>
        conversation()
          .toServer(0.001, PREFACE, settings(), headersFrame(1, grpcRequest('/a.B/C')))
          .gap('toServer', 100)
          .toServer(0.1, data(1, new Uint8Array(10)))
          .file(),
      'octets are missing of connection 1',
    ],
    [
      'no HTTP/2',
      () => conversation().toServer(0.1, new TextEncoder().encode('hello')).file(),
      'no HTTP/2 stream was opened',
    ],
  ])('says on standard error what it cannot tell: %s', async (_what, octets, words) => {
    const { code, stderr } = await penstock(['windows', writeCapture(octets())]);
    expect(stderr).toContain(words);
    expect(code).toBe(0);
  });

  test('lists a file with faults and a second connection', async () => {
    const { code, stdout } = await penstock(['windows', writeCapture(twoConnections()), '--json']);
    expect(code).toBe(0);
    const second = jsonLines<WindowRecord>(stdout).filter(({ conn }) => conn === 2);
    // OPEN of stream 1, then DATA on stream 0: a fault, and an octet spent all the same.
    expect(second.map(({ stream, change }) => [stream, change])).toEqual([
      [1, 0],
      [1, 0],
      [0, -1],
    ]);
  });

  test.each([
    [['windows'], 'FILE is missing'],
    [['windows', 'a', '--view', 'both'], '--view must be sender or receiver, not "both"'],
  ])('%j is wrong usage', async (words, message) => {
    const { code, stdout, stderr } = await penstock(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
