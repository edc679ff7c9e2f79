/** The sections of the benchmark, in order; arguments name those that are wanted. */
import { cpus, loadavg, release, totalmem } from 'node:os';
import { delays } from './delays';
import { memory } from './memory';
import { reading } from './reading';
import { throughput, unary } from './throughput';

const SECTIONS: Record<string, () => Promise<void>> = { throughput, delays, unary, read: reading, memory };

async function run(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in SECTIONS));
  if (unknown.length > 0)
    throw new Error(`no such section: ${unknown.join(', ')} (${Object.keys(SECTIONS).join(', ')})`);
  const [cpu] = cpus();
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  console.log(`${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${gib} GiB, ${process.platform} ${release()}`);
  console.log(`Node ${process.version}. Each figure is a median; goals are judged by it.`);
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    await section();
    tellLoad();
  }
}

/** What else the machine does decides the tails of delays, and how soon code is compiled. */
function tellLoad(): void {
  const [minute = 0] = loadavg();
  const busy = minute > cpus().length + 2 ? ': the machine is busy with other things, which these figures include' : '';
  console.log(`  load average ${minute.toFixed(1)}${busy}`);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
