/** How fast a capture file is read, beside tshark on the same file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Fixture, type FixtureName, fixture } from './fixtures';
import { figure, median, note, ratios, section } from './report';
import type { Reading } from './workers/read-file';

const PLANS: { name: FixtureName; title: string; goal: number; tsharkRuns: number; runs: number }[] = [
  { name: 'health', title: '20,000 health checks', goal: 20, tsharkRuns: 5, runs: 5 },
  { name: 'unique', title: '20,000 health checks, unique headers', goal: 4, tsharkRuns: 5, runs: 5 },
  { name: 'download', title: 'a download of 200 MiB in messages of 256 KiB', goal: 100, tsharkRuns: 1, runs: 5 },
];
const WARM = 10;

/** Whole-process time against whole-process time: starting Node and compiling our code included. */
export async function reading(): Promise<void> {
  section('Reading a file: a new process that indexes it whole, beside tshark -Y http2 -T fields -e http2.type');
  for (const plan of PLANS) {
    const file = await fixture(plan.name);
    const ours: number[] = [];
    const theirs: number[] = [];
    let first: Reading[] = [];
    const inProcess: number[] = [];
    for (let run = 0; run < plan.runs; run++) {
      const [ms, readings] = await readFile(file.path);
      ours.push(ms);
      first = readings;
      inProcess.push(readings[0]!.ms);
      if (run < plan.tsharkRuns) theirs.push(await tshark(file));
    }
    const [, warm] = await readFile(file.path, WARM);
    const { frames, octets } = first[0]!;
    note(`${plan.title}: ${frames} frames, ${(octets / 1e6).toFixed(1)} MB`);
    figure('tshark', theirs, 'ms', undefined, 0);
    figure('Penstock, whole process', ours, 'ms', undefined, 0);
    figure('Penstock, first reading in a process', inProcess, 'ms', undefined, 1);
    const warmed = warm.slice(WARM / 2).map(({ ms }) => ms);
    figure('Penstock, warm', warmed, 'ms', undefined, 1);
    const seconds = median(warmed) / 1000;
    note(`warm: ${(frames / seconds / 1e6).toFixed(2)} M frames/s, ${(octets / 2 ** 20 / seconds).toFixed(0)} MiB/s`);
    const times = plan.tsharkRuns === plan.runs ? ratios(theirs, ours) : ours.map((ms) => theirs[0]! / ms);
    figure('tshark’s time / ours, whole processes', times, '×', { atLeast: plan.goal }, 1);
  }
}

/** @returns milliseconds of the whole process, and what it said of each reading */
export async function readFile(path: string, times = 1, nodeOptions: string[] = []): Promise<[number, Reading[]]> {
  const program = join(__dirname, 'read-file.js');
  const [ms, text] = await timed(process.execPath, [...nodeOptions, program, path, String(times)]);
  const lines = text.trim().split('\n');
  return [ms, lines.map((line) => JSON.parse(line) as Reading)];
}

/** All frames dissected to their types: what our index knows at least. Names are not looked up. */
async function tshark({ path, port }: Fixture): Promise<number> {
  const decode = ['-d', `tcp.port==${port},http2`, '-Y', 'http2', '-T', 'fields', '-e', 'http2.type'];
  const [ms] = await timed('tshark', ['-n', '-r', path, ...decode]);
  return ms;
}

async function timed(program: string, args: string[]): Promise<[number, string]> {
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const [status] = await once(child, 'close');
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ended with status ${status}`);
  return [ms, text];
}
