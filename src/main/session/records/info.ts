import { latin1, utf8 } from '../../../core/bytes/text';
import { CallKind, MessageBit } from '../../../core/capture/calls';
import type { Capture } from '../../../core/capture/capture';
import { NO_ROW, RowBit } from '../../../core/capture/frames';
import type { FlowIndex } from '../../../core/flow/flow-index';
import { samplesOfRow } from '../../../core/flow/samples-of-row';
import { decodePercent } from '../../../core/grpc/percent';
import { namePing } from '../../../core/grpc/pings';
import { parseTimeout } from '../../../core/grpc/timeout';
import { Known } from '../../../core/hpack/header-store';
import { readU31, readU32 } from '../../../core/http2/frame-checks';
import type { Side } from '../../../core/tcp/types';
import {
  errorCodeName,
  Flag,
  FrameType,
  grpcStatusName,
  NON_FRAME_KINDS,
  type NonFrameKind,
  settingName,
} from '../../../shared/names';
import { formatDuration } from '../../../shared/units';
import type { Payloads } from '../payloads';
import { grouped, milliseconds, octetsInWords, shortened, visible } from '../text';
import { implementationOf } from './connections';
import { senderTime } from './sender-time';

/** Frames walked back at most to say which part of a message a frame carries. */
const MAX_WALK = 4096;
const MAX_TEXT = 200;
/** RFC 9113 §6.8: a server that is about to close says so with the largest identifier first. */
const ANY_STREAM = 0x7fffffff;

/** What a row means, in words; not a repetition of its columns. */
export function rowInfo(capture: Capture, payloads: Payloads, row: number, flow?: FlowIndex): string {
  const { frames } = capture;
  const words = frames.isNonFrame(row) ? nonFrameInfo(capture, payloads, row) : frameInfo(capture, payloads, row, flow);
  if ((frames.bits.get(row) & RowBit.COMPLETE) !== 0) return words;
  const captured = frames.captured.get(row) ?? 0;
  const whole = frames.isNonFrame(row) ? undefined : frames.extent(row);
  const cut = whole === undefined ? 'cut short' : `cut short: ${grouped(captured)} of ${octetsInWords(whole)} seen`;
  return words === '' ? cut : `${words} · ${cut}`;
}

function nonFrameInfo(capture: Capture, payloads: Payloads, row: number): string {
  const { frames } = capture;
  const length = frames.length.get(row);
  const kind: NonFrameKind = NON_FRAME_KINDS[frames.type.get(row)]!;
  switch (kind) {
    case 'PREFACE':
      return 'connection preface';
    case 'GAP':
      return `${octetsInWords(length)} that are not in the capture`;
    case 'TLS':
      return tlsInfo(payloads.row(row, 5));
    case 'HTTP1': {
      const line = latin1(payloads.row(row, 1024)).split(/\r?\n/, 1)[0]!;
      return /HTTP\/1\.[01]/.test(line) ? shortened(visible(line), MAX_TEXT) : `${octetsInWords(length)} of body`;
    }
    case 'OPAQUE':
      return `${octetsInWords(length)} of no known protocol`;
  }
}

const TLS_TYPES: Readonly<Record<number, string>> = {
  20: 'Change Cipher Spec',
  21: 'Alert',
  22: 'Handshake',
  23: 'Application Data',
  24: 'Heartbeat',
};

function tlsInfo(header: Uint8Array): string {
  return `TLS ${TLS_TYPES[header[0] ?? 0] ?? 'record'}`;
}

function frameInfo(capture: Capture, payloads: Payloads, row: number, flow: FlowIndex | undefined): string {
  const { frames } = capture;
  const type = frames.type.get(row);
  switch (type) {
    case FrameType.DATA:
      return dataInfo(capture, payloads, row);
    case FrameType.HEADERS:
    case FrameType.CONTINUATION:
      return headersInfo(capture, row);
    case FrameType.PRIORITY:
      return priorityInfo(payloads.payload(row, 5));
    case FrameType.RST_STREAM:
      return errorCodeName(frames.aux.get(row));
    case FrameType.SETTINGS:
      return settingsInfo(capture, payloads, row);
    case FrameType.PUSH_PROMISE:
      return pushPromiseInfo(capture, payloads, row);
    case FrameType.PING:
      return pingInfo(capture, payloads, row);
    case FrameType.GOAWAY:
      return goawayInfo(payloads.payload(row, 8 + MAX_TEXT));
    case FrameType.WINDOW_UPDATE:
      return windowUpdateInfo(capture, row, flow);
    default:
      return octetsInWords(frames.length.get(row));
  }
}

/** `connection +11 → 65,535`: the increment, and what the window of DATA's sender is with it. */
function windowUpdateInfo(capture: Capture, row: number, flow: FlowIndex | undefined): string {
  const { frames } = capture;
  const stream = frames.stream.get(row);
  const words = `${stream === 0 ? 'connection' : `stream ${stream}`} +${grouped(frames.aux.get(row))}`;
  const tracker = flow?.connection(frames.conn.get(row));
  if (tracker === undefined || tracker.relative) return words;
  const [sample] = samplesOfRow(tracker.samples, row, senderTime(capture, row));
  return sample === undefined ? words : `${words} → ${grouped(tracker.samples.window.get(sample))}`;
}

function dataInfo(capture: Capture, payloads: Payloads, row: number): string {
  const { frames, messages } = capture;
  const ends = (frames.flags.get(row) & Flag.END_STREAM) !== 0;
  const first = frames.aux.get(row) - 1;
  if (first < 0) {
    const { length } = payloads.content(row);
    return length === 0 && ends ? 'end of stream' : `${octetsInWords(length)} of body`;
  }
  const last = lastMessageIn(capture, row, first);
  const index = messages.index.get(first);
  if (last !== first) return `messages ${index} to ${messages.index.get(last)}`;
  const whole = (messages.bits.get(first) & MessageBit.COMPLETE) !== 0;
  if (whole && messages.firstRow.get(first) === row && messages.lastRow.get(first) === row) {
    return `message ${index} · ${octetsInWords(messages.length.get(first))}`;
  }
  return `message ${index}${partOfMessage(capture, payloads, row, first)}`;
}

/** The newest message with octets in this row. */
function lastMessageIn(capture: Capture, row: number, first: number): number {
  const { messages } = capture;
  const call = messages.call.get(first);
  const side = messages.bits.get(first) & MessageBit.SIDE;
  let last = first;
  // Messages of other streams may stand between; those of one frame are few steps apart.
  for (let message = first + 1; message < messages.count; message++) {
    if (messages.firstRow.get(message) > row && messages.firstRow.get(message) !== NO_ROW) break;
    if (messages.call.get(message) !== call || (messages.bits.get(message) & MessageBit.SIDE) !== side) continue;
    if (messages.firstRow.get(message) > row) break;
    last = message;
  }
  return last;
}

function partOfMessage(capture: Capture, payloads: Payloads, row: number, message: number): string {
  const { frames, messages } = capture;
  const first = messages.firstRow.get(message);
  const side = messages.bits.get(message) & MessageBit.SIDE;
  let before = 0;
  let steps = 0;
  for (let at = row; at !== first; ) {
    at = frames.previousInStream.get(at);
    if (at === NO_ROW || at < first || ++steps > MAX_WALK) return `, part of ${grouped(messages.length.get(message))}`;
    if ((frames.bits.get(at) & RowBit.SIDE) !== side || frames.type.get(at) !== FrameType.DATA) continue;
    before += payloads.content(at).length;
  }
  const header = messages.skip.get(message) + 5;
  const from = Math.max(0, before - (row === first ? 0 : header));
  const content = payloads.content(row).length;
  const length = messages.length.get(message);
  const to = Math.min(length, before + content - header);
  return `, ${grouped(from)} to ${grouped(Math.max(from, to))} of ${grouped(length)}`;
}

function headersInfo(capture: Capture, row: number): string {
  const { frames, calls, headers } = capture;
  const list = frames.aux.get(row) - 1;
  if (list < 0) return 'header block goes on';
  const method = headers.find(list, Known.METHOD);
  if (method !== -1) return requestInfo(capture, list);
  const status = headers.find(list, Known.STATUS);
  const grpcStatus = grpcStatusInfo(capture, list);
  const words: string[] = [];
  if (status !== -1) words.push(visible(headers.value(status) ?? ''));
  if (grpcStatus !== undefined) words.push(status === -1 ? 'trailers' : 'trailers-only', grpcStatus);
  else if (status === -1) words.push('trailers');
  const type = headers.find(list, Known.CONTENT_TYPE);
  if (type !== -1 && grpcStatus === undefined) words.push(visible(headers.value(type) ?? ''));
  const ends = (frames.flags.get(row) & Flag.END_STREAM) !== 0;
  if (ends && grpcStatus === undefined) {
    const call = capture.callAt(frames.conn.get(row), frames.stream.get(row));
    if (call !== -1 && calls.kind.get(call) === CallKind.GRPC) words.push('no grpc-status');
  }
  return shortened(words.join(' · '), MAX_TEXT);
}

function requestInfo({ headers }: Capture, list: number): string {
  const value = (kind: number): string | undefined => {
    const field = headers.find(list, kind);
    return field === -1 ? undefined : (headers.value(field) ?? undefined);
  };
  const words = [`${value(Known.METHOD) ?? '?'} ${value(Known.PATH) ?? value(Known.AUTHORITY) ?? ''}`.trim()];
  const timeout = value(Known.GRPC_TIMEOUT);
  if (timeout !== undefined) words.push(`deadline ${deadlineText(timeout)}`);
  return shortened(visible(words.join(' · ')), MAX_TEXT);
}

/** `30 s` rather than `30000 milliseconds`; a timeout that is none as it stands. */
function deadlineText(timeout: string): string {
  const parsed = parseTimeout(timeout);
  return parsed === undefined ? timeout : formatDuration(parsed.seconds);
}

function grpcStatusInfo({ headers }: Capture, list: number): string | undefined {
  const field = headers.find(list, Known.GRPC_STATUS);
  if (field === -1) return undefined;
  const status = headers.number(field);
  const text = status === undefined ? visible(headers.value(field) ?? '?') : `${status} ${grpcStatusName(status)}`;
  const message = headers.find(list, Known.GRPC_MESSAGE);
  const words = message === -1 ? '' : visible(decodePercent(headers.value(message) ?? ''));
  return words === '' ? `grpc-status ${text}` : `grpc-status ${text}: ${words}`;
}

function priorityInfo(payload: Uint8Array): string {
  if (payload.length < 5) return '';
  const exclusive = payload[0]! >= 0x80 ? ', exclusively' : '';
  return `depends on stream ${readU31(payload, 0)}${exclusive}, weight ${payload[4]! + 1}`;
}

function settingsInfo(capture: Capture, payloads: Payloads, row: number): string {
  const { frames } = capture;
  const other = frames.aux.get(row) - 1;
  if ((frames.flags.get(row) & Flag.ACK) !== 0) {
    return other < 0 ? 'acknowledges settings' : `acknowledges the settings of frame ${capture.numberOf(other)}`;
  }
  const payload = payloads.payload(row, 6 * 16);
  const words: string[] = [];
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    words.push(`${settingName((payload[at]! << 8) | payload[at + 1]!)} ${grouped(readU32(payload, at + 2))}`);
  }
  return words.length === 0 ? 'no settings: all initial values' : shortened(words.join(', '), MAX_TEXT);
}

function pushPromiseInfo(capture: Capture, payloads: Payloads, row: number): string {
  const promised = promisedStream(capture, payloads, row);
  const list = capture.frames.aux.get(row) - 1;
  const words = promised === undefined ? 'promises a stream' : `promises stream ${promised}`;
  return list < 0 ? words : `${words} · ${requestInfo(capture, list)}`;
}

/** The promised stream's identifier; undefined when the frame is too short to have it. */
export function promisedStream(capture: Capture, payloads: Payloads, row: number): number | undefined {
  const padded = (capture.frames.flags.get(row) & Flag.PADDED) !== 0 ? 1 : 0;
  const payload = payloads.payload(row, 4 + padded);
  return payload.length < 4 + padded ? undefined : readU31(payload, padded);
}

function pingInfo(capture: Capture, payloads: Payloads, row: number): string {
  const { frames } = capture;
  const other = frames.aux.get(row) - 1;
  const side = (frames.bits.get(row) & RowBit.SIDE) as Side;
  const ack = (frames.flags.get(row) & Flag.ACK) !== 0;
  if (ack) {
    if (other < 0) return 'answers a ping that was not seen';
    return `answers frame ${capture.numberOf(other)} · ${roundTrip(capture, other, row)}`;
  }
  const payload = payloads.payload(row, 8);
  const sender = implementationOf(capture, payloads.connectionOf(row), side);
  const words = namePing(payload, 0, sender?.name)?.words ?? 'ping';
  return withWindowUpdate(capture, row) ? `${words}, in one chunk with the WINDOW_UPDATE before it` : words;
}

/** grpc-go's estimator sends both in one write (internal/transport: updateFlowControl and the BDP ping). */
function withWindowUpdate({ frames }: Capture, row: number): boolean {
  const before = row - 1;
  return (
    before >= 0 &&
    frames.type.get(before) === FrameType.WINDOW_UPDATE &&
    !frames.isNonFrame(before) &&
    frames.lastChunk.get(before) === frames.firstChunk.get(row)
  );
}

/** As the ping's sender saw it: until the answer was delivered, where the file tells that. */
function roundTrip(capture: Capture, ping: number, ack: number): string {
  const { chunks, frames } = capture;
  const sent = chunks.time.get(frames.lastChunk.get(ping));
  const chunk = frames.lastChunk.get(ack);
  if (!capture.hasDeliveries) return `${milliseconds((chunks.time.get(chunk) - sent) / 1e9)} at the capture point`;
  const delivered = chunks.delivered.get(chunk);
  return Number.isNaN(delivered) ? 'not delivered yet' : `RTT ${milliseconds((delivered - sent) / 1e9)}`;
}

function goawayInfo(payload: Uint8Array): string {
  if (payload.length < 8) return '';
  const last = readU31(payload, 0);
  const code = errorCodeName(readU32(payload, 4));
  const words = [last === ANY_STREAM ? 'graceful shutdown begins' : `streams above ${last} were not processed`, code];
  if (payload.length > 8) words.push(`"${visible(utf8(payload, 8) ?? latin1(payload, 8))}"`);
  return shortened(words.join(' · '), MAX_TEXT);
}
