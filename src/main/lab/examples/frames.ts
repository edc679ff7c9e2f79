import { Flag, FrameType } from '../../../shared/names';
import { joined } from './script';

/** The frames that the examples' peers send (RFC 9113 §6), and just enough HPACK for their headers. */

export const PREFACE = latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export function settings(...values: (readonly [id: number, value: number])[]): Uint8Array {
  const payload = new Uint8Array(values.length * 6);
  const view = new DataView(payload.buffer);
  for (const [i, [id, value]] of values.entries()) {
    view.setUint16(i * 6, id);
    view.setUint32(i * 6 + 2, value);
  }
  return frame(FrameType.SETTINGS, 0, 0, payload);
}

export function settingsAck(): Uint8Array {
  return frame(FrameType.SETTINGS, Flag.ACK, 0, new Uint8Array(0));
}

export function headers(stream: number, block: Uint8Array, endStream = false): Uint8Array {
  return frame(FrameType.HEADERS, Flag.END_HEADERS | (endStream ? Flag.END_STREAM : 0), stream, block);
}

export function data(stream: number, payload: Uint8Array, endStream = false): Uint8Array {
  return frame(FrameType.DATA, endStream ? Flag.END_STREAM : 0, stream, payload);
}

export function windowUpdate(stream: number, increment: number): Uint8Array {
  return frame(FrameType.WINDOW_UPDATE, 0, stream, uint32(increment));
}

export function ping(payload: Uint8Array, ack = false): Uint8Array {
  return frame(FrameType.PING, ack ? Flag.ACK : 0, 0, payload);
}

/** gRPC's Length-Prefixed-Message, not compressed. */
export function message(payload: Uint8Array): Uint8Array {
  return joined([Uint8Array.of(0), uint32(payload.length), payload]);
}

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const head = Uint8Array.of(length >>> 16, (length >>> 8) & 0xff, length & 0xff, type, flags);
  return joined([head, uint32(stream), payload]);
}

function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** RFC 7541 Appendix A, as far as the examples go by it. */
const STATIC: Readonly<Record<string, number>> = { ':method POST': 3, ':scheme http': 6, ':status 200': 8 };
const FIRST_DYNAMIC = 62;

/**
 * One direction's encoder (RFC 7541): what was said before is said by its index, all else enters the table. It never
 * fills one of 4,096 octets: an example says little.
 */
export class HeaderWriter {
  /** The newest last. */
  private readonly table: string[] = [];

  block(fields: readonly (readonly [name: string, value: string])[]): Uint8Array {
    return joined(fields.map(([name, value]) => this.field(name, value)));
  }

  private field(name: string, value: string): Uint8Array {
    const key = `${name} ${value}`;
    const at = this.table.lastIndexOf(key);
    const index = STATIC[key] ?? (at === -1 ? undefined : FIRST_DYNAMIC + this.table.length - 1 - at);
    if (index !== undefined) return Uint8Array.of(0x80 | index); // below 127: §5.1 in one octet
    this.table.push(key);
    return joined([Uint8Array.of(0x40), string(name), string(value)]);
  }
}

/** RFC 7541 §5.2, without Huffman coding; shorter than 127 octets. */
function string(text: string): Uint8Array {
  return joined([Uint8Array.of(text.length), latin1(text)]);
}
