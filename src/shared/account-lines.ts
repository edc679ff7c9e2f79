import type { AccountRecord, AccountSide } from './records';
import { formatSize } from './units';

/** One line of the table of accounts: a cell for each direction and for both together, for each account beside another. */
export interface AccountLine {
  group: string;
  label: string;
  cells: AccountCells[];
}

export type AccountCells = [toServer: string, toClient: string, both: string];

/** What one line shows of a direction; a mean is made of two sums, so that both directions have one together. */
type Figure =
  | { label: string; count: (side: AccountSide) => number; words?: (value: number) => string }
  | {
      label: string;
      count: (side: AccountSide) => number;
      over: (side: AccountSide, account: AccountRecord) => number;
    };

const calls = (_: AccountSide, account: AccountRecord) => account.calls;
const type = (name: string, part: 'frames' | 'bytes' | 'chunks') => (side: AccountSide) =>
  side.types[name]?.[part] ?? 0;

const dataOctets = ({ types }: AccountSide) =>
  types.DATA === undefined ? 0 : types.DATA.bytes - 9 * types.DATA.frames;

const GROUPS: readonly [group: string, figures: readonly Figure[]][] = [
  [
    'The application asked for',
    [
      { label: 'Messages', count: (side) => side.messages },
      { label: 'Message bytes', count: (side) => side.messageBytes, words: formatSize },
      { label: 'Message bytes per call', count: (side) => side.messageBytes, over: calls },
      // What is no gRPC has no messages, but a body.
      { label: 'DATA without frame headers', count: dataOctets, words: formatSize },
    ],
  ],
  [
    'The protocol sent',
    [
      { label: 'Bytes', count: (side) => side.bytes, words: formatSize },
      { label: 'Bytes per call', count: (side) => side.bytes, over: calls },
      { label: 'Frames', count: (side) => side.frames },
      { label: 'Frames per call', count: (side) => side.frames, over: calls },
      { label: 'Control frames', count: (side) => side.controlFrames },
      { label: 'Control frames per call', count: (side) => side.controlFrames, over: calls },
      { label: 'PINGs', count: (side) => side.pings },
      { label: 'PINGs per call', count: (side) => side.pings, over: calls },
      { label: 'PING acknowledgements', count: (side) => side.pingAcks },
      { label: 'WINDOW_UPDATEs per call', count: type('WINDOW_UPDATE', 'frames'), over: calls },
      { label: 'Header bytes before HPACK', count: (side) => side.headerBytesPlain, words: formatSize },
      { label: 'Header bytes on the wire', count: (side) => side.headerBytes, words: formatSize },
      { label: 'Header bytes per call', count: (side) => side.headerBytes, over: calls },
    ],
  ],
  [
    'In chunks',
    [
      { label: 'Chunks', count: (side) => side.chunks },
      { label: 'Chunks per call', count: (side) => side.chunks, over: calls },
      { label: 'Frames per chunk', count: (side) => side.frames, over: (side) => side.chunks },
      {
        label: 'Calls in a chunk that has any',
        count: (side) => (side.callsPerChunk ?? 0) * side.callChunks,
        over: (side) => side.callChunks,
      },
      { label: 'Chunks of several calls', count: (side) => side.sharedChunks },
    ],
  ],
];

/** Accounts side by side, as lines of one table: the same lines, whatever the accounts hold, but for the types. */
export function accountLines(accounts: readonly AccountRecord[]): AccountLine[] {
  const types = new Set(accounts.flatMap(({ toServer, toClient }) => typesOf(toServer, toClient)));
  const byType: Figure[] = [...types].map((name) => ({ label: name, count: type(name, 'frames') }));
  const groups = [...GROUPS, ['Rows by type', byType] as const];
  const calls = [
    callLine(accounts, 'Calls', ({ calls }) => groupedDigits(calls)),
    callLine(accounts, 'Calls a second', rate),
  ];
  const lines = groups.flatMap(([group, figures]) =>
    figures.map((figure) => ({
      group,
      label: figure.label,
      cells: accounts.map((account) => cellsOf(figure, account)),
    })),
  );
  return [...calls, ...lines];
}

/** What has no direction stands under both. */
function callLine(
  accounts: readonly AccountRecord[],
  label: string,
  words: (account: AccountRecord) => string,
): AccountLine {
  return { group: GROUPS[0]![0], label, cells: accounts.map((account) => ['', '', words(account)]) };
}

function rate({ calls, from, to }: AccountRecord): string {
  // One call has no rate.
  return calls > 1 && to > from ? mean(calls, to - from) : '–';
}

/** Types that one of the directions has. */
export function typesOf(...sides: readonly AccountSide[]): string[] {
  return [...new Set(sides.flatMap((side) => Object.keys(side.types)))];
}

function cellsOf(figure: Figure, account: AccountRecord): AccountCells {
  const { toServer, toClient } = account;
  const counts = [figure.count(toServer), figure.count(toClient)] as const;
  if (!('over' in figure)) {
    const words = figure.words ?? groupedDigits;
    return [words(counts[0]), words(counts[1]), words(counts[0] + counts[1])];
  }
  const over = [figure.over(toServer, account), figure.over(toClient, account)] as const;
  // Both directions share the calls; chunks are each direction's own.
  const overBoth = figure.over === calls ? account.calls : over[0] + over[1];
  return [mean(counts[0], over[0]), mean(counts[1], over[1]), mean(counts[0] + counts[1], overBoth)];
}

function mean(sum: number, over: number): string {
  if (over === 0) return '–';
  const value = sum / over;
  // 1 and 1/8 must be told apart from what is near them.
  return value < 10 ? value.toFixed(3) : value < 100 ? value.toFixed(1) : groupedDigits(Math.round(value));
}

/** 16384 → `16,384`. */
function groupedDigits(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
