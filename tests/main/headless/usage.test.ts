import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/main/headless/context';
import { Output } from '../../../src/main/headless/output';
import { run } from '../../../src/main/headless/run';
import { styleFor } from '../../../src/main/headless/style';

/** A command line, run in this process: what it says of wrong usage needs no other. */
async function usageOf(...words: string[]): Promise<{ code: number; stdout: string; stderr: string[] }> {
  const stdout = new PassThrough();
  const stderr: string[] = [];
  const context: Context = {
    program: 'penstock',
    out: new Output(stdout),
    style: styleFor(false, {}),
    width: undefined,
    note: (text) => stderr.push(text),
    progress: () => undefined,
    tapWorker: '',
    engineWorker: '',
  };
  const code = await run(words, context);
  return { code, stdout: String(stdout.read() ?? ''), stderr };
}

describe('wrong usage exits with 2 and says what is allowed:', () => {
  test.each<[string[], string]>([
    [['frams', 'x'], 'did you mean frames?'],
    [['frames'], 'FILE is missing'],
    [['frames', 'a', 'b'], 'unexpected "b"'],
    [['frames', 'a', '--color'], 'unknown option --color; allowed: --filter EXPR, --json, --csv'],
    [['frames', 'a', '--json', '--json'], '--json is given twice'],
    [['frames', 'a', '--json', '--csv'], 'exclude each other'],
    [['frames', 'a', '--filter'], '--filter needs a value'],
    [['bytes', 'a', '--frame', '0'], "--frame must be a frame's number"],
    [['messages', 'a', '--call', '1'], '--call must be CONN:STREAM'],
    [['export', 'a', '--to', 'xml', '-o', 'b'], '--to must be one of pcapng, jsonl, csv'],
    [['export', 'a', '--to', 'har', '-o', 'b'], 'not in this version'],
    [['export', 'a', '--to', 'csv'], '-o OUT is missing'],
    [['lab', 'a'], 'lab: not in this version'],
    [['capture', '--listen', '127.0.0.1:0'], '--upstream HOST:PORT is missing'],
    [['capture', '--listen', '50051', '--upstream', 'a:1'], '--listen must be HOST:PORT'],
    [['capture', '--listen', '[::1]:0', '--upstream', 'a:1', '--rtt', '20'], '--rtt must be a number with us, ms, s'],
    [['capture', '--listen', '[::1]:0', '--upstream', 'a:1', '--rate', '10MiB'], '--rate must be a number with B/s'],
    [
      ['capture', '--listen', '[::1]:0', '--upstream', 'a:1', '--rtt', '1ms', '--delay-to-client', '1ms'],
      'it excludes --delay-to-server and --delay-to-client',
    ],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await usageOf(...words);
    expect(stderr[stderr.length - 1]).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each(['lab'])('%s is announced only', async (name) => {
    const { code, stderr } = await usageOf(name, 'FILE', '--json');
    expect(stderr).toEqual([`penstock: ${name}: not in this version`]);
    expect(code).toBe(2);
  });
});

test('words that look like numbers stay words, and - is a file', async () => {
  expect((await usageOf('frames', '0x10')).stderr).toEqual(['penstock: no such file: 0x10']);
  expect((await usageOf('frames', '--', '--json')).stderr).toEqual(['penstock: no such file: --json']);
  expect((await usageOf('export', '007', '--to', 'csv', '-o', '-')).stderr).toEqual(['penstock: no such file: 007']);
});

test('help goes to standard output and names no command that is not there', async () => {
  const { code, stdout } = await usageOf('help');
  expect(code).toBe(0);
  expect(stdout).toContain('penstock capture [options]');
  expect(stdout).not.toMatch(/penstock (lab)/);
  expect((await usageOf('help', 'export')).stdout).toContain('-o, --output OUT');
});
