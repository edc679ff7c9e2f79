import { type Conversation, type ConversationOptions, captureFile, conversation } from '../../support/conversation';
import {
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  PREFACE,
  ping,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';

/** 12 rows: a health check, with grpc-go's WINDOW_UPDATE and PING in one chunk. The connection ends in good order. */
export function healthCheck(options: ConversationOptions = {}): Conversation {
  return openHealthCheck(options).fin(0.5, 'toServer').fin(0.51, 'toClient');
}

/** The same, with the connection still open. */
export function openHealthCheck(options: ConversationOptions = {}): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings([[4, 65_535]])) // rows 1, 2
    .toClient(0.002, settings(), settingsAck()) // rows 3, 4
    .toServer(0.003, settingsAck()) // row 5
    .toServer(
      0.004,
      headersFrame(1, grpcRequest('/grpc.health.v1.Health/Check'), { endHeaders: true }), // row 6
      data(1, grpcMessage(hex('0a0464656d6f')), { endStream: true }), // row 7: field 1 is "demo"
    )
    .toClient(0.02, windowUpdate(0, 11), ping(hex('02041010090e0707'))) // rows 8, 9
    .toClient(
      0.021,
      headersFrame(1, grpcResponse(), { endHeaders: true }), // row 10
      data(1, grpcMessage(hex('0801'))), // row 11: field 1 is 1
      headersFrame(1, grpcTrailers(0), { endHeaders: true, endStream: true }), // row 12
    );
}

export const ROWS = 12;

/** Two connections; the second asks for a path with what terminals and spreadsheets must not see as it is. */
export function twoConnections(options: ConversationOptions = {}): Uint8Array {
  const second = conversation({ delay: 0.01, ...options, client: '127.0.0.1:40002', handshake: 0.1 })
    .toServer(0.101, PREFACE, settings())
    .toServer(0.102, headersFrame(1, grpcRequest('/a\u001b[31m/b'), { endHeaders: true, endStream: true }))
    .toServer(0.103, data(0, hex('00'))); // DATA on stream 0: a fault (RFC 9113 §6.1)
  return captureFile([healthCheck(options), second], options);
}
