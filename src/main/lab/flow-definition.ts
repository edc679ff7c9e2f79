import type { MethodDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import healthProto from '../../../protos/grpc/health/v1/health.proto?raw';
import flowProto from '../../../protos/penstock/demo/v1/flow.proto?raw';

/**
 * The demo's services as grpc-js wants them, made from `protos/` by protobufjs.
 *
 * The .proto texts are imported (`?raw`) and so become part of the bundle. A path would need three answers: under
 * `src/` in Vitest, under `out/main/chunks/` in the build, inside an installed package or an asar archive in the
 * field; and a package whose `files` forgot `protos/` would fail only there. There is no generated code to keep in step
 * either. protobufjs alone does the encoding: proto-loader brings a protobufjs of its own, another major version.
 */

/** The .proto files that the program ships, by the name that an `import` statement would use. */
export const shippedProtos: Readonly<Record<string, string>> = {
  'grpc/health/v1/health.proto': healthProto,
  'penstock/demo/v1/flow.proto': flowProto,
};

export interface HealthCheckRequest {
  service: string;
}

export interface HealthCheckResponse {
  status: 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';
}

export interface UnaryRequest {
  payload: Uint8Array;
  responseBytes: number;
  delayMs: number;
}

export interface UnaryResponse {
  payload: Uint8Array;
  receivedBytes: number;
}

export interface DownloadRequest {
  bytes: number;
  messageBytes: number;
  delayMs: number;
}

export interface Chunk {
  payload: Uint8Array;
  delayMs: number;
}

export interface UploadSummary {
  bytes: number;
  messages: number;
}

export interface ChatMessage {
  sequence: number;
  text: string;
  payload: Uint8Array;
  delayMs: number;
}

export interface FailRequest {
  code: number;
  message: string;
}

export type FailResponse = Record<string, never>;

const root = new protobuf.Root();
for (const text of Object.values(shippedProtos)) protobuf.parse(text, root);
root.resolveAll();

/** Serialiser and parser of one message type. Parsed messages have every field: absent ones have proto3's default. */
function codec<Message extends object>(type: protobuf.Type) {
  return {
    serialize(message: Message): Buffer {
      const octets = type.encode(type.fromObject(message)).finish();
      return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
    },
    /** Throws on octets that are no such message; grpc-js turns that into a status. */
    deserialize(octets: Buffer): Message {
      // uint64 as a number: the sizes here stay far below 2^53.
      return type.toObject(type.decode(octets), { defaults: true, longs: Number, enums: String }) as Message;
    },
  };
}

/** One rpc of a service; its message types and its kind come from the .proto file. */
function method<Request extends object, Response extends object>(
  service: string,
  name: string,
): MethodDefinition<Request, Response> {
  const found = root.lookupService(service);
  const rpc = found.methods[name];
  if (rpc === undefined) throw new Error(`${service} has no rpc ${name}`);
  const request = codec<Request>(found.lookupType(rpc.requestType));
  const response = codec<Response>(found.lookupType(rpc.responseType));
  return {
    path: `/${service}/${name}`,
    requestStream: rpc.requestStream === true,
    responseStream: rpc.responseStream === true,
    requestSerialize: request.serialize,
    requestDeserialize: request.deserialize,
    responseSerialize: response.serialize,
    responseDeserialize: response.deserialize,
  };
}

export const healthServiceName = 'grpc.health.v1.Health';
export const flowServiceName = 'penstock.demo.v1.Flow';

export const healthService = {
  Check: method<HealthCheckRequest, HealthCheckResponse>(healthServiceName, 'Check'),
  Watch: method<HealthCheckRequest, HealthCheckResponse>(healthServiceName, 'Watch'),
};

export const flowService = {
  Unary: method<UnaryRequest, UnaryResponse>(flowServiceName, 'Unary'),
  Download: method<DownloadRequest, Chunk>(flowServiceName, 'Download'),
  Upload: method<Chunk, UploadSummary>(flowServiceName, 'Upload'),
  Chat: method<ChatMessage, ChatMessage>(flowServiceName, 'Chat'),
  Fail: method<FailRequest, FailResponse>(flowServiceName, 'Fail'),
};
