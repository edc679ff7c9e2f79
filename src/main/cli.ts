#!/usr/bin/env node
import { basename, join, relative } from 'node:path';
import type { Context } from './headless/context';
import { Output } from './headless/output';
import { run } from './headless/run';
import { shellWord } from './headless/session-file';
import { styleFor } from './headless/style';

const { stdout, stderr, env } = process;

/** Takes the cursor back to the line's start and clears it (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001b[K';
let progressShown = false;

function progress(text: string): void {
  if (!stderr.isTTY || (text === '' && !progressShown)) return;
  stderr.write(CLEAR_LINE + text);
  progressShown = text !== '';
}

/** By the name that the user called; a script's path says little when it is not on the search path. */
const called = process.argv[1] ?? '';

const context: Context = {
  program: basename(called) === 'penstock' ? 'penstock' : `node ${shellWord(relative(process.cwd(), called))}`,
  out: new Output(stdout),
  style: styleFor(stdout.isTTY, env),
  width: stdout.isTTY ? stdout.columns : undefined,
  note(text) {
    progress('');
    stderr.write(`${text}
`);
  },
  progress,
  // Here and not in the code that starts them: only this file is certain to stand beside them in the build.
  tapWorker: join(__dirname, 'tap-worker.js'),
  engineWorker: join(__dirname, 'engine-worker.js'),
};

// Nobody listens to our messages: that is no reason to fail.
stderr.on('error', () => undefined);

void run(process.argv.slice(2), context).then((code) => {
  process.exitCode = code;
  // A worker or a socket that still closes must not keep a finished program.
  stderr.write('', () => process.exit(code));
});
