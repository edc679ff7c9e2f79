import { beforeAll, describe, expect, test } from 'vitest';
import type { AccountRecord } from '../../../src/shared/records';
import { conversation } from '../../support/conversation';
import { builtCli, jsonLines, penstock, writeCapture } from './cli';
import { healthCheck, twoConnections } from './fixture';

let file = '';

beforeAll(() => {
  builtCli();
  file = writeCapture(healthCheck().file());
}, 120_000);

describe('penstock account', () => {
  test('prints one line of JSON for the whole of a file with one connection', async () => {
    const { code, stdout, stderr } = await penstock(['account', file, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [account, ...more] = jsonLines<AccountRecord>(stdout);
    expect(more).toEqual([]);
    expect(account).toMatchObject({ conn: null, stream: null, calls: 1, connections: 1, from: 0.001, to: 0.021 });
    // SETTINGS and its acknowledgement; besides them, the server's WINDOW_UPDATE and PING.
    expect(account!.toServer).toMatchObject({ messages: 1, messageBytes: 11, controlFrames: 2, pingsPerCall: 0 });
    expect(account!.toClient).toMatchObject({ messages: 1, messageBytes: 7, controlFrames: 4, pingsPerCall: 1 });
    expect(account!.toClient.types.PING).toEqual({ frames: 1, bytes: 17, chunks: 1 });
  });

  test('prints a line for each connection, too, where there are several', async () => {
    const { stdout } = await penstock(['account', writeCapture(twoConnections()), '--json']);
    const records = jsonLines<AccountRecord>(stdout);
    expect(records.map(({ conn, calls }) => [conn, calls])).toEqual([
      [null, 2],
      [1, 1],
      [2, 1],
    ]);
  });

  test('prints one table for people', async () => {
    const { code, stdout, stderr } = await penstock(['account', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('1 call · 1 connection · in 20 ms');
    expect(lines[1]).toMatch(/^ +→ +← +both$/);
    expect(lines).toContainEqual(expect.stringMatching(/^The protocol sent$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}Messages +1 +1 +2$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}PINGs per call +0\.000 +1\.000 +1\.000$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}Frames per chunk +1\.333 +2\.333 +1\.833$/));
  });

  test('sets two files side by side in one table', async () => {
    const other = writeCapture(twoConnections());
    const { code, stdout } = await penstock(['account', file, other]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(`A  ${file}: 1 call · 1 connection · in 20 ms`);
    expect(lines[1]).toMatch(/^B {2}.*: 2 calls · 2 connections · in 102 ms$/);
    expect(lines[2]).toMatch(/^ +A → +A ← +A both +B → +B ← +B both$/);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}PINGs per call +0\.000 +1\.000 +1\.000 +0\.000 +0\.500 +0\.500$/),
    );
    const json = jsonLines<AccountRecord & { file: string }>(
      (await penstock(['account', file, other, '--json'])).stdout,
    );
    expect(json.map((record) => [record.file, record.conn])).toEqual([
      [file, null],
      [other, null],
      [other, 1],
      [other, 2],
    ]);
  });

  test('takes a part of the time, or one stream', async () => {
    const part = await penstock(['account', file, '--from', '0.02', '--to', '0.021', '--json']);
    expect(jsonLines<AccountRecord>(part.stdout)).toMatchObject([
      { from: 0.02, to: 0.02, calls: 1, toServer: { frames: 0 }, toClient: { frames: 2, pings: 1 } },
    ]);
    const stream = await penstock(['account', file, '--call', '1:1', '--json']);
    expect(jsonLines<AccountRecord>(stream.stdout)).toMatchObject([
      { conn: 1, stream: 1, calls: 1, toServer: { frames: 2 }, toClient: { frames: 3, controlFrames: 0 } },
    ]);
  });

  test('says so where there is nothing to count', async () => {
    const { code, stderr } = await penstock(['account', writeCapture(conversation().file())]);
    expect(code).toBe(0);
    expect(stderr).toContain('no frames');
  });

  test.each([
    [['account'], 'FILE is missing'],
    [['account', 'a', '--from', 'soon'], '--from must be a number of seconds'],
    [['account', 'a', '--from', '2', '--to', '1'], '--from must be before --to'],
    [['account', '-', '-'], 'standard input can be read only once'],
    [['account', 'a', '--call', '1'], '--call must be CONN:STREAM'],
  ])('%j is wrong usage', async (words, message) => {
    const { code, stdout, stderr } = await penstock(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('there is no account of a call that is not there', async () => {
    const { code, stderr } = await penstock(['account', file, '--call', '1:99']);
    expect(code).toBe(1);
    expect(stderr).toContain('there is no call on stream 99 of connection 1');
  });
});
