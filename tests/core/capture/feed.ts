import { Capture } from '../../../src/core/capture/capture';
import type { Side, TcpConnection } from '../../../src/core/tcp/types';

/** What happens on one TCP connection, in order: octets of a side, octets of it that nobody saw, or its end. */
export type Event = { side: Side; octets: Uint8Array } | { side: Side; gap: number } | { side: Side; reset: true };

export interface FeedOptions {
  /** The SYN was seen, and this side sent it; undefined: joined in the middle. */
  client?: Side | undefined;
  /** Sizes into which octets are cut, taken in turn; empty: not cut. Each piece is a chunk … */
  sizes?: readonly number[];
  /** … or a segment of the chunk that the whole event is, as in Penstock's own files. */
  segments?: boolean;
}

/** Hands events on as TCP reassembly would; what is handed on is overwritten at once, so that who keeps it is found. */
export function feed(events: readonly Event[], options: FeedOptions = {}): Capture {
  const { client, sizes = [], segments = false } = options;
  const capture = new Capture();
  capture.section({ format: 'pcapng', ...(segments && { application: 'Penstock' }) });
  const connection: TcpConnection = {
    id: 1,
    endpoints: [
      { address: '10.0.0.1', port: 40000 },
      { address: '10.0.0.2', port: 50051 },
    ],
    client,
    behind: [false, false],
    start: 0,
    interfaceId: 0,
  };
  capture.connection(connection);
  const offsets: [number, number] = [0, 0];
  let position = 1000;
  let time = 0;
  let turn = 0;
  for (const event of events) {
    const { side } = event;
    time += 1000;
    if ('gap' in event) {
      capture.gap(connection, side, offsets[side], event.gap);
      offsets[side] += event.gap;
    } else if ('reset' in event) {
      capture.closed(connection, side, 'reset', time);
    } else {
      for (let at = 0; at < event.octets.length; ) {
        const size = Math.min(
          sizes.length === 0 ? event.octets.length : sizes[turn++ % sizes.length]!,
          event.octets.length - at,
        );
        const lent = new Uint8Array(size + 6).fill(0xee);
        lent.set(event.octets.subarray(at, at + size), 3);
        const push = !segments || at + size === event.octets.length;
        capture.octets(connection, side, lent, 3, 3 + size, offsets[side], time, position, push);
        lent.fill(0xee);
        at += size;
        offsets[side] += size;
        position += size + 60;
      }
    }
  }
  capture.end();
  return capture;
}

/** Octets of each side, as offsets go: seen or not. */
export function extents(events: readonly Event[]): [number, number] {
  const ends: [number, number] = [0, 0];
  for (const event of events) {
    if ('gap' in event) ends[event.side] += event.gap;
    else if ('octets' in event) ends[event.side] += event.octets.length;
  }
  return ends;
}
