import { Capture } from '../../../src/core/capture/capture';
import { FlowIndex } from '../../../src/core/flow/flow-index';
import { WINDOW_CAUSES } from '../../../src/core/flow/window-samples';
import type { WindowTracker, WindowView } from '../../../src/core/flow/window-tracker';
import { chunksOf } from '../../support/octets';

/** `[milliseconds, direction of the DATA, stream, cause, change, window, number of the frame]` */
export type Sample = [
  t: number,
  dir: '→' | '←',
  stream: number,
  cause: string,
  change: number,
  window: number,
  n: number,
];

export interface ReadOptions {
  /** Octets that the file grows by; what is known is counted after each. Default: the file at once. */
  step?: number;
  /** The file goes on. */
  open?: boolean;
}

function trackerOf(file: Uint8Array, view: WindowView, { step, open = false }: ReadOptions): [Capture, WindowTracker] {
  const capture = new Capture();
  const flow = new FlowIndex(capture, view);
  for (const piece of chunksOf(file, step ?? file.length)) {
    capture.push(piece);
    if (step !== undefined && capture.connections.length > 0) flow.connection(1);
  }
  if (!open) capture.end();
  return [capture, flow.connection(1)];
}

export function isRelative(file: Uint8Array): boolean {
  return trackerOf(file, 'sender', {})[1].relative;
}

/** All samples of the first connection. `→` is spent by the client's DATA, `←` by the server's. */
export function windowsOf(file: Uint8Array, view: WindowView, options: ReadOptions = {}): Sample[] {
  const [capture, { samples }] = trackerOf(file, view, options);
  const client = capture.connections[0]!.clientSide;
  return Array.from(
    { length: samples.count },
    (_, i): Sample => [
      samples.time.get(i) / 1e6,
      samples.side.get(i) === client ? '→' : '←',
      samples.stream.get(i),
      WINDOW_CAUSES[samples.cause.get(i)]!,
      samples.change.get(i),
      samples.window.get(i),
      capture.numberOf(samples.row.get(i)),
    ],
  );
}

/** Without the samples that opening streams gives. */
export function changesOf(file: Uint8Array, view: WindowView, options: ReadOptions = {}): Sample[] {
  return windowsOf(file, view, options).filter(([, , , cause]) => cause !== 'OPEN');
}
