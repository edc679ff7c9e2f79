import { type ServerUnaryCall, type ServerWritableStream, type sendUnaryData, status } from '@grpc/grpc-js';
import type { HealthCheckRequest, HealthCheckResponse } from './flow-definition';

/**
 * `grpc.health.v1.Health` for a server whose services never change their status: those named are SERVING, and so is
 * the server as a whole (the empty name).
 */
export function healthHandlers(services: readonly string[]) {
  const known = new Set(['', ...services]);
  return {
    Check(call: ServerUnaryCall<HealthCheckRequest, HealthCheckResponse>, answer: sendUnaryData<HealthCheckResponse>) {
      if (known.has(call.request.service)) answer(null, { status: 'SERVING' });
      else answer({ code: status.NOT_FOUND, details: `unknown service ${call.request.service}` });
    },
    /** Stays open after the first answer: there is nothing more to tell until the client cancels. */
    Watch(call: ServerWritableStream<HealthCheckRequest, HealthCheckResponse>) {
      call.write({ status: known.has(call.request.service) ? 'SERVING' : 'SERVICE_UNKNOWN' });
    },
  };
}
