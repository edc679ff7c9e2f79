import {
  Metadata,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type StatusObject,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import type {
  ChatMessage,
  Chunk,
  DownloadRequest,
  FailRequest,
  FailResponse,
  UnaryRequest,
  UnaryResponse,
  UploadSummary,
} from './flow-definition';
import { drained, longestDelay, pause } from './pause';

/** The limits that flow.proto states; requests beyond them get INVALID_ARGUMENT. */
const largestPayload = 4 * 1024 * 1024;
const largestDownload = 2 ** 40;
const defaultMessageBytes = 16 * 1024;

/**
 * Payload octets count 0 to 255 over and over: recognisable in a hex dump and easily compressed. One buffer serves all
 * calls; nobody writes into it.
 */
const pattern = Uint8Array.from({ length: largestPayload }, (_, index) => index & 0xff);

/** `length` octets of payload, at most 4,194,304. A view, not a copy. */
export function payloadOf(length: number): Uint8Array {
  return pattern.subarray(0, length);
}

function refusal(details: string): Partial<StatusObject> {
  return { code: status.INVALID_ARGUMENT, details };
}

function limitFault(payloadBytes: number, delayMs: number): Partial<StatusObject> | undefined {
  if (payloadBytes > largestPayload) return refusal(`a payload has at most ${largestPayload} bytes`);
  if (delayMs > longestDelay) return refusal(`a delay is at most ${longestDelay} ms`);
  return undefined;
}

async function unary(
  call: ServerUnaryCall<UnaryRequest, UnaryResponse>,
  answer: sendUnaryData<UnaryResponse>,
): Promise<void> {
  const { payload, responseBytes, delayMs } = call.request;
  const fault = limitFault(responseBytes, delayMs);
  if (fault !== undefined) return answer(fault);
  const echoed = call.metadata.get('demo-bin');
  if (echoed.length > 0) {
    const headers = new Metadata();
    for (const value of echoed) headers.add('echo-bin', value);
    call.sendMetadata(headers);
  }
  if (!(await pause(call, delayMs))) return;
  answer(null, { payload: payloadOf(responseBytes), receivedBytes: payload.length });
}

/** Writes one message and waits while the transport's buffer is full; false when the call is over. */
async function send<Message>(
  call: ServerWritableStream<unknown, Message> | ServerDuplexStream<unknown, Message>,
  message: Message,
): Promise<boolean> {
  if (call.cancelled) return false;
  return call.write(message) || (await drained(call));
}

async function download(call: ServerWritableStream<DownloadRequest, Chunk>): Promise<void> {
  const { bytes, delayMs } = call.request;
  const messageBytes = call.request.messageBytes || defaultMessageBytes;
  const fault =
    limitFault(messageBytes, delayMs) ??
    (bytes > largestDownload ? refusal(`a download has at most ${largestDownload} bytes`) : undefined);
  if (fault !== undefined) {
    call.emit('error', fault);
    return;
  }
  for (let left = bytes; left > 0; left -= messageBytes) {
    if (!(await pause(call, delayMs))) return;
    if (!(await send(call, { payload: payloadOf(Math.min(left, messageBytes)), delayMs: 0 }))) return;
  }
  call.end();
}

async function upload(
  call: ServerReadableStream<Chunk, UploadSummary>,
  answer: sendUnaryData<UploadSummary>,
): Promise<void> {
  let bytes = 0;
  let messages = 0;
  for await (const chunk of call as AsyncIterable<Chunk>) {
    bytes += chunk.payload.length;
    messages += 1;
    const fault = limitFault(0, chunk.delayMs);
    if (fault !== undefined) return answer(fault);
    if (!(await pause(call, chunk.delayMs))) return;
  }
  if (!call.cancelled) answer(null, { bytes, messages });
}

/** The echo of one message; false when the call is over. */
async function echo(call: ServerDuplexStream<ChatMessage, ChatMessage>, message: ChatMessage): Promise<boolean> {
  const fault = limitFault(0, message.delayMs);
  if (fault !== undefined) {
    call.emit('error', fault);
    return false;
  }
  return (await pause(call, message.delayMs)) && (await send(call, message));
}

/**
 * By events, not `for await`: at its end that loop destroys the stream, of which the writing half is still needed.
 * While a message is being answered the reading half is paused, so a client that only writes meets a full window.
 */
function chat(call: ServerDuplexStream<ChatMessage, ChatMessage>): void {
  let answering: Promise<boolean> = Promise.resolve(true);
  call.on('data', (message: ChatMessage) => {
    call.pause();
    answering = echo(call, message);
    void answering.then((goesOn) => {
      if (goesOn) call.resume();
    });
  });
  // The end may be told while the last message is still being answered.
  call.on('end', () => {
    void answering.then((goesOn) => {
      if (goesOn) call.end();
    });
  });
  call.on('error', () => undefined);
}

function fail(call: ServerUnaryCall<FailRequest, FailResponse>, answer: sendUnaryData<FailResponse>): void {
  const { code, message } = call.request;
  if (code < 1 || code > 16) answer(refusal('a status code that fails is 1 to 16'));
  else answer({ code, details: message });
}

/** A stream ends in an error when its client goes away or sends what can't be parsed: that call is over, no more. */
function settled<Call>(handle: (call: Call) => Promise<void>): (call: Call) => void {
  return (call) => void handle(call).catch(() => undefined);
}

function answered<Call, Response>(
  handle: (call: Call, answer: sendUnaryData<Response>) => Promise<void>,
): (call: Call, answer: sendUnaryData<Response>) => void {
  return (call, answer) => {
    handle(call, answer).catch((error: unknown) => answer({ code: status.INTERNAL, details: String(error) }));
  };
}

/** `penstock.demo.v1.Flow`, as flow.proto describes it. */
export const flowHandlers = {
  Unary: answered(unary),
  Download: settled(download),
  Upload: answered(upload),
  Chat: chat,
  Fail: fail,
};
