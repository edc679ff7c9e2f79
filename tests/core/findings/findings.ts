import type { FindingRecord } from '../../../src/shared/records';
import { sessionOf } from '../../main/session/helpers';
import type { Conversation } from '../../support/conversation';
import { conversation } from '../../support/conversation';
import {
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  PREFACE,
  settings,
  settingsAck,
} from '../../support/encode';

/** The findings of a capture of that kind. */
export function found(file: Conversation | Uint8Array, id: string): FindingRecord[] {
  return allFound(file).filter((finding) => finding.id === id);
}

export function allFound(file: Conversation | Uint8Array): FindingRecord[] {
  return sessionOf(file instanceof Uint8Array ? file : file.file()).findings.get().findings;
}

/** A connection whose settings are exchanged: rows 1 to 5. The server's first stand in `server`. */
export function opened(
  options: Parameters<typeof conversation>[0] = {},
  server: readonly (readonly [number, number])[] = [],
): Conversation {
  return conversation(options)
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(server), settingsAck())
    .toServer(0.003, settingsAck());
}

/** A unary gRPC call with messages of so many octets; `status` 0 unless given. Four chunks, five rows. */
export function unary(
  talk: Conversation,
  t: number,
  stream: number,
  { path = '/demo.Echo/Say', length = 4, status = 0, message = undefined as string | undefined } = {},
): Conversation {
  return talk
    .toServer(t, headersFrame(stream, grpcRequest(path)))
    .toServer(t, data(stream, grpcMessage(new Uint8Array(length)), { endStream: true }))
    .toClient(t + 0.0005, headersFrame(stream, grpcResponse()), data(stream, grpcMessage(new Uint8Array(length))))
    .toClient(t + 0.0006, headersFrame(stream, grpcTrailers(status, message), { endStream: true }));
}
