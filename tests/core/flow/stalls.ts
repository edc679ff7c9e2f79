import { Capture } from '../../../src/core/capture/capture';
import { NO_ROW } from '../../../src/core/capture/frames';
import { FlowIndex } from '../../../src/core/flow/flow-index';
import { RoundTrips } from '../../../src/core/flow/round-trip';
import { STALL_CAUSES, STALL_EVIDENCE } from '../../../src/core/flow/stall-table';
import { stallsOf } from '../../../src/core/flow/stalls';
import { chunksOf } from '../../support/octets';

/** Times in milliseconds; `→` is a stall of the client, `←` one of the server; `by` the number of the frame. */
export interface SeenStall {
  dir: '→' | '←';
  stream: number;
  from: number;
  to: number;
  cause: string;
  heldBy: number[];
  by: number | null;
  evidence: string;
}

export function readCapture(file: Uint8Array, step = file.length): Capture {
  const capture = new Capture();
  for (const piece of chunksOf(file, step)) capture.push(piece);
  capture.end();
  return capture;
}

/** The stalls of a connection, in the order of their beginnings. */
export function stallsIn(file: Uint8Array, conn = 1): SeenStall[] {
  const capture = readCapture(file);
  const roundTrip = new RoundTrips(capture).connection(conn).result();
  const stalls = stallsOf(capture, new FlowIndex(capture, 'sender'), conn, roundTrip);
  const client = capture.connections[conn - 1]!.clientSide;
  return Array.from({ length: stalls.count }, (_, i): SeenStall => {
    const row = stalls.releasedBy.get(i);
    return {
      dir: stalls.side.get(i) === client ? '→' : '←',
      stream: stalls.stream.get(i),
      from: stalls.from.get(i) / 1e6,
      to: stalls.to.get(i) / 1e6,
      cause: STALL_CAUSES[stalls.cause.get(i)]!,
      heldBy: [...stalls.heldBy[i]!],
      by: row === NO_ROW ? null : capture.numberOf(row),
      evidence: STALL_EVIDENCE[stalls.evidence.get(i)]!,
    };
  }).sort((a, b) => a.from - b.from || a.stream - b.stream);
}
