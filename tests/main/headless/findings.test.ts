import { beforeAll, describe, expect, test } from 'vitest';
import type { FindingRecord } from '../../../src/shared/records';
import { opened, unary } from '../../core/findings/findings';
import { captureFile } from '../../support/conversation';
import { data } from '../../support/encode';
import { builtCli, jsonLines, penstock, writeCapture } from './cli';
import { healthCheck } from './fixture';

beforeAll(() => void builtCli(), 120_000);

/** A call that fails for a message too large, and a fault: DATA on stream 0. */
const trouble = () =>
  unary(opened(), 0.01, 1, { status: 8, message: 'grpc: received message larger than max (5 vs. 4)' }).toServer(
    0.02,
    data(0, Uint8Array.of(1)), // 11
  );

describe('penstock findings', () => {
  test('prints JSON Lines with the keys of the contract', async () => {
    const { code, stdout, stderr } = await penstock(['findings', writeCapture(trouble().file()), '--json']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const found = jsonLines<FindingRecord>(stdout);
    expect(found.map(({ id }) => id)).toEqual(['protocol-fault', 'message-too-large']);
    expect(found[0]).toEqual({
      id: 'protocol-fault',
      severity: 'error',
      conn: 1,
      title: '1 fault of the client: PROTOCOL_ERROR',
      detail: expect.any(String),
      advice: expect.any(String),
      source: 'RFC 9113 §6.1',
      evidence: [11],
      numbers: { faults: 1 },
    });
    expect(found[1]!.stream).toBe(1);
  });

  test('prints sentences for people, within the width', async () => {
    const { code, stdout } = await penstock(['findings', writeCapture(trouble().file())]);
    expect(code).toBe(0);
    expect(stdout).toContain('error 1 fault of the client: PROTOCOL_ERROR (connection 1)\n');
    expect(stdout).toContain('(connection 1, stream 1)\n');
    expect(stdout).toMatch(/^ {2}Frame: 11$/m);
    expect(stdout).toMatch(/^ {2}Advice: /m);
    for (const line of stdout.split('\n').filter((each) => each.startsWith('  '))) {
      expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test('says that nothing found is no proof', async () => {
    const { code, stdout, stderr } = await penstock(['findings', writeCapture(healthCheck().file())]);
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('nothing was found in 12 frames and 1 call; the rules know common troubles, not all');
  });

  test('says what a file without deliveries cannot tell', async () => {
    const { stderr } = await penstock(['findings', writeCapture(healthCheck({ penstock: false }).file()), '--json']);
    expect(stderr).toContain('does not tell when octets were delivered');
  });

  test('leaves out what repeats over many connections, and says so', async () => {
    const faulty = Array.from({ length: 60 }, (_, i) =>
      opened({ client: `127.0.0.1:${41_000 + i}` }).toServer(0.01, data(0, Uint8Array.of(1))),
    );
    const { stdout, stderr } = await penstock(['findings', writeCapture(captureFile(faulty)), '--json']);
    expect(jsonLines<FindingRecord>(stdout)).toHaveLength(50);
    expect(stderr).toContain('10 more findings of the same kinds are left out');
  });
});
