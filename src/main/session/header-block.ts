import type { Capture } from '../../core/capture/capture';
import { type Representation, walkRepresentations } from '../../core/hpack/representations';
import { FrameType } from '../../shared/names';
import type { HeaderField } from '../../shared/records';
import { fragmentRange } from './detail/frame-fields';
import type { Piece } from './detail/spans';
import type { Payloads } from './payloads';
import { headerList } from './records/frames';

/** Representations told of one block at most: 16 MiB of them may be as many. */
const MAX_ENTRIES = 20_000;

const CARRIES_BLOCK: ReadonlySet<number> = new Set([FrameType.HEADERS, FrameType.PUSH_PROMISE, FrameType.CONTINUATION]);

/** One representation (RFC 7541 §6); `field` is absent for a table-size update and for damage. */
export interface BlockEntry {
  representation: Representation;
  field?: HeaderField;
}

/** A whole header block (RFC 9113 §4.3), over all frames that carry it. */
export interface HeaderBlock {
  /** Its fragments, as they stand in their frames. */
  pieces: Piece[];
  octets: Uint8Array;
  entries: BlockEntry[];
  /** Octets behind the last entry: there are more of them than are told. */
  untold: number;
  fields: HeaderField[];
}

/** The header block that `row` completes; undefined for a row that completes none. */
export function headerBlockOf(capture: Capture, payloads: Payloads, row: number): HeaderBlock | undefined {
  const { frames } = capture;
  if (frames.isNonFrame(row) || !CARRIES_BLOCK.has(frames.type.get(row))) return undefined;
  const list = frames.aux.get(row) - 1;
  if (list < 0) return undefined;
  const pieces: Piece[] = [];
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const part of frames.blocks.get(row) ?? [row]) {
    const frame = payloads.row(part);
    const range = fragmentRange(frame);
    if (range === undefined) continue;
    pieces.push({ n: capture.numberOf(part), start: range.start, end: range.end, at: length });
    parts.push(frame.subarray(range.start, range.end));
    length += range.end - range.start;
  }
  const octets = new Uint8Array(length);
  for (const [i, part] of parts.entries()) octets.set(part, pieces[i]!.at);

  const fields = headerList(capture, list);
  // Representations stand in the order of the fields; each but an update stands for one.
  let next = 0;
  const entries = walkRepresentations(octets, MAX_ENTRIES).map((representation): BlockEntry => {
    const carriesField = representation.kind !== 'size-update' && representation.kind !== 'error';
    const field = carriesField ? fields[next++] : undefined;
    return { representation, ...(field !== undefined && { field }) };
  });
  const told = entries[entries.length - 1]?.representation.end ?? 0;
  return { pieces, octets, entries, untold: length - told, fields };
}
