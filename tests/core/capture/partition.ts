import type { Capture } from '../../../src/core/capture/capture';
import { type Event, extents } from './feed';
import { plainRows } from './snapshot';

/**
 * What is wrong with the rows as a partition of the octets: each octet that was seen belongs to one row, each that was
 * not to one GAP, and to at most one other row (a frame or record with a hole). Empty when all is well.
 */
export function partitionFaults(capture: Capture, events: readonly Event[]): string[] {
  const faults: string[] = [];
  const rows = plainRows(capture);
  for (const side of [0, 1] as const) {
    const end = extents(events)[side];
    const unseen = unseenOctets(events, side, end);
    /** Rows over each octet: GAPs, and others. */
    const gaps = new Uint8Array(end);
    const others = new Uint8Array(end);
    for (const { kind, offset, extent } of rows.filter((row) => row.side === side)) {
      if (extent === 0) faults.push(`${kind} at ${offset} is empty`);
      if (kind === 'GAP') {
        for (let at = offset; at < offset + extent; at++) gaps[at]!++;
        continue;
      }
      // A row with holes counts what was seen of it: the octets that nobody saw are passed over.
      let left = extent;
      let at = offset;
      for (; left > 0 && at < end; at++) {
        if (unseen[at] === 1) continue;
        others[at]!++;
        left--;
      }
      if (left > 0) faults.push(`${kind} at ${offset} goes ${left} octets beyond the end, ${end}`);
    }
    for (let at = 0; at < end; at++) {
      if (gaps[at] !== unseen[at])
        faults.push(`side ${side}, octet ${at}: ${gaps[at]} GAPs, seen: ${unseen[at] === 0}`);
      if (unseen[at] === 0 && others[at] !== 1) faults.push(`side ${side}, octet ${at} is in ${others[at]} rows`);
      if (faults.length > 5) return faults;
    }
  }
  return faults;
}

/** 1 for each octet that is in no packet. */
function unseenOctets(events: readonly Event[], side: number, end: number): Uint8Array {
  const unseen = new Uint8Array(end);
  let at = 0;
  for (const event of events) {
    if (event.side !== side || 'reset' in event) continue;
    if ('gap' in event) unseen.fill(1, at, at + event.gap);
    at += 'gap' in event ? event.gap : event.octets.length;
  }
  return unseen;
}
