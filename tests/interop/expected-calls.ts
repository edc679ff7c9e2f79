import type { MethodDefinition } from '@grpc/grpc-js';
import {
  flowService,
  flowServiceName,
  type HealthCheckRequest,
  type HealthCheckResponse,
  healthService,
} from '../../src/main/lab/flow-definition';
import { payloadOf } from '../../src/main/lab/flow-handlers';
import type { CallRecord } from '../../src/shared/records';

/** What the clients of these tests do, as the calls that a capture must show. */

export interface ExpectedCall {
  method: string;
  status: string;
  /** Sizes of all messages, in order, without prefixes and before compression. */
  requests: number[];
  responses: number[];
  /** How it must have ended; `closed` when not given. */
  state?: CallRecord['state'];
  /** Requests are sent compressed, and a server may answer in kind. */
  compressed?: boolean;
}

function call<Request, Response>(
  method: MethodDefinition<Request, Response>,
  requests: Request[],
  responses: Response[],
  rest: Partial<ExpectedCall> = {},
): ExpectedCall {
  return {
    method: method.path,
    status: 'OK',
    requests: requests.map((request) => method.requestSerialize(request).length),
    responses: responses.map((response) => method.responseSerialize(response).length),
    ...rest,
  };
}

const KiB = 1024;
const MiB = 1024 * KiB;

/** `total` octets in pieces of `size`, the last with what is left. */
function pieces(total: number, size: number): number[] {
  const whole = Array.from({ length: Math.floor(total / size) }, () => size);
  return total % size === 0 ? whole : [...whole, total % size];
}

function chunks(total: number, size: number) {
  return pieces(total, size).map((length) => ({ payload: payloadOf(length), delayMs: 0 }));
}

function check(service: string, responses: HealthCheckResponse[], status = 'OK'): ExpectedCall {
  const request: HealthCheckRequest = { service };
  return call(healthService.Check, [request], responses, { status });
}

function unary(
  requestBytes: number,
  responseBytes: number,
  delayMs = 0,
  rest: Partial<ExpectedCall> = {},
): ExpectedCall {
  const request = { payload: payloadOf(requestBytes), responseBytes, delayMs };
  const response = { payload: payloadOf(responseBytes), receivedBytes: requestBytes };
  return call(flowService.Unary, [request], [response], rest);
}

/** Of the Go client's mode `all`: one call of each kind, both ways `bytes` where the kind has both. */
export function fourKindsCalls(bytes: number, messageBytes: number): ExpectedCall[] {
  const download = { bytes, messageBytes, delayMs: 0 };
  const parts = chunks(bytes, messageBytes);
  const said = pieces(bytes, messageBytes).map((length, sequence) => {
    return { sequence, text: 'écluse', payload: payloadOf(length), delayMs: 0 };
  });
  return [
    unary(bytes, bytes),
    call(flowService.Download, [download], parts),
    call(flowService.Upload, parts, [{ bytes, messages: parts.length }]),
    call(flowService.Chat, said, said),
  ];
}

const serving: HealthCheckResponse = { status: 'SERVING' };
const sluiceMessage = 'Schütz geschlossen: Pegel 4,20 m — 水位 100 %';
const chat = ['open the gate', 'écluse', '水門', 'a third', 'close the gate'].map((text, sequence) => {
  return { sequence, text, payload: payloadOf(64), delayMs: 0 };
});

/** Of `runDemoCalls`, in the order in which streams open. */
export const demoCalls: ExpectedCall[] = [
  check('', [serving]),
  check(flowServiceName, [serving]),
  check(flowServiceName, [serving]),
  check('penstock.demo.v1.Missing', [], 'NOT_FOUND'),
  unary(100, 1000),
  unary(0, 10),
  ...Array.from({ length: 8 }, () => unary(100, 32 * KiB, 5)),
  call(flowService.Download, [{ bytes: MiB, messageBytes: 16 * KiB, delayMs: 0 }], chunks(MiB, 16 * KiB)),
  call(flowService.Upload, chunks(512 * KiB, 16 * KiB), [{ bytes: 512 * KiB, messages: 32 }]),
  call(flowService.Chat, chat, chat),
  call(flowService.Fail, [{ code: 9, message: sluiceMessage }], [], { status: 'FAILED_PRECONDITION' }),
  // Both peers watch the deadline; whose clock is ahead decides whether the server's status comes or only the reset.
  unary(0, 10, 30_000, { status: 'DEADLINE_EXCEEDED or CANCELLED', responses: [], state: 'reset' }),
  call(healthService.Watch, [{ service: flowServiceName }], [serving], { status: 'CANCELLED', state: 'reset' }),
  unary(MiB, 3 * MiB),
  unary(64 * KiB, 64 * KiB, 0, { compressed: true }),
];
