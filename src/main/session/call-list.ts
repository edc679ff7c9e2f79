import type { Capture } from '../../core/capture/capture';
import type { CallOrder, CallQuery } from '../../shared/contract';
import { callEnd, callMethod, callStart, callStatus } from './records/calls';

/** A list that was ordered is good for so long, while the capture grows under it. */
const GOOD_FOR_MS = 500;

interface Ordered {
  key: string;
  /** Frames that there were. */
  frames: number;
  at: number;
  calls: Uint32Array;
}

/** Calls in the order that is asked for. */
export class CallList {
  private last: Ordered | undefined;

  constructor(private readonly capture: Capture) {}

  /** Calls by number; undefined when the order is that of the table, with all calls in it. */
  order({ order = 'start', descending = false, method = '' }: CallQuery): Uint32Array | undefined {
    if (order === 'start' && !descending && method === '') return undefined;
    const key = JSON.stringify([order, descending, method]);
    const frames = this.capture.frames.count;
    const now = performance.now();
    if (this.last?.key === key && (this.last.frames === frames || now - this.last.at < GOOD_FOR_MS)) {
      return this.last.calls;
    }
    const calls = this.ordered(order, descending, method.toLowerCase());
    this.last = { key, frames, at: now, calls };
    return calls;
  }

  private ordered(order: CallOrder, descending: boolean, method: string): Uint32Array {
    const { count } = this.capture.calls;
    const chosen: number[] = [];
    for (let call = 0; call < count; call++) {
      if (method === '' || callMethod(this.capture, call)?.toLowerCase().includes(method) === true) chosen.push(call);
    }
    const sign = descending ? -1 : 1;
    if (order === 'method') {
      const names = new Map(chosen.map((call) => [call, callMethod(this.capture, call)]));
      chosen.sort((a, b) => {
        const unknown = last(names.get(a), names.get(b));
        return unknown ?? (sign * compare(names.get(a)!, names.get(b)!) || a - b);
      });
      return Uint32Array.from(chosen);
    }
    const values = new Float64Array(count);
    for (const call of chosen) values[call] = this.value(call, order);
    chosen.sort((a, b) => {
      const unknown = last(nanIsNull(values[a]!), nanIsNull(values[b]!));
      return unknown ?? (sign * (values[a]! - values[b]!) || a - b);
    });
    return Uint32Array.from(chosen);
  }

  /** NaN where there is none (yet). */
  private value(call: number, order: Exclude<CallOrder, 'method'>): number {
    const { capture } = this;
    switch (order) {
      case 'start':
        return callStart(capture, call);
      case 'duration':
        return (callEnd(capture, call) ?? Number.NaN) - callStart(capture, call);
      case 'bytes':
        return capture.calls.requestBytes.get(call) + capture.calls.responseBytes.get(call);
      case 'status':
        return callStatus(capture, call)?.status ?? Number.NaN;
    }
  }
}

function nanIsNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** What is not there comes last, however the rest is ordered; undefined when both are there. */
function last(a: unknown, b: unknown): number | undefined {
  if (a != null && b != null) return undefined;
  return (a == null ? 1 : 0) - (b == null ? 1 : 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
