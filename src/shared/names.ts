/** Names of what RFC 9113 and its extensions, and gRPC, number on the wire. */

/** Frame type registry (RFC 9113 §11.2 and the extensions' own RFCs). */
export const FRAME_TYPE_NAMES: Readonly<Record<number, string>> = {
  0x00: 'DATA',
  0x01: 'HEADERS',
  0x02: 'PRIORITY',
  0x03: 'RST_STREAM',
  0x04: 'SETTINGS',
  0x05: 'PUSH_PROMISE',
  0x06: 'PING',
  0x07: 'GOAWAY',
  0x08: 'WINDOW_UPDATE',
  0x09: 'CONTINUATION',
  0x0a: 'ALTSVC', // RFC 7838 §4
  0x0c: 'ORIGIN', // RFC 8336 §2
  0x10: 'PRIORITY_UPDATE', // RFC 9218 §7.1
};

export const FrameType = {
  DATA: 0x00,
  HEADERS: 0x01,
  PRIORITY: 0x02,
  RST_STREAM: 0x03,
  SETTINGS: 0x04,
  PUSH_PROMISE: 0x05,
  PING: 0x06,
  GOAWAY: 0x07,
  WINDOW_UPDATE: 0x08,
  CONTINUATION: 0x09,
} as const;

export const Flag = {
  END_STREAM: 0x01,
  ACK: 0x01,
  END_HEADERS: 0x04,
  PADDED: 0x08,
  PRIORITY: 0x20,
} as const;

/** Rows that are no frame: what stands between or instead of frames. */
export const NON_FRAME_KINDS = ['PREFACE', 'GAP', 'TLS', 'HTTP1', 'OPAQUE'] as const;
export type NonFrameKind = (typeof NON_FRAME_KINDS)[number];

/** `UNKNOWN` for a type that no RFC names. */
export function frameTypeName(typeId: number): string {
  return FRAME_TYPE_NAMES[typeId] ?? 'UNKNOWN';
}

const FLAGS_BY_TYPE: Readonly<Record<number, readonly (readonly [number, string])[]>> = {
  [FrameType.DATA]: [
    [0x01, 'END_STREAM'],
    [0x08, 'PADDED'],
  ],
  [FrameType.HEADERS]: [
    [0x01, 'END_STREAM'],
    [0x04, 'END_HEADERS'],
    [0x08, 'PADDED'],
    [0x20, 'PRIORITY'],
  ],
  [FrameType.SETTINGS]: [[0x01, 'ACK']],
  [FrameType.PUSH_PROMISE]: [
    [0x04, 'END_HEADERS'],
    [0x08, 'PADDED'],
  ],
  [FrameType.PING]: [[0x01, 'ACK']],
  [FrameType.CONTINUATION]: [[0x04, 'END_HEADERS']],
};

/** Names of the set flags that the type defines (RFC 9113 §6), lowest bit first; undefined bits have no name. */
export function flagNames(typeId: number, flagBits: number): string[] {
  const names: string[] = [];
  for (const [bit, name] of FLAGS_BY_TYPE[typeId] ?? []) {
    if ((flagBits & bit) !== 0) names.push(name);
  }
  return names;
}

/** RFC 9113 §7. */
export const ERROR_CODE_NAMES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const;

/** `UNKNOWN (0x…)` for a code that RFC 9113 §7 does not define. */
export function errorCodeName(code: number): string {
  return ERROR_CODE_NAMES[code] ?? `UNKNOWN (0x${code.toString(16)})`;
}

/** RFC 9113 §6.5.2; RFC 8441 §3; RFC 9218 §2.1; 0xfe03 is gRPC's own. */
const SETTING_NAMES: Readonly<Record<number, string>> = {
  1: 'HEADER_TABLE_SIZE',
  2: 'ENABLE_PUSH',
  3: 'MAX_CONCURRENT_STREAMS',
  4: 'INITIAL_WINDOW_SIZE',
  5: 'MAX_FRAME_SIZE',
  6: 'MAX_HEADER_LIST_SIZE',
  8: 'ENABLE_CONNECT_PROTOCOL',
  9: 'NO_RFC7540_PRIORITIES',
  65027: 'GRPC_ALLOW_TRUE_BINARY_METADATA',
};

export const Setting = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const;

/** `UNKNOWN (0x…)` for an identifier that is not registered. */
export function settingName(id: number): string {
  return SETTING_NAMES[id] ?? `UNKNOWN (0x${id.toString(16)})`;
}

/** gRPC's status codes 0 to 16. */
export const GRPC_STATUS_NAMES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** gRPC treats a status outside 0 to 16 as UNKNOWN; the number is kept beside the name. */
export function grpcStatusName(status: number): string {
  return GRPC_STATUS_NAMES[status] ?? 'UNKNOWN';
}
