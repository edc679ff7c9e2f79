import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import open from 'open';
import { AppHost } from '../../app/app-host';
import type { Platform } from '../../app/platform';
import { visible } from '../../session/text';
import { explain } from '../../tap/errors';
import { readValue } from '../args';
import type { Command } from '../command';
import type { Context } from '../context';
import { Ending } from '../ending';
import { failure } from '../errors';
import { WindowServer } from './server';

export const serve: Command = {
  name: 'serve',
  operands: ['[FILE]'],
  description: 'the window in a browser of this machine',
  options: [
    { name: 'port', value: 'N', description: 'the port on 127.0.0.1; without it the system chooses' },
    { name: 'no-open', description: 'only print the address' },
  ],
  help: [
    'The address holds a token: whoever has it can capture and open files as you. Only this machine can connect.',
    'Ctrl-C ends it; a capture that is not saved is offered at the next start.',
  ],
  async run(given, context) {
    const port = readValue('serve', given, 'port', portOf, 'from 0 to 65535') ?? 0;
    await serveWindow({ port, file: given.operands[0], browser: !given.switches.has('no-open') }, context);
  },
};

export interface ServeOptions {
  /** 0 lets the system choose. */
  port: number;
  /** A capture to open; `-` for standard input. */
  file: string | undefined;
  /** Open the user's browser. */
  browser: boolean;
}

/** Serves the window until a signal. @throws CommandError */
export async function serveWindow({ port, file, browser }: ServeOptions, context: Context): Promise<void> {
  const built = dirname(context.engineWorker);
  const renderer = join(built, '../renderer');
  if (!existsSync(join(renderer, 'index.html'))) throw failure('serve: the window is not built; run: npm run build');
  const ending = new Ending();
  let server: WindowServer | undefined;
  let host: AppHost | undefined;
  try {
    server = await WindowServer.listen({ port, renderer }).catch((error: unknown) => {
      throw failure(`serve: cannot listen on 127.0.0.1:${port}: ${explain(error)}`);
    });
    host = await AppHost.start({
      dataFolder: envPaths('penstock', { suffix: '' }).data,
      platform: platformOf(server),
      tapWorker: context.tapWorker,
      engineWorker: context.engineWorker,
      exportWorker: join(built, 'export-worker.js'),
    });
    server.serve(host);
    if (file !== undefined) {
      const opened = await (file === '-' ? host.openStandardInput() : host.openPath(file));
      if (!opened.ok) throw failure(visible(opened.message));
    }
    await context.out.line(server.address);
    await context.out.flush();
    context.note('The window is at this address, on this machine only. Ctrl-C ends it.');
    if (browser) await openBrowser(server.address, context);
    await ending.reached;
  } finally {
    ending.dispose();
    await host?.shutdown();
    await server?.close();
  }
}

function platformOf(server: WindowServer): Platform {
  return {
    facts: { kind: 'browser', os: process.platform, dialogs: false },
    offer: (download) => server.downloads.offer(download),
  };
}

async function openBrowser(address: string, { note }: Context): Promise<void> {
  try {
    const child = await open(address);
    child.on('error', () => undefined);
  } catch {
    note('No browser could be started: open the address yourself.');
  }
}

function portOf(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined;
}
