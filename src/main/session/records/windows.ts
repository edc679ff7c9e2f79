import type { Capture } from '../../../core/capture/capture';
import type { FlowIndex } from '../../../core/flow/flow-index';
import { WINDOW_CAUSES } from '../../../core/flow/window-samples';
import type { WindowTracker } from '../../../core/flow/window-tracker';
import type { WindowRecord } from '../../../shared/records';

/** One connection's samples, and the next of them. */
interface Source {
  conn: number;
  tracker: WindowTracker;
  at: number;
}

/** The samples of all connections, by time, then by place in the file; each is made when it is asked for. */
export function* windowRecords(capture: Capture, flow: FlowIndex): Iterable<WindowRecord> {
  const heap = capture.connections
    .map(({ id }): Source => ({ conn: id, tracker: flow.connection(id), at: 0 }))
    .filter(({ tracker }) => tracker.samples.count > 0);
  const isBefore = (a: Source, b: Source) => {
    const earlier = a.tracker.samples.time.get(a.at) - b.tracker.samples.time.get(b.at);
    if (earlier !== 0) return earlier < 0;
    return numberOf(capture, a) < numberOf(capture, b);
  };
  for (let i = heap.length >> 1; i-- > 0; ) sift(heap, i, isBefore);
  while (heap.length > 0) {
    const source = heap[0]!;
    yield record(capture, flow, source);
    if (++source.at === source.tracker.samples.count) {
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
    }
    sift(heap, 0, isBefore);
  }
}

/** Moves the member at `i` down until none below it comes before it: a heap's first member is the first of all. */
function sift(heap: Source[], i: number, isBefore: (a: Source, b: Source) => boolean): void {
  for (let at = i; ; ) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const first = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
    if (!isBefore(heap[first]!, heap[at]!)) return;
    const moved = heap[at]!;
    heap[at] = heap[first]!;
    heap[first] = moved;
    at = first;
  }
}

function numberOf(capture: Capture, { tracker, at }: Source): number {
  return capture.numberOf(tracker.samples.row.get(at));
}

function record(capture: Capture, flow: FlowIndex, source: Source): WindowRecord {
  const { conn, at } = source;
  const { samples, relative } = source.tracker;
  const client = capture.connections[conn - 1]!.clientSide;
  return {
    conn,
    dir: samples.side.get(at) === client ? 'toServer' : 'toClient',
    stream: samples.stream.get(at),
    t: samples.time.get(at) / 1e9,
    window: samples.window.get(at),
    change: samples.change.get(at),
    cause: WINDOW_CAUSES[samples.cause.get(at)]!,
    frame: numberOf(capture, source),
    view: flow.view,
    ...(relative && { relative: true as const }),
  };
}
