import { Flag, FrameType } from '../../shared/names';
import type { Capture } from '../capture/capture';

/** Reads frames' octets back from the capture. */
export interface StepOctets {
  /** A frame's payload, `limit` octets of it at most; without what was never seen. */
  payload(row: number, limit?: number): Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The header block that `row` completes, over all frames that carry it (RFC 9113 §4.3). */
export function wholeBlock(capture: Capture, octets: StepOctets, row: number): Uint8Array {
  const { frames } = capture;
  const rows = frames.blocks.get(row);
  if (rows === undefined) return fragment(frames.type.get(row), frames.flags.get(row), octets.payload(row));
  const parts = rows.map((part) => fragment(frames.type.get(part), frames.flags.get(part), octets.payload(part)));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A frame's part of a header block: its payload without padding, priority and promised stream (§6.2, §6.6, §6.10). */
export function fragment(type: number, flags: number, payload: Uint8Array): Uint8Array {
  if (type === FrameType.CONTINUATION) return payload;
  const padded = (flags & Flag.PADDED) !== 0;
  const prioritised = type === FrameType.HEADERS && (flags & Flag.PRIORITY) !== 0;
  const from = (padded ? 1 : 0) + (prioritised ? 5 : 0) + (type === FrameType.PUSH_PROMISE ? 4 : 0);
  const to = payload.length - (padded ? (payload[0] ?? 0) : 0);
  return to <= from ? NOTHING : payload.subarray(from, to);
}

/** The stream that a PUSH_PROMISE reserves (RFC 9113 §6.6); undefined where it was cut. */
export function promisedIn(payload: Uint8Array, flags: number): number | undefined {
  const at = (flags & Flag.PADDED) === 0 ? 0 : 1;
  return payload.length < at + 4 ? undefined : u31(payload, at);
}

/** RFC 9113 §6.8; undefined where it was cut. */
export function goawayIn(payload: Uint8Array): { last: number; code: number } | undefined {
  if (payload.length < 8) return undefined;
  return { last: u31(payload, 0), code: u31(payload, 4) + (payload[4]! & 0x80 ? 2 ** 31 : 0) };
}

function u31(octets: Uint8Array, at: number): number {
  return ((octets[at]! & 0x7f) << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!;
}
