import { CallKind, CallState } from '../../../core/capture/calls';
import type { Capture } from '../../../core/capture/capture';
import { NO_ROW, RowBit } from '../../../core/capture/frames';
import { decodePercent } from '../../../core/grpc/percent';
import { statusFromHttp, statusFromReset } from '../../../core/grpc/status';
import { Known } from '../../../core/hpack/header-store';
import { errorCodeName, grpcStatusName } from '../../../shared/names';
import type { CallRecord, Fault } from '../../../shared/records';

const UNKNOWN_STATUS = 2;

const STATE_NAMES = ['open', 'closed', 'reset'] as const;

/** A call's path, or a plain exchange's method and path; null when its request was not seen. */
export function callMethod(capture: Capture, call: number): string | null {
  const { calls, headers } = capture;
  const request = calls.request.get(call);
  if (request === 0) return null;
  const path = headers.find(request - 1, Known.PATH);
  const value = path === -1 ? null : headers.value(path);
  if (calls.kind.get(call) === CallKind.GRPC) return value;
  const method = headers.find(request - 1, Known.METHOD);
  if (method === -1) return value;
  // CONNECT has no path (RFC 9113 §8.5).
  const target = value ?? authority(capture, request - 1);
  return target === null ? headers.value(method) : `${headers.value(method)} ${target}`;
}

function authority({ headers }: Capture, list: number): string | null {
  const field = headers.find(list, Known.AUTHORITY);
  return field === -1 ? null : headers.value(field);
}

export function callHttpStatus(capture: Capture, call: number): number | null {
  const { calls, headers } = capture;
  for (const list of [calls.response.get(call), calls.trailers.get(call)]) {
    if (list === 0) continue;
    const field = headers.find(list - 1, Known.STATUS);
    if (field !== -1) return headers.number(field) ?? null;
  }
  return null;
}

export interface CallStatus {
  status: number;
  inferred: boolean;
}

/** gRPC: the status on the wire, else what the HTTP status or the reset stands for; undefined while open. */
export function callStatus(capture: Capture, call: number): CallStatus | undefined {
  const { calls, headers } = capture;
  if (calls.kind.get(call) !== CallKind.GRPC) return undefined;
  for (const list of [calls.trailers.get(call), calls.response.get(call)]) {
    if (list === 0) continue;
    const field = headers.find(list - 1, Known.GRPC_STATUS);
    // A status that is no number counts as UNKNOWN.
    if (field !== -1) return { status: headers.number(field) ?? UNKNOWN_STATUS, inferred: false };
  }
  const state = calls.state.get(call);
  if (state === CallState.RESET) {
    const inferred = statusFromReset(calls.reset.get(call) - 1);
    return { status: inferred?.status ?? UNKNOWN_STATUS, inferred: true };
  }
  if (state !== CallState.CLOSED) return undefined;
  const inferred = statusFromHttp(callHttpStatus(capture, call) ?? 200);
  return { status: inferred?.status ?? UNKNOWN_STATUS, inferred: true };
}

function statusMessage(capture: Capture, call: number): string | null {
  const { calls, headers } = capture;
  for (const list of [calls.trailers.get(call), calls.response.get(call)]) {
    if (list === 0) continue;
    const field = headers.find(list - 1, Known.GRPC_MESSAGE);
    if (field !== -1) return decodePercent(headers.value(field) ?? '');
  }
  return null;
}

/**
 * When the call ended for its client, in nanoseconds: what the client sent counts at its arrival, what it received at
 * its delivery where the file tells it. Undefined before that.
 */
export function callEnd(capture: Capture, call: number): number | undefined {
  const { calls } = capture;
  return clientTime(capture, call, calls.endRow.get(call));
}

/** When a row was sent by the client, or had come to it. Undefined for NO_ROW, and while it is on its way. */
function clientTime(capture: Capture, call: number, row: number): number | undefined {
  const { calls, frames, chunks } = capture;
  if (row === NO_ROW) return undefined;
  const chunk = frames.lastChunk.get(row);
  const connection = capture.connections[calls.conn.get(call) - 1]!;
  const fromClient = (frames.bits.get(row) & RowBit.SIDE) === connection.clientSide;
  if (fromClient || !capture.hasDeliveries) return chunks.time.get(chunk);
  const delivered = chunks.delivered.get(chunk);
  return Number.isNaN(delivered) ? undefined : delivered;
}

/** Arrival of the call's first octet at the capture point, nanoseconds. */
export function callStart(capture: Capture, call: number): number {
  const row = capture.calls.startRow.get(call);
  return row === NO_ROW ? 0 : capture.chunks.time.get(capture.frames.lastChunk.get(row));
}

/** Faults on the call's rows; its first may be the PUSH_PROMISE on another stream. */
function callFaults(capture: Capture, call: number): Fault[] {
  const { frames, calls } = capture;
  if (frames.faults.size === 0) return [];
  const faults: Fault[] = [];
  for (let row = calls.lastRow.get(call); row < frames.count; row = frames.previousInStream.get(row)) {
    const found = frames.faults.get(row);
    if (found !== undefined) faults.unshift(...found);
    if (frames.stream.get(row) !== calls.stream.get(call)) break;
  }
  return faults;
}

function inSeconds(nanoseconds: number | undefined): number | null {
  return nanoseconds === undefined ? null : nanoseconds / 1e9;
}

export function callRecord(capture: Capture, call: number): CallRecord {
  const { calls } = capture;
  const status = callStatus(capture, call);
  const end = callEnd(capture, call);
  const reset = calls.reset.get(call);
  const faults = callFaults(capture, call);
  return {
    conn: calls.conn.get(call),
    stream: calls.stream.get(call),
    kind: calls.kind.get(call) === CallKind.GRPC ? 'grpc' : 'http',
    method: callMethod(capture, call),
    httpStatus: callHttpStatus(capture, call),
    status: status?.status ?? null,
    statusName: status === undefined ? null : grpcStatusName(status.status),
    statusMessage: statusMessage(capture, call),
    ...(status?.inferred === true && { statusInferred: true }),
    start: callStart(capture, call) / 1e9,
    end: inSeconds(end),
    requestEnd: inSeconds(clientTime(capture, call, calls.requestEndRow.get(call))),
    responseStart: inSeconds(clientTime(capture, call, calls.responseRow.get(call))),
    requestMessages: calls.requestMessages.get(call),
    responseMessages: calls.responseMessages.get(call),
    requestBytes: calls.requestBytes.get(call),
    responseBytes: calls.responseBytes.get(call),
    state: STATE_NAMES[calls.state.get(call)]!,
    resetCode: reset === 0 ? null : errorCodeName(reset - 1),
    unprocessed: calls.unprocessed.get(call) === 1,
    ...(faults.length > 0 && { faults }),
  };
}
