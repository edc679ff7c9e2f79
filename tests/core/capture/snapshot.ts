import type { Capture } from '../../../src/core/capture/capture';
import { RowBit } from '../../../src/core/capture/frames';
import { FrameType, frameTypeName, NON_FRAME_KINDS } from '../../../src/shared/names';

/** A row as plain values; `kind` is the name of its type. Where it lies in the file is left out. */
export interface PlainRow {
  kind: string;
  side: number;
  offset: number;
  /** Of the whole row, frame header included; for incomplete ones as far as it was seen. */
  extent: number;
  complete: boolean;
  [more: string]: unknown;
}

/** Rows of these kinds are one per chunk, so that they can differ where chunks do. */
export function isPieces(kind: string): boolean {
  return kind === 'OPAQUE' || kind === 'HTTP1';
}

/** All rows of a capture in the order of decoding. `row` columns are numbered by `label`. */
export function plainRows(capture: Capture, label: (row: number) => unknown = (row) => row): PlainRow[] {
  const { frames } = capture;
  return Array.from({ length: frames.count }, (_, row): PlainRow => {
    const bits = frames.bits.get(row);
    const type = frames.type.get(row);
    const frame = !frames.isNonFrame(row);
    const base = {
      kind: frame ? frameTypeName(type) : NON_FRAME_KINDS[type]!,
      side: bits & RowBit.SIDE,
      offset: frames.offset.get(row),
      extent: frames.captured.get(row) ?? frames.extent(row),
      complete: (bits & RowBit.COMPLETE) !== 0,
    };
    if (!frame) return base;
    return {
      ...base,
      type,
      flags: frames.flags.get(row),
      stream: frames.stream.get(row),
      length: frames.length.get(row),
      bits,
      previous: label(frames.previousInStream.get(row)),
      faults: frames.faults.get(row),
      block: frames.blocks.get(row)?.map(label),
      ...auxOf(capture, row, type, label),
    };
  });
}

/** What `aux` means depends on the type; rows in it are labelled, header lists written out. */
function auxOf(capture: Capture, row: number, type: number, label: (row: number) => unknown): object {
  const { frames } = capture;
  const aux = frames.aux.get(row);
  switch (type) {
    case FrameType.HEADERS:
    case FrameType.PUSH_PROMISE:
    case FrameType.CONTINUATION:
      return { headers: headerTexts(capture, aux) };
    case FrameType.PING:
    case FrameType.SETTINGS:
      return { answers: aux === 0 ? undefined : label(aux - 1) };
    default:
      return { aux };
  }
}

/** A list's fields as text; `list` is its number + 1, or 0. */
function headerTexts({ headers }: Capture, list: number): string[] | undefined {
  if (list === 0) return undefined;
  return Array.from({ length: headers.listLength(list - 1) }, (_, i) => {
    const field = headers.fieldOf(list - 1, i);
    return `${headers.name(field)}: ${headers.value(field)}`;
  });
}

/**
 * Everything that decoding found out but chunks and times, in a form that is the same whatever the chunks: rows of
 * pieces that follow each other are one, and rows are named by their place among the others.
 */
export function snapshot(capture: Capture): object {
  const { frames, calls, messages } = capture;
  const labels = new Map<number, string>();
  for (let row = 0; row < frames.count; row++) {
    const side = frames.bits.get(row) & RowBit.SIDE;
    labels.set(
      row,
      frames.isNonFrame(row) && isPieces(NON_FRAME_KINDS[frames.type.get(row)]!)
        ? `piece`
        : `${side} ${frames.offset.get(row)}`,
    );
  }
  const label = (row: number): unknown => labels.get(row) ?? row;
  const rows = plainRows(capture, label);
  return {
    frames: rows.filter(({ kind }) => !isPieces(kind)),
    sides: [0, 1].map((side) => joinPieces(rows.filter((row) => row.side === side))),
    calls: Array.from({ length: calls.count }, (_, i) => ({
      stream: calls.stream.get(i),
      kind: calls.kind.get(i),
      state: calls.state.get(i),
      request: headerTexts(capture, calls.request.get(i)),
      response: headerTexts(capture, calls.response.get(i)),
      trailers: headerTexts(capture, calls.trailers.get(i)),
      rows: [calls.startRow, calls.endRow, calls.lastRow].map((column) => label(column.get(i))),
      reset: calls.reset.get(i),
      unprocessed: calls.unprocessed.get(i),
      messages: [calls.requestMessages.get(i), calls.responseMessages.get(i)],
      bytes: [calls.requestBytes.get(i), calls.responseBytes.get(i)],
    })),
    messages: Array.from({ length: messages.count }, (_, i) => ({
      call: messages.call.get(i),
      bits: messages.bits.get(i),
      index: messages.index.get(i),
      flag: messages.flag.get(i),
      length: messages.length.get(i),
      seen: messages.seen.get(i),
      skip: messages.skip.get(i),
      rows: [messages.firstRow, messages.lastRow].map((column) => label(column.get(i))),
      faults: messages.faults.get(i),
    })),
    connections: capture.connections.map(({ client, protocol, joined, settings, pings, sides }) => ({
      client,
      protocol,
      joined,
      settings,
      pings: pings.map((payloads) => [...payloads]),
      octets: sides.map(({ octets }) => octets),
    })),
  };
}

/** Kinds and extents of a side's rows, pieces that follow each other joined. */
function joinPieces(rows: readonly PlainRow[]): [kind: string, offset: number, extent: number][] {
  const joined: [string, number, number][] = [];
  for (const { kind, offset, extent } of [...rows].sort((a, b) => a.offset - b.offset)) {
    const last = joined[joined.length - 1];
    if (last !== undefined && last[0] === kind && isPieces(kind) && last[1] + last[2] === offset) last[2] += extent;
    else joined.push([kind, offset, extent]);
  }
  return joined;
}
