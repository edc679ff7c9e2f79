/** What an index costs in memory, per million frames. */
import { type FixtureName, fixture } from './fixtures';
import { readFile } from './reading';
import { figure, note, section } from './report';

const PLANS: { name: FixtureName; title: string; goal: number }[] = [
  { name: 'million', title: 'health checks, repeating headers', goal: 150 },
  { name: 'millionUnique', title: 'health checks, a deadline and a trace id of its own in each', goal: 400 },
];
const RUNS = 3;

export async function memory(): Promise<void> {
  section('Memory of a complete index: JS heap and ArrayBuffers after garbage collection, less those before');
  for (const { name, title, goal } of PLANS) {
    const { path } = await fixture(name);
    const perMillion: number[] = [];
    const resident: number[] = [];
    let frames = 0;
    for (let run = 0; run < RUNS; run++) {
      const [, [reading]] = await readFile(path, 1, ['--expose-gc']);
      frames = reading!.frames;
      const { heap, arrayBuffers, rss } = reading!.memory!;
      perMillion.push((heap + arrayBuffers) / frames);
      resident.push(rss / frames);
      if (run === 0) {
        note(`${title}: ${frames} frames, ${reading!.calls} calls, a file of ${(reading!.octets / 1e6).toFixed(0)} MB`);
        note(`of it heap ${(heap / 1e6).toFixed(1)} MB, ArrayBuffers ${(arrayBuffers / 1e6).toFixed(1)} MB`);
      }
    }
    figure('heap + ArrayBuffers per million frames', perMillion, 'MB', { atMost: goal }, 1);
    figure('resident set grown by, per million frames', resident, 'MB', undefined, 1);
  }
}
