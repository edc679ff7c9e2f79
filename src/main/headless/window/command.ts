import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from '../command';
import type { Context } from '../context';
import { failure } from '../errors';
import { serveWindow } from '../serve/command';
import { findRuntime, hasDisplay } from './runtime';

/** Milliseconds within which an Electron that ends badly has not really started: a library is missing, say. */
const START = 5000;

export const openCommand: Command = {
  name: 'open',
  operands: ['[FILE]'],
  description: 'the window, in Electron or else in the browser; `penstock` alone does the same',
  options: [],
  async run(given, context) {
    await openWindow(given.operands[0], context);
  },
};

/** Opens the window, and returns when it is closed. @throws CommandError */
export async function openWindow(file: string | undefined, context: Context): Promise<void> {
  const folder = resolve(dirname(context.engineWorker), '../..');
  const reason = hasDisplay() ? await inElectron(folder, file, context) : 'There is no display here';
  if (reason === undefined) return;
  context.note(`${reason}: the window is served to the browser.`);
  await serveWindow({ port: 0, file, browser: hasDisplay() }, context);
}

/** @returns why it was not possible; undefined when the window was shown and is closed */
async function inElectron(folder: string, file: string | undefined, context: Context): Promise<string | undefined> {
  const runtime = await findRuntime(folder, (text) => context.note(text));
  if (runtime === undefined) return 'There is no Electron here, and none can be fetched';
  if (file !== undefined && !existsSync(file)) throw failure(`no such file: ${file}`);
  const started = performance.now();
  const code = await run(runtime, [...switches(), folder, ...(file === undefined ? [] : [resolve(file)])]);
  if (code === 0) return undefined;
  if (performance.now() - started < START) return 'Electron does not start here';
  throw failure(`the window ended with ${code}`);
}

/** Chromium refuses to run as root within its sandbox. */
function switches(): string[] {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

function run(program: string, words: string[]): Promise<number | string> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return new Promise((resolveCode) => {
    const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'pipe'], env });
    // Chromium's own complaints (about buses and drivers) are noise to a user; ours begin with our name.
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      for (const line of text.split('\n')) if (line.startsWith('penstock:')) process.stderr.write(`${line}\n`);
    });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
    child.on('error', () => resolveCode('an error'));
    child.on('exit', (code, signal) => {
      for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(each, pass);
      resolveCode(code ?? signal ?? 'an error');
    });
  });
}
