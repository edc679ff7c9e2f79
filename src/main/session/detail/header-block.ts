import { hex } from '../../../core/bytes/hex';
import type { Capture } from '../../../core/capture/capture';
import { decodeBinaryMetadata } from '../../../core/grpc/base64';
import type { LiteralKind, Representation } from '../../../core/hpack/representations';
import type { DetailField } from '../../../shared/detail';
import type { HeaderField } from '../../../shared/records';
import { headerBlockOf } from '../header-block';
import type { Payloads } from '../payloads';
import { representationWords, tableEntry } from '../representation-words';
import { grouped, octetsInWords, visible } from '../text';
import { type Piece, spansOf } from './spans';

const LITERAL_CLAUSES: Readonly<Record<LiteralKind, string>> = {
  'literal-incremental': 'RFC 7541 §6.2.1',
  'literal-without-indexing': 'RFC 7541 §6.2.2',
  'literal-never-indexed': 'RFC 7541 §6.2.3',
};

/** The header block that `row` completes: each field with the octets that say it, over all frames of the block. */
export function headerBlock(capture: Capture, payloads: Payloads, row: number): DetailField | undefined {
  const block = headerBlockOf(capture, payloads, row);
  if (block === undefined) return undefined;
  const { pieces, octets, entries, untold, fields } = block;
  const { length } = octets;
  const decoded = fields.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);
  const children = entries.map(({ representation, field }, i) =>
    representationField(`headers.${i}`, representation, field, pieces),
  );
  if (untold > 0) {
    children.push({
      id: 'headers.rest',
      label: 'More fields',
      value: octetsInWords(untold),
      spans: spansOf(pieces, length - untold, length),
      note: `only the first ${grouped(entries.length)} are shown`,
    });
  }
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
        note: `${representationWords(representation)}${binaryNote(field)}`,
        clause: 'RFC 7541 §6.1',
      };
    case 'size-update':
      return {
        id,
        label: 'Dynamic table size update',
        value: octetsInWords(representation.sizeUpdate),
        spans,
        note: representationWords(representation),
        clause: 'RFC 7541 §6.3',
        fault: representation.misplaced,
      };
    case 'error':
      return {
        id,
        label: 'Undecoded',
        value: octetsInWords(representation.end - representation.start),
        spans,
        note: representationWords(representation),
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
        note: `${representationWords(representation)}${binaryNote(field)}`,
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

/** gRPC metadata whose name ends in -bin carries octets in base64 (gRPC PROTOCOL-HTTP2, Custom-Metadata). */
function binaryNote(field: HeaderField | undefined): string {
  if (field === undefined || field[1] === null || !field[0].endsWith('-bin')) return '';
  const values = decodeBinaryMetadata(field[1]).map((octets) => (octets === undefined ? 'no base64' : hex(octets)));
  return ` · octets ${values.join(', ')}`;
}
