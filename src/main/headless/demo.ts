import type { CallRecord } from '../../shared/records';
import type { DemoOutcome } from '../lab/flow-clients';
import { visible } from '../session/text';
import { callLines } from './call-table';
import { type Command, JSON_OPTION } from './command';
import type { Context } from './context';
import { Ending } from './ending';
import { failure, OutputClosed, usage } from './errors';
import { LiveCapture } from './live';
import { addressText, humanOutput, jsonOutput, nextSteps } from './live-output';
import { newSessionFile } from './session-file';
import { Table } from './table';

/** Milliseconds, one way: RTT 20 ms. */
const DELAY = 10;
/** Milliseconds that connections may take to close. */
const PATIENCE = 1000;
const HOST = '127.0.0.1';

export const demo: Command = {
  name: 'demo',
  operands: [],
  description: 'a built-in gRPC client and server talk through a tap: every kind of call, and how calls fail',
  options: [
    { name: 'write', value: 'FILE', description: 'the capture; without it penstock-demo-DATE.pcapng in this folder' },
    JSON_OPTION,
  ],
  help: ['The tap delays by 10 ms in each direction. The exit status is 1 when a call did not end as it should.'],
  async run(given, context) {
    const file = given.values.get('write') ?? newSessionFile('penstock-demo');
    if (file === '-') throw usage('demo: --write needs a file: a capture is read back while it is written');
    await run(file, given.switches.has('json'), context);
  },
};

async function run(file: string, json: boolean, context: Context): Promise<void> {
  const output = json ? jsonOutput(context) : humanOutput(context);
  const ending = new Ending();
  // Loaded here, so that no other command waits for gRPC.
  const [{ startFlowServer }, { runDemoCalls }] = await Promise.all([
    import('../lab/flow-service'),
    import('../lab/flow-clients'),
  ]);
  const server = await startFlowServer({ host: HOST }).catch((error: Error) => {
    throw failure(`the demo's server cannot start: ${error.message}`);
  });
  try {
    const live = await LiveCapture.start(context, {
      file,
      tap: {
        listen: { host: HOST, port: 0 },
        upstream: { host: HOST, port: server.port },
        settings: { delayToServer: DELAY, delayToClient: DELAY, delayConnect: false },
      },
      onFrames: (frames) => output.frames(frames),
      onEnd: (error) => ending.end(error),
    });
    const started = performance.now();
    const { listening } = live;
    const upstream = addressText({ host: HOST, port: server.port });
    await output.listening({ ...listening, file, upstream }).catch((error: unknown) => ending.end(error));
    const outcomes: DemoOutcome[] = [];
    const calling = runDemoCalls(addressText(listening), { onStep: (outcome) => outcomes.push(outcome) });
    const reason = await Promise.race([calling.then(() => undefined), ending.reached]);
    // The clients have closed their connections, which takes the delay to get through.
    if (reason === undefined) await live.drained(PATIENCE).catch(() => undefined);
    const calls: CallRecord[] = [];
    const summary = await live.stop((page) => calls.push(...page));
    if (reason instanceof OutputClosed) throw reason;
    const seconds = (performance.now() - started) / 1000;
    await (json ? printJson : printText)(context, outcomes, calls);
    await output.summary(summary, seconds);
    if (!json)
      await context.out.lines([
        '',
        'What to do with it:',
        ...nextSteps(context.program, file, listening).map((step) => `  ${step}`),
      ]);
    if (reason instanceof Error) throw reason;
    judge(outcomes, live);
  } finally {
    ending.dispose();
    await server.close();
  }
}

/** @throws CommandError when not all is as it should be */
function judge(outcomes: readonly DemoOutcome[], live: LiveCapture): void {
  const wrong = outcomes.filter(({ matches }) => !matches).map(({ name }) => name);
  if (wrong.length > 0) throw failure(`not as expected: ${wrong.join(', ')}`);
  if (live.lost !== undefined) throw failure('not all frames could be shown; the file has them');
}

async function printJson(
  { out }: Context,
  outcomes: readonly DemoOutcome[],
  calls: readonly CallRecord[],
): Promise<void> {
  await out.lines(calls.map((call) => JSON.stringify({ event: 'call', ...call })));
  await out.lines(outcomes.map((outcome) => JSON.stringify({ event: 'outcome', ...outcome })));
}

async function printText(
  context: Context,
  outcomes: readonly DemoOutcome[],
  calls: readonly CallRecord[],
): Promise<void> {
  const { out, style, width } = context;
  await out.line('');
  await out.lines(callLines(calls, style, width));
  await out.line('');
  const rows = outcomes.map(({ name, status, expected, matches, detail }) => [
    matches ? { text: 'ok', paint: style.green } : { text: 'NOT as expected', paint: style.red },
    name,
    status === expected ? status : `${status}, expected ${expected}`,
    visible(detail),
  ]);
  const columns = [{ title: '' }, { title: 'What the client did' }, { title: 'It saw' }, { title: 'What came back' }];
  const table = new Table(columns, style.dim, width).fit(rows);
  await out.line(table.header());
  await out.lines(rows.map((row) => table.row(row)));
}
