import type { Capture } from '../capture/capture';
import { NO_ROW, RowBit } from '../capture/frames';
import { decodePercent } from '../grpc/percent';
import { Known } from '../hpack/header-store';
import type { Side } from '../tcp/types';

/** The first field of a kind in the answer's trailers or, in a trailers-only answer, its headers; -1 without. */
function answerField({ calls, headers }: Capture, call: number, kind: number): number {
  for (const list of [calls.trailers.get(call), calls.response.get(call)]) {
    if (list === 0) continue;
    const field = headers.find(list - 1, kind);
    if (field !== -1) return field;
  }
  return -1;
}

/** `grpc-status` as on the wire; undefined without, and where it is no number. */
export function wireStatus(capture: Capture, call: number): number | undefined {
  const field = answerField(capture, call, Known.GRPC_STATUS);
  return field === -1 ? undefined : capture.headers.number(field);
}

export function hasWireStatus(capture: Capture, call: number): boolean {
  return answerField(capture, call, Known.GRPC_STATUS) !== -1;
}

/** `grpc-message`, decoded; empty without. */
export function statusMessage(capture: Capture, call: number): string {
  const field = answerField(capture, call, Known.GRPC_MESSAGE);
  return field === -1 ? '' : decodePercent(capture.headers.value(field) ?? '');
}

export function httpStatus(capture: Capture, call: number): number | undefined {
  const field = answerField(capture, call, Known.STATUS);
  return field === -1 ? undefined : capture.headers.number(field);
}

/** The request's `:path`; undefined where it was not seen. */
export function pathOf({ calls, headers }: Capture, call: number): string | undefined {
  const request = calls.request.get(call);
  if (request === 0) return undefined;
  const field = headers.find(request - 1, Known.PATH);
  return field === -1 ? undefined : (headers.value(field) ?? undefined);
}

/** The side that sent the row which ended the call; undefined while it is open. */
export function endedBy({ calls, frames }: Capture, call: number): Side | undefined {
  const row = calls.endRow.get(call);
  return row === NO_ROW ? undefined : ((frames.bits.get(row) & RowBit.SIDE) as Side);
}

/** Arrival at the capture point, nanoseconds; undefined for NO_ROW. */
export function timeOf({ frames, chunks }: Capture, row: number): number | undefined {
  return row === NO_ROW ? undefined : chunks.time.get(frames.lastChunk.get(row));
}
