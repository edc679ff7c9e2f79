import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(__dirname, '../../..');

let program: string | undefined;

/**
 * The program as the real build makes it, in a folder of its own (a build of `out/` beside the tests disturbs nothing).
 * It is built once for each state of the sources; test files that come later take what is there.
 */
export function builtCli(): string {
  if (program !== undefined) return program;
  const cache = join(root, '.cache');
  const folder = join(cache, `cli-${newestChange().toString(36)}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const fresh = mkdtempSync(join(cache, 'cli-build-'));
    const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
    execFileSync(process.execPath, [builder, 'build', '--logLevel', 'error', '--outDir', fresh], { cwd: root });
    forgetOlderBuilds(cache);
    try {
      renameSync(fresh, folder);
    } catch {
      // Another test file was quicker.
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  program = join(folder, 'main/cli.js');
  return program;
}

function newestChange(): number {
  const entries = ['src', 'protos'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  );
  return Math.max(
    ...[...entries, join(root, 'electron.vite.config.ts')].map((path) => Math.floor(statSync(path).mtimeMs)),
  );
}

/** Builds of an hour ago and more: nobody uses them any more. */
function forgetOlderBuilds(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (/^cli-/.test(name) && statSync(path).mtimeMs < Date.now() - 3_600_000)
      rmSync(path, { recursive: true, force: true });
  }
}

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  stdin?: Uint8Array;
  cwd?: string;
}

/** No colours, no terminal: what a script sees. */
const env = { ...process.env, NO_COLOR: '1' };

/** Runs the program to its end. */
export async function penstock(args: readonly string[], { stdin, cwd }: RunOptions = {}): Promise<Result> {
  const child = spawn(process.execPath, [builtCli(), ...args], { cwd, env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitOf(child)]);
  return { code, stdout, stderr };
}

/** Runs a line of shell, in which `$PENSTOCK` is the program: for pipes that close. */
export async function shell(line: string, cwd?: string): Promise<Result> {
  const PENSTOCK = `${process.execPath} ${builtCli()}`;
  const child = spawn('bash', ['-c', line], { cwd, env: { ...env, PENSTOCK }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitOf(child)]);
  return { code, stdout, stderr };
}

/** A program that runs until it is told to end. */
export class Running {
  readonly lines: string[] = [];
  stderr = '';
  readonly exit: Promise<number | null>;
  private wakers: (() => void)[] = [];

  constructor(readonly child: ChildProcess) {
    this.exit = exitOf(child);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.wake();
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.wake();
    });
    void this.exit.then(() => this.wake());
  }

  /** Waits until something that was printed makes `found` true. @throws when the program ends before */
  async until(found: () => boolean): Promise<void> {
    while (!found()) {
      if (this.child.exitCode !== null) throw new Error(`the program ended: ${this.lines.join('\n')}${this.stderr}`);
      await new Promise<void>((resolve) => this.wakers.push(resolve));
    }
  }

  private wake(): void {
    for (const waker of this.wakers.splice(0)) waker();
  }
}

export function startPenstock(args: readonly string[], cwd?: string): Running {
  return new Running(spawn(process.execPath, [builtCli(), ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => child.on('error', failed).on('close', (code) => done(code)));
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += piece;
  return text;
}

/** JSON Lines as values. @throws on a line that is no JSON */
export function jsonLines<T = Record<string, unknown>>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

const folders: string[] = [];

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the test process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-cli-'));
  folders.push(folder);
  return folder;
}

export function writeCapture(octets: Uint8Array, name = 'capture.pcapng'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, octets);
  return path;
}
