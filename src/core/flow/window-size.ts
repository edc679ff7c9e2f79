import type { Side } from '../tcp/types';
import { WindowCause } from './window-samples';
import type { WindowTracker } from './window-tracker';

/** A window's size over time: the most that its receiver had granted at once up to then. */
export interface WindowSize {
  /** Octets at a time (nanoseconds). */
  at(time: number): number;
  largest: number;
  /** WINDOW_UPDATEs that went beyond what the stream began with: room for a whole message. */
  extraGrants: number;
  /** Median increment of the WINDOW_UPDATEs after the first DATA; undefined without any. */
  increment: number | undefined;
}

/** RFC 9113 §6.9.2. */
const INITIAL = 65_535;
/** Increments that the median is taken of; the later ones say nothing new. */
const MAX_INCREMENTS = 4096;

/**
 * @param tracker in the receiver's view: what is under way is not out of the window there, so that the window is at
 *   its full size whenever all that was consumed has been returned
 */
export function windowSize(tracker: WindowTracker, side: Side, stream: number): WindowSize {
  const { samples } = tracker;
  const times: number[] = [];
  const sizes: number[] = [];
  const increments: number[] = [];
  let largest = stream === 0 ? INITIAL : 0;
  let began = largest;
  let spent = false;
  let extraGrants = 0;
  const grow = (time: number, window: number) => {
    if (window <= largest) return;
    largest = window;
    times.push(time);
    sizes.push(window);
  };
  for (let i = 0; i < samples.count; i++) {
    if (samples.stream.get(i) !== stream || samples.side.get(i) !== side) continue;
    const cause = samples.cause.get(i);
    const window = samples.window.get(i);
    if (cause === WindowCause.DATA) {
      spent = true;
      continue;
    }
    grow(samples.time.get(i), window);
    const change = samples.change.get(i);
    if (cause === WindowCause.OPEN) began = window;
    else if (cause === WindowCause.SETTINGS) began += change;
    else {
      if (spent && increments.length < MAX_INCREMENTS) increments.push(change);
      if (stream !== 0 && window > began) extraGrants++;
    }
  }
  increments.sort((a, b) => a - b);
  return {
    at: (time) => {
      let low = 0;
      let high = times.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (times[middle]! <= time) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? (stream === 0 ? INITIAL : (sizes[0] ?? 0)) : sizes[low - 1]!;
    },
    largest,
    extraGrants,
    increment: increments[increments.length >> 1],
  };
}
