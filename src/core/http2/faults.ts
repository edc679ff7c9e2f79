import type { ERROR_CODE_NAMES } from '../../shared/names';
import type { Fault } from '../../shared/records';

export type Http2ErrorName = (typeof ERROR_CODE_NAMES)[number];

/** A connection error (RFC 9113 §5.4.1). `clause` is the section alone, as in `6.5.2`. */
export function connectionFault(code: Http2ErrorName, clause: string, message: string): Fault {
  return { code, scope: 'connection', clause: `RFC 9113 §${clause}`, message };
}

/** A stream error (RFC 9113 §5.4.2). */
export function streamFault(code: Http2ErrorName, clause: string, message: string): Fault {
  return { code, scope: 'stream', clause: `RFC 9113 §${clause}`, message };
}

/** What gRPC's own protocol rules out (PROTOCOL-HTTP2). */
export function grpcFault(code: string, clause: string, message: string): Fault {
  return { code, scope: 'stream', clause: `gRPC PROTOCOL-HTTP2 ${clause}`, message };
}
