/** gRPC statuses that are not on the wire but follow from HTTP: names in `grpcStatusName`. */

export interface InferredStatus {
  status: number;
  /** The table that says so. */
  source: string;
}

const UNKNOWN = 2;
const CANCELLED = 1;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** grpc/grpc doc/http-grpc-status-mapping.md */
const BY_HTTP_STATUS: Readonly<Record<number, number>> = {
  400: INTERNAL,
  401: UNAUTHENTICATED,
  403: PERMISSION_DENIED,
  404: UNIMPLEMENTED,
  429: UNAVAILABLE,
  431: INTERNAL,
  502: UNAVAILABLE,
  503: UNAVAILABLE,
  504: UNAVAILABLE,
};

/**
 * The status of a response that ended without `grpc-status`. 200 gives UNKNOWN: a call that went well says so.
 * Undefined for 1xx, which is no final response. Never to be used beside a `grpc-status`.
 */
export function statusFromHttp(httpStatus: number): InferredStatus | undefined {
  if (httpStatus >= 100 && httpStatus < 200) return undefined;
  return { status: BY_HTTP_STATUS[httpStatus] ?? UNKNOWN, source: 'gRPC http-grpc-status-mapping' };
}

/** grpc/grpc doc/PROTOCOL-HTTP2.md, Errors; by RFC 9113 §7 error code. */
const BY_RESET_CODE: Readonly<Record<number, number>> = {
  0: INTERNAL,
  1: INTERNAL,
  2: INTERNAL,
  3: INTERNAL,
  4: INTERNAL,
  // 5, STREAM_CLOSED: no open stream that a status could go to.
  6: INTERNAL,
  7: UNAVAILABLE,
  8: CANCELLED,
  9: INTERNAL,
  10: INTERNAL,
  11: RESOURCE_EXHAUSTED,
  12: PERMISSION_DENIED,
};

/**
 * The status of a call that RST_STREAM ended. Undefined for STREAM_CLOSED and for codes that the table does not have
 * (HTTP_1_1_REQUIRED, unknown ones): there implementations differ. A client that cancels because its deadline passed
 * also sends CANCEL, and reports DEADLINE_EXCEEDED to its application: the wire does not tell the two apart. NO_ERROR
 * after trailers is no failure; there the trailers' status counts.
 */
export function statusFromReset(errorCode: number): InferredStatus | undefined {
  const status = BY_RESET_CODE[errorCode];
  return status === undefined ? undefined : { status, source: 'gRPC PROTOCOL-HTTP2 Errors' };
}
