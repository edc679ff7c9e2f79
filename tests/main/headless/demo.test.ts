import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { CallRecord } from '../../../src/shared/records';
import { builtCli, jsonLines, penstock, temporaryFolder } from './cli';

beforeAll(() => {
  builtCli();
}, 120_000);

test('the demo shows frames, calls and outcomes, and leaves a file', async () => {
  const folder = temporaryFolder();
  const { code, stdout } = await penstock(['demo'], { cwd: folder });
  const [file] = readdirSync(folder);
  expect(file).toMatch(/^penstock-demo-.*\.pcapng$/);
  // A server may send its SETTINGS before the client's preface has passed the tap.
  expect(stdout).toMatch(/^ +[12] +\S+( +\S+)? +1 +→ +PREFACE/m);
  expect(stdout).toMatch(/\/penstock\.demo\.v1\.Flow\/Fail +FAILED_PRECONDITION/);
  expect(stdout.match(/^ok {2}/gm)).toHaveLength(15);
  expect(stdout).toContain(`wireshark -d tcp.port==`);
  expect(stdout).toContain(`cli.js frames ${file}`);
  expect(code).toBe(0);
  const calls = jsonLines<CallRecord>((await penstock(['calls', join(folder, file!), '--json'])).stdout);
  expect(calls.length).toBeGreaterThanOrEqual(22);
  // A round trip of 20 ms is the least that a call takes; one that the client gave up waits for nothing.
  for (const call of calls) if (call.status === 0) expect(call.end! - call.start).toBeGreaterThan(0.02);
});

test('with --json every line is an object: the frames, the calls, the outcomes, the summary', async () => {
  const file = join(temporaryFolder(), 'demo.pcapng');
  const { code, stdout } = await penstock(['demo', '--json', '--write', file]);
  expect(code).toBe(0);
  const lines = jsonLines(stdout);
  expect(lines[0]).toMatchObject({ event: 'listening', file });
  expect(lines.filter(({ event }) => event === 'outcome').every(({ matches }) => matches === true)).toBe(true);
  const summary = lines[lines.length - 1]!;
  const frames = lines.filter(({ n }) => n !== undefined);
  expect(summary).toMatchObject({ event: 'summary', file, frames: frames.length, faults: 0, ended: null });
  expect(lines.filter(({ event }) => event === 'call')).toHaveLength(Number(summary.calls));
});
