import { onesSum } from '../../../core/pcapng/checksum';
import {
  ACK,
  FIN,
  headersLength,
  PSH,
  type SegmentPath,
  SYN,
  segmentPath,
  writeSegmentHeaders,
} from '../../../core/pcapng/segments';
import { encodeInterface, encodePacket, encodeSectionHeader, LINKTYPE_RAW } from '../../../core/pcapng/writer';
import { VERSION } from '../../../shared/version';

export type Peer = 'client' | 'server';

export interface ScriptOptions {
  /** Milliseconds that octets take, one way. */
  delay: number;
  /** What the file says of itself. */
  comment: string;
}

/** 2024-01-01T00:00:00Z, nanoseconds: an example's time is nobody's. */
const EPOCH = 1_704_067_200_000_000_000n;
const INITIAL_SEQUENCE = 1000;
const NOTHING = new Uint8Array(0);

interface Event {
  time: number;
  order: number;
  deed(): void;
}

/**
 * Two peers and the way between them, played through in the order of time and written down as a tap would have
 * written it: a segment when octets pass the tap, an acknowledgement when they are delivered. Times are milliseconds.
 */
export class Script {
  now = 0;
  private readonly blocks: Uint8Array[] = [];
  private readonly events: Event[] = [];
  private readonly paths: Record<Peer, SegmentPath>;
  /** Octets of each peer that were sent, and that were delivered. */
  private readonly sent: Record<Peer, number> = { client: 0, server: 0 };
  private readonly delivered: Record<Peer, number> = { client: 0, server: 0 };
  private order = 0;

  constructor(private readonly options: ScriptOptions) {
    const client = { address: '127.0.0.1', port: 40_001 };
    const server = { address: '127.0.0.1', port: 50_051 };
    this.paths = { client: segmentPath(client, server), server: segmentPath(server, client) };
    const application = `Penstock ${VERSION}`;
    this.blocks.push(
      encodeSectionHeader({ application, comment: options.comment }),
      encodeInterface({ linkType: LINKTYPE_RAW, name: 'example', comment: options.comment }),
    );
    this.segment('client', SYN, -1, NOTHING);
    this.segment('server', SYN | ACK, -1, NOTHING);
    this.segment('client', ACK, 0, NOTHING);
  }

  /** Something happens in so many milliseconds. */
  after(milliseconds: number, deed: () => void): void {
    this.events.push({ time: this.now + milliseconds, order: this.order++, deed });
  }

  /** One write of a peer's. @param arrived what happens when its receiver has it */
  send(from: Peer, frames: readonly Uint8Array[], arrived: () => void = () => undefined): void {
    const octets = joined(frames);
    const offset = this.sent[from];
    this.sent[from] += octets.length;
    this.segment(from, PSH | ACK, offset, octets);
    this.after(this.options.delay, () => {
      this.delivered[from] = offset + octets.length;
      this.segment(other(from), ACK, this.sent[other(from)], NOTHING);
      arrived();
    });
  }

  /** Plays it through. @returns the capture file */
  play(): Uint8Array {
    for (;;) {
      const next = this.earliest();
      if (next === undefined) break;
      this.now = next.time;
      next.deed();
    }
    this.segment('client', FIN | ACK, this.sent.client, NOTHING);
    this.segment('server', FIN | ACK, this.sent.server, NOTHING);
    return joined(this.blocks);
  }

  /** There are few at one time. */
  private earliest(): Event | undefined {
    let best = 0;
    for (let i = 1; i < this.events.length; i++) {
      const { time, order } = this.events[i]!;
      const than = this.events[best]!;
      if (time < than.time || (time === than.time && order < than.order)) best = i;
    }
    return this.events.splice(best, 1)[0];
  }

  /** @param offset of the first octet in its peer's stream; -1 is the SYN's */
  private segment(from: Peer, flags: number, offset: number, payload: Uint8Array): void {
    const path = this.paths[from];
    const acknowledged = (flags & ACK) === 0 ? 0 : INITIAL_SEQUENCE + 1 + this.delivered[other(from)];
    const packet = new Uint8Array(headersLength(path, flags) + payload.length);
    const sum = onesSum(payload, 0, payload.length);
    const at = writeSegmentHeaders(
      new DataView(packet.buffer),
      0,
      path,
      flags,
      INITIAL_SEQUENCE + 1 + offset,
      acknowledged,
      payload.length,
      sum,
    );
    packet.set(payload, at);
    const time = EPOCH + BigInt(Math.round(this.now * 1e6));
    const stamp = { high: Number(time >> 32n), low: Number(time & 0xffffffffn) };
    this.blocks.push(encodePacket(0, stamp, packet));
  }
}

function other(peer: Peer): Peer {
  return peer === 'client' ? 'server' : 'client';
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
