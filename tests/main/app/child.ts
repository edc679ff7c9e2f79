/**
 * A program with a running capture, in a process of its own that a test kills. Arguments: data folder, upstream's
 * `HOST:PORT`. Prints where it listens, then each time that more frames are there, how many.
 */
import { AppHost } from '../../../src/main/app/app-host';
import { BARE, workersOf } from './child-platform';

async function main(): Promise<void> {
  const [dataFolder = '', upstream = ''] = process.argv.slice(2);
  const host = await AppHost.start({ dataFolder, platform: BARE, ...workersOf(__dirname) });
  host.on({
    state: () => undefined,
    progress: ({ frames }) => console.log(`frames ${frames}`),
    command: () => undefined,
  });
  const started = await host.startCapture({
    listen: '127.0.0.1:0',
    upstream,
    delayToServer: 0,
    delayToClient: 0,
    rateToServer: null,
    rateToClient: null,
    delayConnect: false,
  });
  if (!started.ok) throw new Error(started.message);
  const { session } = await host.state();
  if (session.kind === 'capturing') console.log(`listening ${session.listening} ${session.file}`);
}

void main();
