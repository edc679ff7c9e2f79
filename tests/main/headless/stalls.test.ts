import { beforeAll, describe, expect, test } from 'vitest';
import type { StallRecord } from '../../../src/shared/records';
import { conversation } from '../../support/conversation';
import { concat, data, grpcRequest, headersFrame, PREFACE, settings, uint32, windowUpdate } from '../../support/encode';
import { builtCli, jsonLines, penstock, writeCapture } from './cli';
import { healthCheck } from './fixture';

beforeAll(() => void builtCli(), 120_000);

/**
 * An upload of a message of 100,000 octets over a round trip of 20 ms: 65,535 octets at 13 ms, then nothing until the
 * credit sent at 24 ms has come at 34 ms; the rest, 100,005 - 65,535 = 34,470, in 16,384 + 16,384 + 1,702.
 */
function upload(penstock = true) {
  const part = (length: number) => data(1, new Uint8Array(length));
  return conversation({ delay: 0.01, penstock })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings())
    .toServer(0.013, headersFrame(1, grpcRequest('/a.B/C'))) // 4
    .toServer(0.013, data(1, concat(Uint8Array.of(0), uint32(100_000), new Uint8Array(16_379)))) // 5
    .toServer(0.013, part(16_384), part(16_384), part(16_383)) // 6 to 8
    .toClient(0.024, windowUpdate(0, 65_535), windowUpdate(1, 65_535)) // 9, 10
    .toServer(0.035, part(16_384), part(16_384), data(1, new Uint8Array(1702), { endStream: true })) // 11 to 13
    .fin(0.1, 'toServer')
    .fin(0.11, 'toClient');
}

describe('penstock stalls', () => {
  test('prints JSON Lines with the keys of the contract', async () => {
    const { code, stdout, stderr } = await penstock(['stalls', writeCapture(upload().file()), '--json']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(jsonLines<StallRecord>(stdout)).toEqual([
      {
        conn: 1,
        dir: 'toServer',
        stream: 1,
        from: 0.013,
        to: 0.034,
        cause: 'both',
        heldBy: [1],
        releasedBy: 10,
        share: null, // the response is missing: the call is open
        evidence: 'message',
      },
    ]);
  });

  test('prints a table for people, and a sentence', async () => {
    const { code, stdout } = await penstock(['stalls', writeCapture(upload().file())]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ *From s +Lasted +Of call +Conn +Stream +Cause +Released by +Held by$/);
    expect(lines[1]).toMatch(/^ *0\.013000000 +21 ms +1 +→ +1 +both +10 +itself$/);
    // From 13 to 35 ms 34,470 octets went; 65,535 / 20 ms = 3.125 MiB/s. The SETTINGS have no acknowledgement.
    expect(lines[3]).toMatch(
      /^Connection 1 → {2}Limited by the stream and the connection window: 64 KiB \/ 20 ms = 3\.1 MiB\/s, measured 1\.5 MiB\/s; 1 MiB would allow 50 MiB\/s\.$/,
    );
    expect(lines[4]).toContain('Round trip: 20 ms, as long as the tap kept octets, both ways.');
  });

  test('says so when there is none', async () => {
    const { code, stdout, stderr } = await penstock(['stalls', writeCapture(healthCheck().file())]);
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('no sender stood still for want of credit');
  });

  test('says what a file without deliveries cannot tell', async () => {
    const { code, stdout, stderr } = await penstock(['stalls', writeCapture(upload(false).file()), '--json']);
    expect(code).toBe(0);
    expect(jsonLines<StallRecord>(stdout).map(({ from, to }) => [from, to])).toEqual([[0.013, 0.024]]);
    expect(stderr).toContain('does not tell when octets were delivered');
  });
});
