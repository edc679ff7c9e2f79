/** A tap in a process of its own, which a test kills. Arguments: file, upstream port. Prints its port and commits. */
import { Tap } from '../../../src/main/tap/tap';

async function main(): Promise<void> {
  const [file = '', port = ''] = process.argv.slice(2);
  const taps = [
    {
      listen: { host: '127.0.0.1', port: 0 },
      upstream: { host: '127.0.0.1', port: Number(port) },
      settings: { delayToServer: 0, delayToClient: 0, delayConnect: false },
    },
  ];
  const events = {
    committed: (length: number) => console.log(`committed ${length}`),
    notice: () => undefined,
  };
  const tap = await Tap.start({ file, taps }, events);
  console.log(`listening ${tap.listening[0]!.port}`);
}

void main();
