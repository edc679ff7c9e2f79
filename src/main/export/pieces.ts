import type { Filter } from '../session/filter/types';
import type { Session } from '../session/session';
import { FRAMES_CSV_HEADER, frameCsvLine } from './csv';
import { pcapngPieces } from './pcapng';
import { PacketSelection } from './selection';

export const EXPORT_FORMATS = ['pcapng', 'jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** UTF-16 units put together for one write. */
const BATCH = 256 * 1024;

export interface ExportNotes {
  /** pcapng with a filter keeps so many of so many connections. */
  connections?(kept: number, total: number): void;
  /** Of the frames to be written, so many are. */
  frames?(written: number, total: number): void;
}

/** A capture in another format, piece by piece. */
export function exportPieces(
  session: Session,
  format: ExportFormat,
  filter: Filter | undefined,
  notes: ExportNotes = {},
): Iterable<Uint8Array> {
  switch (format) {
    case 'pcapng':
      return pcapngPieces(session.source, filter && selectionOf(session, filter, notes));
    case 'jsonl':
      return batches(lines(session, filter, notes, (n) => JSON.stringify(session.frame(n))));
    case 'csv':
      return batches(
        withHeader(
          FRAMES_CSV_HEADER,
          lines(session, filter, notes, (n) => frameCsvLine(session.frame(n))),
        ),
      );
    default:
      return assertNever(format);
  }
}

function selectionOf(session: Session, filter: Filter, notes: ExportNotes): PacketSelection {
  const { capture } = session;
  const chosen = new Set(session.select(filter).map((n) => capture.frames.conn.get(capture.rowOf(n))));
  notes.connections?.(chosen.size, capture.connections.length);
  return new PacketSelection(capture, chosen);
}

function* lines(
  session: Session,
  filter: Filter | undefined,
  notes: ExportNotes,
  line: (n: number) => string,
): Iterable<string> {
  const chosen = session.select(filter);
  let written = 0;
  for (const n of chosen) {
    yield line(n);
    notes.frames?.(++written, chosen.length);
  }
}

function* withHeader(header: string, rest: Iterable<string>): Iterable<string> {
  yield header;
  yield* rest;
}

function* batches(all: Iterable<string>): Iterable<Uint8Array> {
  let waiting = '';
  for (const line of all) {
    waiting += `${line}\n`;
    if (waiting.length < BATCH) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

function assertNever(format: never): never {
  throw new Error(`unknown format: ${format}`);
}
