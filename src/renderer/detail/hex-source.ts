import type { ChunkPart, FrameDetail, Span } from '../../shared/detail';

/** What the hex view shows: the octets of a frame, or those of a chunk with the frames in it. Positions count from 0. */
export interface HexSource {
  kind: 'frame' | 'chunk';
  /** The frame's number, or the chunk's. */
  id: number;
  total: number;
  /** In the order of their octets. */
  parts: readonly ChunkPart[];
}

/** Octets `[start, end)` of a source. */
export interface OctetRange {
  start: number;
  end: number;
}

/** What stands between frames in no chunk (a gap) can only be shown by itself. */
export function hexSource({ frame, chunk, captured }: FrameDetail, scope: HexSource['kind']): HexSource {
  if (scope === 'chunk' && chunk !== null) {
    return { kind: 'chunk', id: chunk.id, total: chunk.length, parts: chunk.parts };
  }
  // A gap's octets were never seen.
  const total = frame.type === 'GAP' ? 0 : captured;
  const part = { n: frame.n, type: frame.type, typeId: frame.typeId, start: 0, end: total };
  return { kind: 'frame', id: frame.n, total, parts: [part] };
}

export function sourceKey({ kind, id }: HexSource): string {
  return `${kind} ${id}`;
}

/** Index of the part that covers a position; -1 where none is known. */
export function partAt(parts: readonly ChunkPart[], position: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  const part = parts[low - 1];
  return part !== undefined && position < part.end ? low - 1 : -1;
}

/** Where octets of frames stand in a source: in order, without what is not in it. */
export function rangesOf({ parts, total }: HexSource, spans: readonly Span[]): OctetRange[] {
  const ranges: OctetRange[] = [];
  for (const span of spans) {
    const part = parts.find(({ n }) => n === span.n);
    if (part === undefined) continue;
    const start = Math.max(0, part.start + span.start);
    const end = Math.min(total, part.end, part.start + span.end);
    if (start < end) ranges.push({ start, end });
  }
  return ranges.sort((a, b) => a.start - b.start);
}

/** A part's octets that are in the source: a frame may have begun before the chunk, or end after it. */
export function inSource({ start, end }: OctetRange, total: number): OctetRange {
  return { start: Math.max(0, start), end: Math.max(0, Math.min(total, end)) };
}
