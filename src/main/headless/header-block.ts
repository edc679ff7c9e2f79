import { type Representation, walkRepresentations } from '../../core/hpack/representations';
import { describeFrame } from '../../core/http2/fields';
import type { Field } from '../../shared/fields';
import type { FrameRecord, HeaderField } from '../../shared/records';
import type { Session } from '../session/session';

/** One representation of a header block (RFC 7541 §6), with the field that it stands for. */
export interface BlockEntry {
  /** Octets of the block, `end` exclusive: those of all its frames' fragments, one behind the other. */
  start: number;
  end: number;
  /** How it is represented: `indexed 3`, `literal with incremental indexing, name 5`. */
  representation: string;
  /** The field; absent for a table-size update and for damage. */
  field?: HeaderField;
}

export interface HeaderBlock {
  /** Frames that carry it. */
  frames: number[];
  octets: Uint8Array;
  entries: BlockEntry[];
}

/** The header block that `frame` completes; undefined for a frame that completes none. */
export function headerBlockOf(session: Session, frame: FrameRecord): HeaderBlock | undefined {
  if (frame.headers === undefined || frame.block === undefined) return undefined;
  const fragments = frame.block.map((n) => fragmentOf(session.frameOctets(n)));
  const octets = Buffer.concat(fragments);
  return { frames: frame.block, octets, entries: entriesOf(octets, frame.headers) };
}

/** The part of a HEADERS, PUSH_PROMISE or CONTINUATION frame that belongs to its block. */
function fragmentOf(frame: Uint8Array): Uint8Array {
  const field = leaf(describeFrame(frame), /(^|\.)fragment$/);
  return field === undefined ? new Uint8Array() : frame.subarray(field.start, field.end);
}

function leaf(fields: readonly Field[], id: RegExp): Field | undefined {
  for (const field of fields) {
    if (id.test(field.id)) return field;
    const found = leaf(field.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Representations stand in the order of the fields; each but an update stands for one. */
function entriesOf(octets: Uint8Array, headers: readonly HeaderField[]): BlockEntry[] {
  let next = 0;
  return walkRepresentations(octets).map((representation) => {
    const { start, end } = representation;
    const words = wordsFor(representation);
    const carriesField = representation.kind !== 'size-update' && representation.kind !== 'error';
    const field = carriesField ? headers[next++] : undefined;
    return { start, end, representation: words, ...(field !== undefined && { field }) };
  });
}

function wordsFor(representation: Representation): string {
  switch (representation.kind) {
    case 'indexed':
      return `indexed ${representation.index}`;
    case 'literal-incremental':
      return `literal, added to the table${nameWords(representation)}`;
    case 'literal-without-indexing':
      return `literal, not indexed${nameWords(representation)}`;
    case 'literal-never-indexed':
      return `literal, never indexed${nameWords(representation)}`;
    case 'size-update':
      return `table size ${representation.sizeUpdate}${representation.misplaced ? ' (misplaced)' : ''}`;
    case 'error':
      return `${representation.code}: ${representation.message} (${representation.clause})`;
    default:
      return assertNever(representation);
  }
}

function nameWords({ index, name, value }: Extract<Representation, { value: object }>): string {
  const huffman = [name?.huffman === true && 'name', value.huffman && 'value'].filter(Boolean).join(' and ');
  return `${index === 0 ? '' : `, name ${index}`}${huffman === '' ? '' : `; Huffman ${huffman}`}`;
}

function assertNever(representation: never): never {
  throw new Error(`unknown representation: ${JSON.stringify(representation)}`);
}
