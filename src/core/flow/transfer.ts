import type { Capture } from '../capture/capture';
import { NO_ROW } from '../capture/frames';
import type { Side } from '../tcp/types';
import { messageOpenAfter } from './open-message';
import type { StallTable } from './stall-table';
import { WindowCause } from './window-samples';
import type { WindowTracker } from './window-tracker';

/** What was sent in one direction of a connection or a stream, and when nothing went. Times are nanoseconds. */
export interface Transfer {
  octets: number;
  frames: number;
  first: number;
  last: number;
  /** Between the first and the last, without the time in which nothing was to be sent. */
  active: number;
  /** Octets after the first stall began, and the active time since then; 0 without a stall. */
  stalledOctets: number;
  stalledActive: number;
  /** Unstalled pauses: between messages, and inside one. */
  betweenMessages: number;
  insideMessages: number;
}

/** A pause shorter than this is the sender's and the machine's pace (0.5 ms). */
const PACE = 500_000;
/** A pause between messages longer than this (or than two round trips) is no part of a transfer (50 ms). */
const IDLE = 50_000_000;

/** Stalled time as intervals that do not overlap, in order: of one stream, or of any (`stream` 0). */
export function stalledTime(stalls: StallTable, side: Side, stream: number): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let i = 0; i < stalls.count; i++) {
    if (stalls.side.get(i) !== side || (stream !== 0 && stalls.stream.get(i) !== stream)) continue;
    found.push({ from: stalls.from.get(i), to: stalls.to.get(i) });
  }
  found.sort((a, b) => a.from - b.from);
  const merged: { from: number; to: number }[] = [];
  for (const span of found) {
    const last = merged[merged.length - 1];
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push(span);
  }
  return merged;
}

/**
 * @param tracker in the sender's view
 * @param stalled of the same side and stream, in order
 * @param roundTrip nanoseconds; 0 when unknown
 */
export function transferOf(
  capture: Capture,
  tracker: WindowTracker,
  side: Side,
  stream: number,
  stalled: readonly { from: number; to: number }[],
  roundTrip: number,
): Transfer | undefined {
  const { samples } = tracker;
  const idle = Math.max(IDLE, 2 * roundTrip);
  const transfer: Transfer = {
    octets: 0,
    frames: 0,
    first: Number.NaN,
    last: Number.NaN,
    active: 0,
    stalledOctets: 0,
    stalledActive: 0,
    betweenMessages: 0,
    insideMessages: 0,
  };
  const firstStall = stalled[0]?.from ?? Number.POSITIVE_INFINITY;
  let at = 0;
  let lastRow = NO_ROW;
  for (let i = 0; i < samples.count; i++) {
    if (samples.stream.get(i) !== stream || samples.side.get(i) !== side) continue;
    if (samples.cause.get(i) !== WindowCause.DATA) continue;
    const time = samples.time.get(i);
    const octets = -samples.change.get(i);
    const row = samples.row.get(i);
    transfer.octets += octets;
    transfer.frames++;
    if (lastRow === NO_ROW) {
      transfer.first = time;
    } else {
      const pause = time - transfer.last;
      while (at < stalled.length && stalled[at]!.to <= transfer.last) at++;
      let open = pause;
      for (let s = at; s < stalled.length && stalled[s]!.from < time; s++) {
        open -= Math.min(time, stalled[s]!.to) - Math.max(transfer.last, stalled[s]!.from);
      }
      let counted = pause;
      if (open > PACE) {
        const next = capture.frames.stream.get(row) === capture.frames.stream.get(lastRow) ? row : NO_ROW;
        if (messageOpenAfter(capture, lastRow, next)) transfer.insideMessages += open;
        else {
          transfer.betweenMessages += open;
          if (open > idle) counted = pause - open;
        }
      }
      transfer.active += counted;
      if (time > firstStall) {
        transfer.stalledOctets += octets;
        transfer.stalledActive += Math.min(counted, time - firstStall);
      }
    }
    transfer.last = time;
    lastRow = row;
  }
  return lastRow === NO_ROW ? undefined : transfer;
}
