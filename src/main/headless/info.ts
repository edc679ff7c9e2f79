import type { CaptureInterface, InterfaceStatistics } from '../../core/pcapng/types';
import type { Side } from '../../core/tcp/types';
import { formatDuration, formatRate, formatSize } from '../../shared/units';
import type { Session } from '../session/session';
import { grouped, visible } from '../session/text';
import type { TapSettings } from '../tap/messages';
import { type Command, FILE } from './command';
import { connectionNotes } from './connections';
import type { Context } from './context';
import { withSession } from './open';

export const info: Command = {
  name: 'info',
  operands: [FILE],
  description: 'what the file is: format, packets, time span, taps, connections, trouble',
  options: [],
  async run(given, context) {
    await withSession(context, given.operands[0]!, async (session) => {
      await context.out.lines(infoLines(session, context));
    });
  },
};

/** Connections and troubles listed at most; the rest is counted. */
const MAX_LISTED = 20;

function* infoLines(session: Session, { style }: Context): Iterable<string> {
  const { capture } = session;
  const entry = (label: string, text: string) => `${style.bold(label.padEnd(12))}${text}`;
  const more = (text: string) => `${' '.repeat(12)}${text}`;

  yield entry('Format', formatText(session));
  yield entry('Size', `${formatSize(capture.size)} (${grouped(capture.size)} bytes)`);
  yield entry('Link types', [...new Set(capture.interfaces.map(linkTypeText))].join(', ') || 'none');
  const ignored = capture.ignoredPackets === 0 ? '' : `, ${grouped(capture.ignoredPackets)} of them not TCP`;
  yield entry('Packets', grouped(capture.packetCount) + ignored);
  const { firstTime } = capture;
  if (firstTime !== undefined) {
    yield entry('First', absoluteText(firstTime));
    yield entry('Span', formatDuration(capture.lastTime / 1e9));
  }
  yield entry(
    'Frames',
    `${grouped(session.frameCount)}, ${grouped(session.callCount)} calls, ${grouped(session.messageCount)} messages`,
  );
  yield entry('Delivery', deliveryText(session));

  for (const tap of capture.interfaces.filter((one) => tapSettings(one.comment) !== undefined)) {
    yield entry(
      'Tap',
      `${visible(tap.name?.replace(/^tap /, '') ?? `interface ${tap.id}`)} → ${visible(tap.description ?? 'unknown')}`,
    );
    yield more(settingsText(tapSettings(tap.comment)!));
    for (const mark of capture.marks.filter(({ interfaceId }) => interfaceId === tap.id)) {
      const text = markText(mark);
      if (text !== undefined) yield more(`${(mark.time / 1e9).toFixed(3)} s: ${text}`);
    }
  }
  yield* connectionLines(session, entry, more);
  yield* faultLines(session, entry, more);
  const { troubles } = capture;
  for (const [i, { message, fileOffset }] of troubles.slice(0, MAX_LISTED).entries()) {
    const text = `${visible(message)} ${style.dim(`(octet ${grouped(fileOffset)} of the file)`)}`;
    yield i === 0 ? entry('Trouble', text) : more(text);
  }
  if (troubles.length > MAX_LISTED) yield more(`and ${grouped(troubles.length - MAX_LISTED)} more`);
}

function formatText({ capture }: Session): string {
  const sections = capture.sections.map(({ format, application }) =>
    application === undefined ? format : `${format}, written by ${visible(application)}`,
  );
  return [...new Set(sections)].join('; ');
}

const LINK_TYPES: Readonly<Record<number, string>> = {
  0: 'NULL',
  1: 'Ethernet',
  12: 'raw IP (BSD)',
  14: 'raw IP (OpenBSD)',
  101: 'raw IP',
  108: 'LOOP',
  113: 'Linux cooked',
  228: 'IPv4',
  229: 'IPv6',
  276: 'Linux cooked 2',
};

function linkTypeText({ linkType }: CaptureInterface): string {
  return `${LINK_TYPES[linkType] ?? 'unknown'} (${linkType})`;
}

/** RFC 3339, with nanoseconds. */
function absoluteText(nanoseconds: bigint): string {
  const seconds = nanoseconds / 1_000_000_000n;
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return `${nanoseconds} ns after 1970`;
  return date.toISOString().replace('.000Z', `.${String(nanoseconds % 1_000_000_000n).padStart(9, '0')}Z`);
}

function deliveryText({ capture }: Session): string {
  return capture.hasDeliveries
    ? 'known: the tap wrote when it had handed each chunk on'
    : 'unknown: times are those of the capture point alone';
}

interface TapComment {
  settings?: Partial<TapSettings>;
  code?: string;
  message?: string;
}

/** JSON in a comment of Penstock's; undefined for other comments. */
function readComment(comment: string | undefined, kind: string): TapComment | undefined {
  if (comment === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(comment);
    const known = typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === kind;
    return known ? (value as TapComment) : undefined;
  } catch {
    return undefined;
  }
}

function tapSettings(comment: string | undefined): Partial<TapSettings> | undefined {
  const settings = readComment(comment, 'tap')?.settings;
  return typeof settings === 'object' && settings !== null ? settings : undefined;
}

function markText({ comment }: InterfaceStatistics): string | undefined {
  const settings = readComment(comment, 'settings')?.settings;
  if (typeof settings === 'object' && settings !== null) return `changed to ${settingsText(settings)}`;
  const message = readComment(comment, 'mark')?.message;
  return typeof message === 'string' ? visible(message) : undefined;
}

/** From a file: anything may stand where a number should. */
function settingsText(settings: Partial<TapSettings>): string {
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  const toServer = number(settings.delayToServer);
  const toClient = number(settings.delayToClient);
  const words = [
    toServer === 0 && toClient === 0 ? 'no delay' : `delay ${toServer} ms to the server, ${toClient} ms to the client`,
  ];
  if (settings.delayConnect === true) words.push('connecting delayed too');
  const rates = [number(settings.rateToServer), number(settings.rateToClient)] as const;
  if (rates[0] > 0) words.push(`${formatRate(rates[0])} to the server`);
  if (rates[1] > 0) words.push(`${formatRate(rates[1])} to the client`);
  return words.join(', ');
}

type Line = (text: string) => string;

function* connectionLines(
  session: Session,
  entry: (label: string, text: string) => string,
  more: Line,
): Iterable<string> {
  const records = session.connections();
  const byProtocol = new Map<string, number>();
  for (const { protocol } of records) byProtocol.set(protocol, (byProtocol.get(protocol) ?? 0) + 1);
  const counts = [...byProtocol].map(([protocol, count]) => `${grouped(count)} ${protocol}`).join(', ');
  yield entry('Connections', counts === '' ? 'none' : counts);
  for (const record of records.slice(0, MAX_LISTED)) {
    const { conn, client, server, protocol } = record;
    yield more(`${conn}: ${client} → ${server} · ${protocol} · ${connectionNotes(record)}`);
    yield* peerLines(session, conn, more);
  }
  if (records.length > MAX_LISTED) yield more(`and ${grouped(records.length - MAX_LISTED)} more: penstock connections`);
}

/** What the peers' first SETTINGS allow each other. */
function* peerLines({ capture }: Session, conn: number, more: Line): Iterable<string> {
  const connection = capture.connections[conn - 1]!;
  const client = connection.clientSide;
  for (const [who, side] of [
    ['client', client],
    ['server', (client ^ 1) as Side],
  ] as const) {
    const window = connection.settings[side]?.find(([id]) => id === 4)?.[1];
    if (window !== undefined)
      yield more(`   the ${who} lets each stream send it ${formatSize(window)} (INITIAL_WINDOW_SIZE)`);
  }
}

function* faultLines(
  { capture }: Session,
  entry: (label: string, text: string) => string,
  more: Line,
): Iterable<string> {
  const byCode = new Map<string, number>();
  for (const faults of capture.frames.faults.values()) {
    for (const { code } of faults) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  }
  const total = capture.frames.faultCount;
  yield entry('Faults', total === 0 ? 'none' : grouped(total));
  for (const [code, count] of [...byCode].sort((a, b) => b[1] - a[1])) yield more(`${grouped(count)} ${code}`);
}
