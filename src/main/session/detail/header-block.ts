import { hex } from '../../../core/bytes/hex';
import type { Capture } from '../../../core/capture/capture';
import { decodeBinaryMetadata } from '../../../core/grpc/base64';
import { type LiteralKind, type Representation, walkRepresentations } from '../../../core/hpack/representations';
import type { DetailField } from '../../../shared/detail';
import { FrameType } from '../../../shared/names';
import type { HeaderField } from '../../../shared/records';
import type { Payloads } from '../payloads';
import { headerList } from '../records/frames';
import { octetsInWords, visible } from '../text';
import { fragmentRange } from './frame-fields';
import { type Piece, spansOf } from './spans';

/** Entries of the static table (RFC 7541 Appendix A). */
const STATIC_ENTRIES = 61;

const LITERAL_WORDS: Readonly<Record<LiteralKind, string>> = {
  'literal-incremental': 'literal, added to the dynamic table',
  'literal-without-indexing': 'literal, not added to the table',
  'literal-never-indexed': 'literal, never to be indexed',
};
const LITERAL_CLAUSES: Readonly<Record<LiteralKind, string>> = {
  'literal-incremental': 'RFC 7541 §6.2.1',
  'literal-without-indexing': 'RFC 7541 §6.2.2',
  'literal-never-indexed': 'RFC 7541 §6.2.3',
};

const CARRIES_BLOCK: ReadonlySet<number> = new Set([FrameType.HEADERS, FrameType.PUSH_PROMISE, FrameType.CONTINUATION]);

/** The header block that `row` completes: each field with the octets that say it, over all frames of the block. */
export function headerBlock(capture: Capture, payloads: Payloads, row: number): DetailField | undefined {
  const { frames } = capture;
  if (!CARRIES_BLOCK.has(frames.type.get(row))) return undefined;
  const list = frames.aux.get(row) - 1;
  if (list < 0) return undefined;
  const pieces: Piece[] = [];
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const part of frames.blocks.get(row) ?? [row]) {
    const octets = payloads.row(part);
    const range = fragmentRange(octets);
    if (range === undefined) continue;
    pieces.push({ n: capture.numberOf(part), start: range.start, end: range.end, at: length });
    parts.push(octets.subarray(range.start, range.end));
    length += range.end - range.start;
  }
  const block = new Uint8Array(length);
  for (const [i, part] of parts.entries()) block.set(part, pieces[i]!.at);

  const fields = headerList(capture, list);
  const decoded = fields.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);
  let next = 0;
  const children = walkRepresentations(block).map((representation, i): DetailField => {
    const isField = representation.kind !== 'size-update' && representation.kind !== 'error';
    const field = isField ? fields[next++] : undefined;
    return representationField(`headers.${i}`, representation, field, pieces);
  });
  return {
    id: 'headers',
    label: 'Header block',
    value: `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`,
    spans: spansOf(pieces, 0, length),
    note: `${octetsInWords(length)} stand for ${octetsInWords(decoded)} of names and values`,
    clause: 'RFC 7541',
    children,
  };
}

function representationField(
  id: string,
  representation: Representation,
  field: HeaderField | undefined,
  pieces: readonly Piece[],
): DetailField {
  const spans = spansOf(pieces, representation.start, representation.end);
  const name = visible(field?.[0] ?? '?');
  const value = field?.[1] == null ? 'not seen' : visible(field[1]);
  const range = (start: number, end: number) => spansOf(pieces, start, end);
  switch (representation.kind) {
    case 'indexed':
      return {
        id,
        label: name,
        value,
        spans,
        note: `indexed: ${tableEntry(representation.index)}${binaryNote(field)}`,
        clause: 'RFC 7541 §6.1',
      };
    case 'size-update':
      return {
        id,
        label: 'Dynamic table size update',
        value: octetsInWords(representation.sizeUpdate),
        spans,
        note: representation.misplaced ? 'not at the beginning of the block' : 'the new maximum size of the table',
        clause: 'RFC 7541 §6.3',
        fault: representation.misplaced,
      };
    case 'error':
      return {
        id,
        label: 'Undecoded',
        value: octetsInWords(representation.end - representation.start),
        spans,
        note: representation.message,
        clause: representation.clause,
        fault: true,
      };
    default: {
      const { index, indexRange, name: nameLiteral, value: valueLiteral, kind } = representation;
      const children: DetailField[] = [
        {
          id: `${id}.index`,
          label: 'Representation',
          value: index === 0 ? 'new name' : `name of ${tableEntry(index)}`,
          spans: range(indexRange.start, indexRange.end),
        },
      ];
      if (nameLiteral !== undefined) children.push(stringField(`${id}.name`, 'Name', name, nameLiteral, range));
      children.push(stringField(`${id}.value`, 'Value', value, valueLiteral, range));
      return {
        id,
        label: name,
        value,
        spans,
        note: `${LITERAL_WORDS[kind]}${binaryNote(field)}`,
        clause: LITERAL_CLAUSES[kind],
        children,
      };
    }
  }
}

interface StringLiteral {
  start: number;
  end: number;
  huffman: boolean;
  lengthRange: { start: number };
}

function stringField(
  id: string,
  label: string,
  text: string,
  literal: StringLiteral,
  range: (start: number, end: number) => DetailField['spans'],
): DetailField {
  const coded = literal.end - literal.start;
  return {
    id,
    label,
    value: text,
    spans: range(literal.lengthRange.start, literal.end),
    note: literal.huffman ? `Huffman-coded: ${octetsInWords(coded)}` : `plain: ${octetsInWords(coded)}`,
    clause: 'RFC 7541 §5.2',
  };
}

function tableEntry(index: number): string {
  return index <= STATIC_ENTRIES ? `entry ${index} of the static table` : `entry ${index} (dynamic table)`;
}

/** gRPC metadata whose name ends in -bin carries octets in base64 (gRPC PROTOCOL-HTTP2, Custom-Metadata). */
function binaryNote(field: HeaderField | undefined): string {
  if (field === undefined || field[1] === null || !field[0].endsWith('-bin')) return '';
  const values = decodeBinaryMetadata(field[1]).map((octets) => (octets === undefined ? 'no base64' : hex(octets)));
  return ` · octets ${values.join(', ')}`;
}
