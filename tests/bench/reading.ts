/** How fast a capture file is read, beside tshark on the same file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Fixture, type FixtureName, fixture } from './fixtures';
import { figure, median, note, ratios, section } from './report';
import type { Reading } from './workers/read-file';

/**
 * What tshark is asked for. `fields`: the type of every frame, the least it can say. `json`: all that it has dissected,
 * which is nearer to what our index answers from, but it also prints it (2 GB for 200 MiB).
 */
const QUESTIONS = { fields: ['-T', 'fields', '-e', 'http2.type'], json: ['-T', 'json'] };
type Question = keyof typeof QUESTIONS;

interface Plan {
  name: FixtureName;
  title: string;
  /** Which of tshark's times the goal is about, and how often it is measured: a minute or more may be enough once. */
  goals: { question: Question; runs: number; goal?: number }[];
}

const PLANS: Plan[] = [
  { name: 'health', title: '20,000 health checks', goals: [{ question: 'fields', runs: 5, goal: 20 }] },
  { name: 'unique', title: '20,000 health checks, unique headers', goals: [{ question: 'fields', runs: 5, goal: 4 }] },
  {
    name: 'download',
    title: 'a download of 200 MiB in messages of 256 KiB',
    goals: [
      { question: 'fields', runs: 5 },
      { question: 'json', runs: 1, goal: 100 },
    ],
  },
];
const RUNS = 5;
const WARM = 10;

/**
 * Whole-process time against whole-process time: starting Node and compiling our code included, in turns. A second
 * ratio, of our warm readings, is what an open program does.
 */
export async function reading(): Promise<void> {
  section('Reading a file: a new process that indexes it whole, beside tshark -n -Y http2');
  for (const plan of PLANS) await onePlan(plan);
}

async function onePlan({ name, title, goals }: Plan): Promise<void> {
  const file = await fixture(name);
  const whole: number[] = [];
  const first: number[] = [];
  const empty: number[] = [];
  const theirs = goals.map((): number[] => []);
  let sizes = { frames: 0, octets: 0 };
  for (let run = 0; run < RUNS; run++) {
    const [idle] = await timed(process.execPath, ['-e', '0']);
    empty.push(idle);
    const [ms, [reading]] = await readFile(file.path);
    whole.push(ms);
    first.push(reading!.ms);
    sizes = reading!;
    for (const [i, { question, runs }] of goals.entries()) {
      if (run < runs) theirs[i]!.push(await tshark(file, question));
    }
  }
  const [, readings] = await readFile(file.path, WARM);
  const warm = readings.slice(WARM / 2).map(({ ms }) => ms);
  const seconds = median(warm) / 1000;
  const { frames, octets } = sizes;
  note(`${title}: ${frames} frames, ${(octets / 1e6).toFixed(1)} MB`);
  figure('Node that reads nothing, whole process', empty, 'ms', undefined, 0);
  figure('Penstock, whole process', whole, 'ms', undefined, 0);
  figure('Penstock, first reading in a process', first, 'ms', undefined, 1);
  figure('Penstock, warm', warm, 'ms', undefined, 1);
  note(`warm: ${(frames / seconds / 1e6).toFixed(2)} M frames/s, ${(octets / 2 ** 20 / seconds).toFixed(0)} MiB/s`);
  for (const [i, { question, goal }] of goals.entries()) {
    const times = theirs[i]!;
    figure(`tshark -T ${question}`, times, 'ms', undefined, 0);
    const pairs = times.length === whole.length ? ratios(times, whole) : whole.map((ms) => times[0]! / ms);
    figure('its time / ours, whole processes', pairs, '×', goal === undefined ? undefined : { atLeast: goal }, 1);
    const most = times.map((ms) => ms / median(empty));
    figure('its time / Node that reads nothing', most, '×', undefined, 1);
    const cold = times.map((ms) => ms / median(first));
    figure('its time / our first reading', cold, '×', undefined, 1);
    figure(
      'its time / our warm reading',
      times.map((ms) => ms / median(warm)),
      '×',
      undefined,
      1,
    );
  }
}

/** @returns milliseconds of the whole process, and what it said of each reading */
export async function readFile(path: string, times = 1, nodeOptions: string[] = []): Promise<[number, Reading[]]> {
  const program = join(__dirname, 'read-file.js');
  const [ms, text] = await timed(process.execPath, [...nodeOptions, program, path, String(times)]);
  const lines = text.trim().split('\n');
  return [ms, lines.map((line) => JSON.parse(line) as Reading)];
}

/** What it prints is thrown away; names are not looked up. */
async function tshark({ path, port }: Fixture, question: Question): Promise<number> {
  const decode = ['-n', '-r', path, '-d', `tcp.port==${port},http2`, '-Y', 'http2'];
  const [ms] = await timed('tshark', [...decode, ...QUESTIONS[question]], 'ignore');
  return ms;
}

async function timed(program: string, args: string[], output: 'pipe' | 'ignore' = 'pipe'): Promise<[number, string]> {
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', output, 'ignore'] });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const [status] = await once(child, 'close');
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ended with status ${status}`);
  return [ms, text];
}
