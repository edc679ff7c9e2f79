import { MessageBit } from '../../../core/capture/calls';
import type { Capture } from '../../../core/capture/capture';
import { NO_ROW } from '../../../core/capture/frames';
import { Known } from '../../../core/hpack/header-store';
import { grpcFault } from '../../../core/http2/faults';
import { decodeRaw } from '../../../core/protobuf/raw';
import type { Side } from '../../../core/tcp/types';
import type { MessageRecord } from '../../../shared/records';
import { type Decompressed, decompress } from '../decompress';
import type { Payloads } from '../payloads';

const PREFIX_LENGTH = 5;
/** Messages up to this length get their fields in a record; longer ones are read piece by piece where they are shown. */
const FIELDS_UP_TO = 64 << 10;

/** Which side of its connection sent a message. */
export function messageSide(capture: Capture, message: number): Side {
  return (capture.messages.bits.get(message) & MessageBit.SIDE) as Side;
}

/** The grpc-encoding that the message's sender named; `identity` when none. */
export function messageEncoding(capture: Capture, message: number): string {
  const { calls, messages, headers } = capture;
  const call = messages.call.get(message);
  const connection = capture.connections[calls.conn.get(call) - 1]!;
  const fromClient = messageSide(capture, message) === connection.clientSide;
  const list = fromClient ? calls.request.get(call) : calls.response.get(call);
  const field = list === 0 ? -1 : headers.find(list - 1, Known.GRPC_ENCODING);
  return field === -1 ? 'identity' : (headers.value(field) ?? 'identity');
}

/** Rows of the DATA frames that carry a message. */
export function messageRows(capture: Capture, payloads: Payloads, message: number): number[] {
  const { messages } = capture;
  const first = messages.firstRow.get(message);
  return first === NO_ROW ? [] : payloads.dataRows(first, messages.lastRow.get(message));
}

/**
 * A message's octets as on the wire, without its prefix; what was never seen is left out.
 * @param limit octets at most
 */
export function messageOctets(
  capture: Capture,
  payloads: Payloads,
  message: number,
  limit = Number.POSITIVE_INFINITY,
): Uint8Array {
  const { messages } = capture;
  const rows = messageRows(capture, payloads, message);
  const wanted = Math.min(messages.seen.get(message), limit);
  const result = new Uint8Array(wanted);
  if (rows.length === 0 || wanted === 0) return result;
  // Content octets before the message in its first frame: those of the messages that end there.
  let skip = messages.skip.get(message) + PREFIX_LENGTH;
  let filled = 0;
  for (const row of rows) {
    const { offset, length } = payloads.content(row);
    if (skip >= length) {
      skip -= length;
      continue;
    }
    const take = Math.min(length - skip, wanted - filled);
    const side = messageSide(capture, message);
    const octets = payloads.octets(payloads.connectionOf(row), side, offset + skip, take);
    result.set(octets, filled);
    filled += octets.length;
    skip = 0;
    if (filled >= wanted) break;
  }
  return filled === wanted ? result : result.slice(0, filled);
}

/** What a message says, decompressed. */
export function messageContent(capture: Capture, payloads: Payloads, message: number): Decompressed {
  const octets = messageOctets(capture, payloads, message);
  if (capture.messages.flag.get(message) !== 1) return { octets };
  const encoding = messageEncoding(capture, message);
  return encoding === 'identity' ? { problem: 'nothing says how it is compressed' } : decompress(encoding, octets);
}

export function messageRecord(capture: Capture, payloads: Payloads, message: number): MessageRecord {
  const { calls, messages } = capture;
  const call = messages.call.get(message);
  const bits = messages.bits.get(message);
  const connection = capture.connections[calls.conn.get(call) - 1]!;
  const complete = (bits & MessageBit.COMPLETE) !== 0;
  const compressed = messages.flag.get(message) === 1;
  const faults = [...(messages.faults.get(message) ?? [])];
  const wireLength = messages.length.get(message);

  let length: number | null = complete && !compressed ? wireLength : null;
  let fields: unknown[] | undefined;
  if (complete && (compressed || wireLength <= FIELDS_UP_TO)) {
    const content = messageContent(capture, payloads, message);
    if ('octets' in content) {
      length = content.octets.length;
      if (length <= FIELDS_UP_TO) {
        const raw = decodeRaw(content.octets, 0, length);
        if (raw.error === undefined) fields = raw.fields;
      }
    } else if (faults.length === 0) {
      const words = `message ${messages.index.get(message)} could not be decompressed: ${content.problem}`;
      faults.push(grpcFault('GRPC_MESSAGE', 'Message-Encoding', words));
    }
  }
  return {
    conn: connection.id,
    stream: calls.stream.get(call),
    dir: messageSide(capture, message) === connection.clientSide ? 'toServer' : 'toClient',
    index: messages.index.get(message),
    compressed,
    encoding: messageEncoding(capture, message),
    wireLength,
    length,
    complete,
    ...(!complete && { captured: messages.seen.get(message) }),
    assumed: (bits & MessageBit.ASSUMED) !== 0,
    frames: messageRows(capture, payloads, message).map((row) => capture.numberOf(row)),
    ...(fields !== undefined && { fields }),
    ...(faults.length > 0 && { faults }),
  };
}
