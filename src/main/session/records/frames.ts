import { hex } from '../../../core/bytes/hex';
import type { Capture } from '../../../core/capture/capture';
import { RowBit } from '../../../core/capture/frames';
import type { FlowIndex } from '../../../core/flow/flow-index';
import { readU31, readU32 } from '../../../core/http2/frame-checks';
import {
  errorCodeName,
  Flag,
  FrameType,
  flagNames,
  frameTypeName,
  NON_FRAME_KINDS,
  settingName,
} from '../../../shared/names';
import type { FrameRecord, HeaderField, Priority } from '../../../shared/records';
import type { Payloads } from '../payloads';
import { promisedStream, rowInfo } from './info';

/** Header fields in a record at most, and their octets (RFC 7541 §4.1) together. */
const MAX_FIELDS = 20_000;
const MAX_FIELD_OCTETS = 4 << 20;
/** Debug data of a GOAWAY shown at most, octets. */
const MAX_DEBUG = 16 << 10;

export function frameRecord(capture: Capture, payloads: Payloads, row: number, flow?: FlowIndex): FrameRecord {
  const { frames, chunks } = capture;
  const bits = frames.bits.get(row);
  const nonFrame = (bits & RowBit.NON_FRAME) !== 0;
  const type = frames.type.get(row);
  const firstChunk = frames.firstChunk.get(row);
  const lastChunk = frames.lastChunk.get(row);
  const first = chunks.time.get(firstChunk);
  const last = chunks.time.get(lastChunk);
  const connection = payloads.connectionOf(row);
  const complete = (bits & RowBit.COMPLETE) !== 0;
  const faults = frames.faults.get(row);
  return {
    n: capture.numberOf(row),
    t: last / 1e9,
    ...(first !== last && { tFirst: first / 1e9 }),
    ...(capture.hasDeliveries && { delivered: seconds(chunks.delivered.get(lastChunk)) }),
    conn: connection.id,
    dir: (bits & RowBit.SIDE) === connection.clientSide ? 'toServer' : 'toClient',
    chunk: lastChunk,
    chunks: [firstChunk, lastChunk],
    type: nonFrame ? NON_FRAME_KINDS[type]! : frameTypeName(type),
    typeId: nonFrame ? null : type,
    flags: nonFrame ? [] : flagNames(type, frames.flags.get(row)),
    flagBits: frames.flags.get(row),
    stream: frames.stream.get(row),
    reserved: (bits & RowBit.RESERVED) !== 0 ? 1 : 0,
    length: frames.length.get(row),
    offset: frames.offset.get(row),
    complete,
    ...(!complete && { captured: frames.captured.get(row) ?? 0 }),
    info: rowInfo(capture, payloads, row, flow),
    ...(!nonFrame && complete && typeFields(capture, payloads, row)),
    ...(faults !== undefined && { faults }),
  };
}

function seconds(nanoseconds: number): number | null {
  return Number.isNaN(nanoseconds) ? null : nanoseconds / 1e9;
}

/** What a frame's type adds to its record. */
function typeFields(capture: Capture, payloads: Payloads, row: number): Partial<FrameRecord> {
  const { frames } = capture;
  switch (frames.type.get(row)) {
    case FrameType.DATA: {
      const { length, padding } = payloads.content(row);
      return { dataLength: length, padding };
    }
    case FrameType.HEADERS: {
      const priority = headersPriority(capture, payloads, row);
      return { ...headerFields(capture, row), ...(priority !== undefined && { priority }) };
    }
    case FrameType.CONTINUATION:
      return headerFields(capture, row);
    case FrameType.PUSH_PROMISE: {
      const promised = promisedStream(capture, payloads, row);
      return { ...(promised !== undefined && { promised }), ...headerFields(capture, row) };
    }
    case FrameType.PRIORITY: {
      const payload = payloads.payload(row, 5);
      return payload.length === 5 ? { priority: readPriority(payload, 0) } : {};
    }
    case FrameType.RST_STREAM: {
      const payload = payloads.payload(row, 4);
      return payload.length === 4 ? errorFields(readU32(payload, 0)) : {};
    }
    case FrameType.SETTINGS:
      return (frames.flags.get(row) & Flag.ACK) !== 0 ? {} : { settings: settingList(payloads.payload(row)) };
    case FrameType.PING:
      return { payload: hex(payloads.payload(row, 64)) };
    case FrameType.GOAWAY: {
      const payload = payloads.payload(row, 8 + MAX_DEBUG);
      if (payload.length < 8) return {};
      return { lastStream: readU31(payload, 0), ...errorFields(readU32(payload, 4)), debug: hex(payload, 8) };
    }
    case FrameType.WINDOW_UPDATE:
      return frames.length.get(row) === 4 ? { increment: frames.aux.get(row) } : {};
    default:
      return {};
  }
}

function errorFields(code: number): Partial<FrameRecord> {
  return { errorCode: errorCodeName(code), errorCodeId: code };
}

/** On the row that completes a header block. */
function headerFields(capture: Capture, row: number): Partial<FrameRecord> {
  const list = capture.frames.aux.get(row) - 1;
  if (list < 0) return {};
  const block = capture.frames.blocks.get(row) ?? [row];
  const headers = headerList(capture, list);
  const left = capture.headers.listLength(list) - headers.length;
  return {
    headers,
    ...(left > 0 && { headersLeftOut: left }),
    block: block.map((part) => capture.numberOf(part)),
  };
}

/**
 * A list's fields, so far as they are not more than a record can hold: a block of one-octet references stands for
 * thousands of times its own size.
 */
export function headerList({ headers }: Capture, list: number): HeaderField[] {
  const fields: HeaderField[] = [];
  let octets = 0;
  for (let i = 0; i < headers.listLength(list) && fields.length < MAX_FIELDS; i++) {
    const field = headers.fieldOf(list, i);
    octets += headers.size(field);
    if (octets > MAX_FIELD_OCTETS && i > 0) break;
    fields.push([headers.name(field), headers.value(field)]);
  }
  return fields;
}

function settingList(payload: Uint8Array): [number, string, number][] {
  const settings: [number, string, number][] = [];
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    const id = (payload[at]! << 8) | payload[at + 1]!;
    settings.push([id, settingName(id), readU32(payload, at + 2)]);
  }
  return settings;
}

function headersPriority(capture: Capture, payloads: Payloads, row: number): Priority | undefined {
  const flags = capture.frames.flags.get(row);
  if ((flags & Flag.PRIORITY) === 0) return undefined;
  const at = (flags & Flag.PADDED) !== 0 ? 1 : 0;
  const payload = payloads.payload(row, at + 5);
  return payload.length < at + 5 ? undefined : readPriority(payload, at);
}

function readPriority(payload: Uint8Array, at: number): Priority {
  return { exclusive: payload[at]! >= 0x80, dependency: readU31(payload, at), weight: payload[at + 4]! + 1 };
}
