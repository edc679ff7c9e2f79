/**
 * An HTTP/2 encoder for tests (RFC 9113 §4, §6). It does what it is told and checks nothing: a test must be able to
 * write what no peer may send. Every function gives the octets of one frame, its nine-octet header included.
 */
import { Flag, FrameType } from '../../src/shared/names';
import { concat, latin1, uint16, uint24, uint32 } from './octets';

export * from './encode-hpack';
export * from './octets';

/** RFC 9113 §3.4, 24 octets. */
export const PREFACE = latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const NOTHING = new Uint8Array(0);

export interface FrameOptions {
  /** The bit before the stream identifier (RFC 9113 §4.1). */
  reserved?: 0 | 1;
  /** The length field when it shall not be the payload's. */
  length?: number;
}

/** Any frame, known or not. `flags` is the octet. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = NOTHING,
  options: FrameOptions = {},
): Uint8Array {
  return concat(
    uint24(options.length ?? payload.length),
    Uint8Array.of(type, flags),
    uint32(stream + (options.reserved ?? 0) * 2 ** 31),
    payload,
  );
}

/** RFC 9113 §6.5; `pairs` in the order given, duplicates and unknown identifiers too. */
export function settings(pairs: readonly (readonly [id: number, value: number])[] = []): Uint8Array {
  return frame(FrameType.SETTINGS, 0, 0, concat(...pairs.flatMap(([id, value]) => [uint16(id), uint32(value)])));
}

export function settingsAck(): Uint8Array {
  return frame(FrameType.SETTINGS, Flag.ACK, 0);
}

export interface PriorityFields {
  dependency: number;
  /** 1 to 256; the octet on the wire is one less. */
  weight: number;
  exclusive?: boolean;
}

export interface DataOptions {
  endStream?: boolean;
  /** Octets of padding (0 to 255) after the pad length octet; absent: the frame is not padded. */
  padding?: number;
}

export interface HeadersOptions extends DataOptions {
  /** Default true; false when CONTINUATION follows. */
  endHeaders?: boolean;
  priority?: PriorityFields;
}

/** RFC 9113 §6.2; `block` is a header block or its first fragment (see the HPACK functions). */
export function headersFrame(stream: number, block: Uint8Array, options: HeadersOptions = {}): Uint8Array {
  const flags =
    (options.endStream ? Flag.END_STREAM : 0) |
    (options.endHeaders === false ? 0 : Flag.END_HEADERS) |
    (options.padding === undefined ? 0 : Flag.PADDED) |
    (options.priority ? Flag.PRIORITY : 0);
  const priorityPart = options.priority ? priorityPayload(options.priority) : NOTHING;
  return frame(FrameType.HEADERS, flags, stream, padded(concat(priorityPart, block), options.padding));
}

/** RFC 9113 §6.10. */
export function continuation(stream: number, fragment: Uint8Array, options: { endHeaders?: boolean } = {}): Uint8Array {
  return frame(FrameType.CONTINUATION, options.endHeaders === false ? 0 : Flag.END_HEADERS, stream, fragment);
}

/** One HEADERS frame and as many CONTINUATION frames as fragments of `fragmentSize` octets need. */
export function splitHeaders(
  stream: number,
  block: Uint8Array,
  fragmentSize: number,
  options: Omit<HeadersOptions, 'endHeaders'> = {},
): Uint8Array[] {
  const cuts = Math.max(1, Math.ceil(block.length / fragmentSize));
  return Array.from({ length: cuts }, (_, i) => {
    const fragment = block.slice(i * fragmentSize, (i + 1) * fragmentSize);
    const endHeaders = i === cuts - 1;
    return i === 0
      ? headersFrame(stream, fragment, { ...options, endHeaders })
      : continuation(stream, fragment, { endHeaders });
  });
}

/** RFC 9113 §6.1. */
export function data(stream: number, payload: Uint8Array = NOTHING, options: DataOptions = {}): Uint8Array {
  const flags = (options.endStream ? Flag.END_STREAM : 0) | (options.padding === undefined ? 0 : Flag.PADDED);
  return frame(FrameType.DATA, flags, stream, padded(payload, options.padding));
}

/** RFC 9113 §6.3. */
export function priority(stream: number, fields: PriorityFields): Uint8Array {
  return frame(FrameType.PRIORITY, 0, stream, priorityPayload(fields));
}

/** RFC 9113 §6.4. */
export function rstStream(stream: number, errorCode: number): Uint8Array {
  return frame(FrameType.RST_STREAM, 0, stream, uint32(errorCode));
}

/** RFC 9113 §6.6. */
export function pushPromise(
  stream: number,
  promised: number,
  block: Uint8Array,
  options: { endHeaders?: boolean; padding?: number } = {},
): Uint8Array {
  const flags =
    (options.endHeaders === false ? 0 : Flag.END_HEADERS) | (options.padding === undefined ? 0 : Flag.PADDED);
  return frame(FrameType.PUSH_PROMISE, flags, stream, padded(concat(uint32(promised), block), options.padding));
}

/** RFC 9113 §6.7; eight octets, whatever length is given. */
export function ping(payload: Uint8Array = new Uint8Array(8), options: { ack?: boolean } = {}): Uint8Array {
  return frame(FrameType.PING, options.ack ? Flag.ACK : 0, 0, payload);
}

/** RFC 9113 §6.8. */
export function goaway(lastStream: number, errorCode = 0, debug: Uint8Array = NOTHING): Uint8Array {
  return frame(FrameType.GOAWAY, 0, 0, concat(uint32(lastStream), uint32(errorCode), debug));
}

/** RFC 9113 §6.9; stream 0 is the connection. */
export function windowUpdate(stream: number, increment: number): Uint8Array {
  return frame(FrameType.WINDOW_UPDATE, 0, stream, uint32(increment));
}

/** gRPC's Length-Prefixed-Message: the compressed flag, four octets of length, the message. */
export function grpcMessage(payload: Uint8Array, flag = 0): Uint8Array {
  return concat(Uint8Array.of(flag), uint32(payload.length), payload);
}

function priorityPayload(fields: PriorityFields): Uint8Array {
  return concat(uint32(fields.dependency + (fields.exclusive ? 2 ** 31 : 0)), Uint8Array.of(fields.weight - 1));
}

function padded(payload: Uint8Array, padding: number | undefined): Uint8Array {
  return padding === undefined ? payload : concat(Uint8Array.of(padding), payload, new Uint8Array(padding));
}
