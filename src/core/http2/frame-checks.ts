import { Flag, FrameType } from '../../shared/names';
import type { Fault } from '../../shared/records';
import { connectionFault, streamFault } from './faults';

/**
 * The rules of RFC 9113 §6 that a frame keeps or breaks by itself: its length, its stream identifier, its padding and
 * its values. `payload[start, end)` holds what was kept of the payload: all of it, for every type but DATA, of which
 * the first octet is enough.
 */
export function checkFrame(
  type: number,
  flags: number,
  stream: number,
  length: number,
  payload: Uint8Array,
  start: number,
): Fault | undefined {
  switch (type) {
    case FrameType.DATA:
      if (stream === 0) return connectionFault('PROTOCOL_ERROR', '6.1', 'DATA on stream 0');
      return checkPadding(flags, length, payload, start, 0, '6.1');
    case FrameType.HEADERS:
      if (stream === 0) return connectionFault('PROTOCOL_ERROR', '6.2', 'HEADERS on stream 0');
      return checkPadding(flags, length, payload, start, (flags & Flag.PRIORITY) !== 0 ? 5 : 0, '6.2');
    case FrameType.PRIORITY:
      if (stream === 0) return connectionFault('PROTOCOL_ERROR', '6.3', 'PRIORITY on stream 0');
      return length === 5
        ? undefined
        : streamFault('FRAME_SIZE_ERROR', '6.3', `PRIORITY has 5 octets of payload, this one ${length}`);
    case FrameType.RST_STREAM:
      if (length !== 4) return sizeFault('6.4', `RST_STREAM has 4 octets of payload, this one ${length}`);
      return stream === 0 ? connectionFault('PROTOCOL_ERROR', '6.4', 'RST_STREAM on stream 0') : undefined;
    case FrameType.SETTINGS:
      return checkSettings(flags, stream, length);
    case FrameType.PUSH_PROMISE:
      if (stream === 0) return connectionFault('PROTOCOL_ERROR', '6.6', 'PUSH_PROMISE on stream 0');
      return checkPadding(flags, length, payload, start, 4, '6.6');
    case FrameType.PING:
      if (length !== 8) return sizeFault('6.7', `PING has 8 octets of payload, this one ${length}`);
      return stream === 0 ? undefined : onlyStreamZero('6.7', 'PING', stream);
    case FrameType.GOAWAY:
      if (length < 8) return sizeFault('6.8', `GOAWAY has at least 8 octets of payload, this one ${length}`);
      return stream === 0 ? undefined : onlyStreamZero('6.8', 'GOAWAY', stream);
    case FrameType.WINDOW_UPDATE:
      if (length !== 4) return sizeFault('6.9', `WINDOW_UPDATE has 4 octets of payload, this one ${length}`);
      if (readU31(payload, start) !== 0) return undefined;
      return stream === 0
        ? connectionFault('PROTOCOL_ERROR', '6.9', 'window size increment 0')
        : streamFault('PROTOCOL_ERROR', '6.9', 'window size increment 0');
    case FrameType.CONTINUATION:
      return stream === 0 ? connectionFault('PROTOCOL_ERROR', '6.10', 'CONTINUATION on stream 0') : undefined;
    default:
      return undefined; // RFC 9113 §5.5: extension frames have rules of their own, if any
  }
}

function checkSettings(flags: number, stream: number, length: number): Fault | undefined {
  if (stream !== 0) return onlyStreamZero('6.5', 'SETTINGS', stream);
  if ((flags & Flag.ACK) !== 0 && length !== 0) {
    return sizeFault('6.5', `SETTINGS with ACK has no payload, this one ${length} octets`);
  }
  return length % 6 === 0 ? undefined : sizeFault('6.5', `a SETTINGS payload of ${length} octets is no multiple of 6`);
}

/** `fixed` octets stand between the pad length and what is padded; the padding must leave room for them. */
function checkPadding(
  flags: number,
  length: number,
  payload: Uint8Array,
  start: number,
  fixed: number,
  clause: string,
): Fault | undefined {
  if (paddingFits(flags, length, payload, start, fixed)) return undefined;
  if (length < fixed + ((flags & Flag.PADDED) === 0 ? 0 : 1)) {
    return sizeFault(clause, `a payload of ${length} octets is too short for its fields`);
  }
  const words = `pad length ${payload[start]} does not fit a payload of ${length} octets`;
  return connectionFault('PROTOCOL_ERROR', clause, words);
}

/** Whether the payload has room for its pad length, its `fixed` octets and its padding: what is between can be told. */
export function paddingFits(flags: number, length: number, payload: Uint8Array, start: number, fixed: number): boolean {
  if ((flags & Flag.PADDED) === 0) return length >= fixed;
  return length >= 1 + fixed && payload[start]! <= length - 1 - fixed;
}

function sizeFault(clause: string, message: string): Fault {
  return connectionFault('FRAME_SIZE_ERROR', clause, message);
}

function onlyStreamZero(clause: string, name: string, stream: number): Fault {
  return connectionFault('PROTOCOL_ERROR', clause, `${name} belongs to stream 0, not to stream ${stream}`);
}

/** A 31-bit number in network order; the reserved high bit is dropped (RFC 9113 §4.1, §6.9). */
export function readU31(octets: Uint8Array, at: number): number {
  return readU32(octets, at) & 0x7fffffff;
}

export function readU32(octets: Uint8Array, at: number): number {
  return ((octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!) >>> 0;
}
