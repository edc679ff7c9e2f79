import { hex } from '../../../core/bytes/hex';
import { MessageBit } from '../../../core/capture/calls';
import type { Capture } from '../../../core/capture/capture';
import { decodeRaw } from '../../../core/protobuf/raw';
import type { RawField, Reading } from '../../../core/protobuf/raw-types';
import type { DetailField } from '../../../shared/detail';
import type { Payloads } from '../payloads';
import { messageContent, messageEncoding, messageRows } from '../records/messages';
import { grouped, octetsInWords, shortened, visible } from '../text';
import { type Piece, spansOf } from './spans';

/** Messages of one frame that are listed. */
const MAX_MESSAGES = 64;
/** Messages up to this length are shown field by field. */
const MAX_FIELDS_OF = 256 << 10;
const PREFIX_LENGTH = 5;
const MAX_VALUE = 400;

/** The gRPC messages with octets in a DATA row, each over all its frames. */
export function messageFields(capture: Capture, payloads: Payloads, row: number): DetailField[] {
  const { messages, frames } = capture;
  const first = frames.aux.get(row) - 1;
  if (first < 0) return [];
  const call = messages.call.get(first);
  const side = messages.bits.get(first) & MessageBit.SIDE;
  const fields: DetailField[] = [];
  for (let message = first; message < messages.count && fields.length < MAX_MESSAGES; message++) {
    if (messages.call.get(message) !== call || (messages.bits.get(message) & MessageBit.SIDE) !== side) continue;
    if (messages.firstRow.get(message) > row) break;
    fields.push(messageField(capture, payloads, message));
  }
  return fields;
}

function messageField(capture: Capture, payloads: Payloads, message: number): DetailField {
  const { messages } = capture;
  const index = messages.index.get(message);
  const id = `message.${index}`;
  const flag = messages.flag.get(message);
  const length = messages.length.get(message);
  const pieces = messagePieces(capture, payloads, message);
  const complete = (messages.bits.get(message) & MessageBit.COMPLETE) !== 0;
  const faults = messages.faults.get(message) ?? [];
  const range = (start: number, end: number) => spansOf(pieces, start, end);
  const seen = messages.seen.get(message);
  return {
    id,
    label: `Message ${index}`,
    value: complete ? octetsInWords(length) : `${grouped(seen)} of ${octetsInWords(length)}`,
    spans: range(0, PREFIX_LENGTH + length),
    clause: 'gRPC PROTOCOL-HTTP2 Length-Prefixed-Message',
    ...(faults.length > 0 && { note: faults.map((fault) => fault.message).join('; '), fault: true }),
    children: [
      {
        id: `${id}.flag`,
        label: 'Compressed flag',
        value: String(flag),
        spans: range(0, 1),
        note: flag === 1 ? `compressed with ${visible(messageEncoding(capture, message))}` : 'not compressed',
      },
      { id: `${id}.length`, label: 'Message length', value: grouped(length), spans: range(1, PREFIX_LENGTH) },
      ...bodyFields(capture, payloads, message, id, pieces, complete),
    ],
  };
}

/** Where a message's octets stand, prefix first, in frames by number. */
function messagePieces(capture: Capture, payloads: Payloads, message: number): Piece[] {
  const { messages, frames } = capture;
  const total = PREFIX_LENGTH + messages.length.get(message);
  const pieces: Piece[] = [];
  let at = 0;
  let skip = messages.skip.get(message);
  for (const row of messageRows(capture, payloads, message)) {
    const content = payloads.content(row);
    const start = content.offset - frames.offset.get(row) + skip;
    const length = Math.min(content.length - skip, total - at);
    skip = 0;
    if (length <= 0) continue;
    pieces.push({ n: capture.numberOf(row), start, end: start + length, at });
    at += length;
  }
  return pieces;
}

function bodyFields(
  capture: Capture,
  payloads: Payloads,
  message: number,
  id: string,
  pieces: Piece[],
  complete: boolean,
): DetailField[] {
  const { messages } = capture;
  const length = messages.length.get(message);
  const spans = spansOf(pieces, PREFIX_LENGTH, PREFIX_LENGTH + length);
  const body: DetailField = { id: `${id}.body`, label: 'Body', value: octetsInWords(length), spans };
  if (!complete || length === 0) return [body];
  if (length > MAX_FIELDS_OF) return [{ ...body, note: 'too long to be shown field by field' }];
  const content = messageContent(capture, payloads, message);
  if ('problem' in content) return [{ ...body, note: content.problem, fault: true }];
  const compressed = messages.flag.get(message) === 1;
  const raw = decodeRaw(content.octets, 0, content.octets.length);
  const note = compressed ? `${octetsInWords(content.octets.length)} when decompressed` : undefined;
  if (raw.error !== undefined || raw.fields.length === 0) {
    return [{ ...body, note: [note, 'no protobuf message'].filter(Boolean).join(' · ') }];
  }
  // Compressed octets stand for the whole message only, not for its single fields.
  const range = (start: number, end: number) =>
    compressed ? spans : spansOf(pieces, PREFIX_LENGTH + start, PREFIX_LENGTH + end);
  return [
    {
      ...body,
      ...(note !== undefined && { note }),
      children: raw.fields.map((field, i) => protobufField(`${id}.body.${i}`, field, content.octets, range)),
    },
  ];
}

function protobufField(
  id: string,
  field: RawField,
  octets: Uint8Array,
  range: (start: number, end: number) => DetailField['spans'],
): DetailField {
  const [likeliest, ...others] = field.readings;
  const nested = field.readings.find((reading) => reading.kind === 'message' || reading.kind === 'group');
  const also = others.slice(0, 3).map((reading) => `${reading.kind} ${readingText(reading, field, octets)}`);
  return {
    id,
    label: `Field ${field.number}`,
    value: readingText(likeliest!, field, octets),
    spans: range(field.start, field.end),
    note: `${likeliest!.kind}${also.length === 0 ? '' : ` · or ${also.join(', or ')}`}`,
    ...(nested !== undefined && {
      children: nested.fields.map((child, i) => protobufField(`${id}.${i}`, child, octets, range)),
    }),
  };
}

function readingText(reading: Reading, field: RawField, octets: Uint8Array): string {
  switch (reading.kind) {
    case 'message':
    case 'group':
      return `{${reading.fields.length} ${reading.fields.length === 1 ? 'field' : 'fields'}}`;
    case 'string':
      return shortened(visible(JSON.stringify(reading.value)), MAX_VALUE);
    case 'bytes':
      return shortened(
        hex(octets, field.value.start, Math.min(field.value.end, field.value.start + MAX_VALUE)),
        MAX_VALUE,
      );
    case 'packed':
      return shortened(`[${reading.values.join(', ')}]`, MAX_VALUE);
    default:
      return String(reading.value);
  }
}
