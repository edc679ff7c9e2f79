import type { Capture } from '../../core/capture/capture';
import { accountOf, accountsOf } from '../../core/flow/account';
import { accountLines } from '../../shared/account-lines';
import type { AccountRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { grouped, visible } from '../session/text';
import { type Arguments, readValue } from './args';
import { type Command, FILE, JSON_OPTION } from './command';
import type { Context } from './context';
import { failure, usage } from './errors';
import { readCall } from './messages';
import { withSession } from './open';
import { Table } from './table';

/** Connections counted in one pass. */
const CONNECTIONS_A_PASS = 1000;

/** Seconds since the capture's first packet. */
interface Asked {
  call: { conn: number; stream: number } | undefined;
  from: number | undefined;
  to: number | undefined;
}

export const account: Command = {
  name: 'account',
  operands: [FILE, '[FILE2]'],
  description: 'what calls asked for, and what the protocol added: frames, bytes and chunks, per call',
  options: [
    { name: 'from', value: 'T', description: 'only rows that arrived at T seconds or later' },
    { name: 'to', value: 'T', description: 'only rows that arrived before T seconds' },
    { name: 'call', value: 'CONN:STREAM', description: 'only the frames of one stream' },
    JSON_OPTION,
  ],
  help: [
    'Two captures stand side by side in one table. --json prints one line for the whole of a file and, where there are',
    'several connections, one for each. A chunk is what one read at the tap returned (in files of others: a TCP segment).',
  ],
  async run(given, context) {
    const asked = readAsked(given);
    if (given.switches.has('json')) {
      for (const file of given.operands) {
        await withSession(context, file, async ({ capture }) => {
          for (const record of records(capture, asked)) {
            await context.out.line(JSON.stringify(given.operands.length > 1 ? { file, ...record } : record));
          }
        });
      }
      return;
    }
    const accounts: AccountRecord[] = [];
    for (const file of given.operands) {
      await withSession(context, file, async ({ capture }) => {
        accounts.push(wholeOf(capture, asked));
      });
    }
    await print(accounts, given.operands, context);
  },
};

function readAsked(given: Arguments): Asked {
  const seconds = 'a number of seconds, such as 1.5';
  const from = readValue('account', given, 'from', readSeconds, seconds);
  const to = readValue('account', given, 'to', readSeconds, seconds);
  if (from !== undefined && to !== undefined && from >= to) throw usage('account: --from must be before --to');
  if (given.operands.filter((file) => file === '-').length > 1) {
    throw usage('account: standard input can be read only once');
  }
  return { from, to, call: readValue('account', given, 'call', readCall, 'CONN:STREAM, such as 1:3') };
}

function readSeconds(text: string): number | undefined {
  return /^(\d{1,10}(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : undefined;
}

function scopeOf({ from, to, call }: Asked) {
  return {
    ...(from !== undefined && { from: Math.round(from * 1e9) }),
    ...(to !== undefined && { to: Math.round(to * 1e9) }),
    ...call,
  };
}

function wholeOf(capture: Capture, asked: Asked): AccountRecord {
  const { call } = asked;
  if (call !== undefined) {
    const known = call.conn >= 1 && call.conn <= capture.connections.length;
    if (!known || capture.callAt(call.conn, call.stream) === -1) {
      throw failure(`there is no call on stream ${call.stream} of connection ${call.conn}`);
    }
  }
  return accountOf(capture, scopeOf(asked));
}

/** The whole, then each connection where there are several. */
function* records(capture: Capture, asked: Asked): Iterable<AccountRecord> {
  const { length } = capture.connections;
  if (asked.call !== undefined || length < 2) {
    yield wholeOf(capture, asked);
    return;
  }
  for (let first = 1; first <= length; first += CONNECTIONS_A_PASS) {
    const { whole, connections } = accountsOf(capture, first, CONNECTIONS_A_PASS, scopeOf(asked));
    if (first === 1) yield whole;
    yield* connections;
  }
}

async function print(accounts: readonly AccountRecord[], files: readonly string[], context: Context): Promise<void> {
  const { out, style } = context;
  for (const [i, { calls, connections, from, to }] of accounts.entries()) {
    const name = accounts.length === 1 ? '' : `${'AB'[i]}  ${visible(files[i]!)}: `;
    const words = [
      `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}`,
      `${grouped(connections)} ${connections === 1 ? 'connection' : 'connections'}`,
      `in ${formatDuration(to - from)}`,
    ];
    await out.line(`${name}${words.join(' · ')}`);
  }
  if (accounts.every(({ connections }) => connections === 0)) return context.note('no frames');
  const table = new Table(
    [
      { title: '' },
      ...accounts.flatMap((_, i) =>
        ['→', '←', 'both'].map((title) => ({
          title: accounts.length === 1 ? title : `${'AB'[i]} ${title}`,
          align: 'right' as const,
        })),
      ),
    ],
    style.dim,
    context.width,
  );
  const lines = accountLines(accounts);
  const rows = lines.map(({ label, cells }) => [`  ${label}`, ...cells.flat()]);
  table.fit(rows);
  await out.line(table.header());
  for (const [i, { group }] of lines.entries()) {
    if (group !== lines[i - 1]?.group) await out.line(style.bold(group));
    await out.line(table.row(rows[i]!));
  }
}
