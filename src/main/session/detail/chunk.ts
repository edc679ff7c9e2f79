import type { Capture } from '../../../core/capture/capture';
import { RowBit } from '../../../core/capture/frames';
import type { ChunkDetail, ChunkPart } from '../../../shared/detail';
import { frameTypeName, NON_FRAME_KINDS } from '../../../shared/names';

/** Frames of a chunk that are listed; a chunk of 64 KiB can hold thousands. */
const MAX_PARTS = 512;

/** A chunk and the frames in it, in the order of their octets. `row` is one of them. */
export function chunkDetail(capture: Capture, chunk: number, row: number): ChunkDetail {
  const { chunks, frames } = capture;
  const connection = capture.connections[chunks.conn.get(chunk) - 1]!;
  const from = chunks.offset.get(chunk);
  const length = chunks.length.get(chunk);
  const side = chunks.side.get(chunk);

  // Rows of one chunk stand near each other; rows of other connections may stand between.
  const rows = [row];
  const within = (other: number) =>
    frames.conn.get(other) === connection.id &&
    (frames.bits.get(other) & RowBit.SIDE) === side &&
    frames.firstChunk.get(other) <= chunk &&
    frames.lastChunk.get(other) >= chunk;
  for (let other = row - 1; other >= 0 && rows.length < MAX_PARTS; other--) {
    if (within(other)) rows.unshift(other);
    else if (frames.lastChunk.get(other) < chunk) break;
  }
  let cut = rows.length >= MAX_PARTS;
  for (let other = row + 1; other < frames.count; other++) {
    if (frames.firstChunk.get(other) > chunk) break;
    if (!within(other)) continue;
    if (rows.length >= MAX_PARTS) {
      cut = true;
      break;
    }
    rows.push(other);
  }

  const delivered = chunks.delivered.get(chunk);
  return {
    id: chunk,
    conn: connection.id,
    dir: side === connection.clientSide ? 'toServer' : 'toClient',
    t: chunks.time.get(chunk) / 1e9,
    ...(capture.hasDeliveries && { delivered: Number.isNaN(delivered) ? null : delivered / 1e9 }),
    length,
    parts: rows.map((part) => partOf(capture, part, from)),
    cut,
  };
}

function partOf(capture: Capture, row: number, from: number): ChunkPart {
  const { frames } = capture;
  const start = frames.offset.get(row) - from;
  const nonFrame = frames.isNonFrame(row);
  const type = frames.type.get(row);
  return {
    n: capture.numberOf(row),
    type: nonFrame ? NON_FRAME_KINDS[type]! : frameTypeName(type),
    typeId: nonFrame ? null : type,
    start,
    end: start + frames.extent(row),
  };
}
