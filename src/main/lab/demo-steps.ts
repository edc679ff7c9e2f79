import { type Client, Metadata } from '@grpc/grpc-js';
import { type CallResult, callForMany, callForOne, converse, type Finished } from './demo-call';
import { flowService, flowServiceName, healthService } from './flow-definition';
import { payloadOf } from './flow-handlers';

/** The demo's two channels: `gzip` compresses its requests. */
export interface DemoChannels {
  plain: Client;
  gzip: Client;
}

export interface DemoStep {
  name: string;
  /** Name of a gRPC status. */
  expected: string;
  run(channels: DemoChannels): Promise<CallResult>;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const none = new Uint8Array(0);

/** A status message that needs grpc-message's percent-encoding (gRPC PROTOCOL-HTTP2, Status-Message). */
const sluiceMessage = 'Schütz geschlossen: Pegel 4,20 m — 水位 100 %';

function result(finished: Finished<unknown>, wrong: boolean, detail: string): CallResult {
  // The fault of a call that failed is its status; its message tells more than what didn't come.
  const failed = finished.status !== 'OK' && finished.message !== '';
  if (!wrong) return { status: finished.status, detail: failed ? finished.message : detail };
  const fault = failed ? finished.message : `not what was asked for: ${detail}`;
  return { status: finished.status, detail, fault };
}

function sum(lengths: number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}

function check(service: string, name: string, expected: string): DemoStep {
  return {
    name,
    expected,
    async run({ plain }) {
      const finished = await callForOne(plain, healthService.Check, [{ service }]);
      const found = finished.responses[0]?.status;
      return result(finished, expected === 'OK' && found !== 'SERVING', String(found));
    },
  };
}

function unary(name: string, requestBytes: number, responseBytes: number, channel: keyof DemoChannels): DemoStep {
  return {
    name,
    expected: 'OK',
    async run(channels) {
      const request = { payload: payloadOf(requestBytes), responseBytes, delayMs: 0 };
      const finished = await callForOne(channels[channel], flowService.Unary, [request]);
      const response = finished.responses[0];
      const wrong = response?.payload.length !== responseBytes || response.receivedBytes !== requestBytes;
      return result(
        finished,
        wrong,
        `${response?.receivedBytes ?? 0} bytes sent, ${response?.payload.length ?? 0} received`,
      );
    },
  };
}

/** Several unary calls at once: their streams interleave on the one connection. */
const atOnce: DemoStep = {
  name: 'eight unary calls at once',
  expected: 'OK',
  async run({ plain }) {
    const request = { payload: payloadOf(100), responseBytes: 32 * KiB, delayMs: 5 };
    const calls = Array.from({ length: 8 }, () => callForOne(plain, flowService.Unary, [request]));
    const finished = await Promise.all(calls);
    const worst = finished.find((call) => call.status !== 'OK') ?? finished[0]!;
    const bytes = sum(finished.flatMap((call) => call.responses.map((response) => response.payload.length)));
    return result(worst, bytes !== 8 * 32 * KiB, `${bytes} bytes received`);
  },
};

const metadataStep: DemoStep = {
  name: 'unary with binary metadata',
  expected: 'OK',
  async run({ plain }) {
    const sent = Buffer.from([0x00, 0x01, 0x02, 0xff]);
    const metadata = new Metadata();
    metadata.add('demo-bin', sent);
    metadata.add('demo-note', 'printable ASCII');
    const finished = await callForOne(
      plain,
      flowService.Unary,
      [{ payload: none, responseBytes: 10, delayMs: 0 }],
      metadata,
    );
    const echo = finished.headers.get('echo-bin')[0];
    const hex = Buffer.isBuffer(echo) ? echo.toString('hex') : 'none';
    return result(finished, hex !== sent.toString('hex'), `echo-bin ${hex}`);
  },
};

const download: DemoStep = {
  name: 'server stream',
  expected: 'OK',
  async run({ plain }) {
    const request = { bytes: MiB, messageBytes: 16 * KiB, delayMs: 0 };
    const finished = await callForMany(plain, flowService.Download, request);
    const bytes = sum(finished.responses.map((chunk) => chunk.payload.length));
    return result(finished, bytes !== MiB, `${bytes} bytes in ${finished.responses.length} messages`);
  },
};

const upload: DemoStep = {
  name: 'client stream',
  expected: 'OK',
  async run({ plain }) {
    const chunks = Array.from({ length: 32 }, () => ({ payload: payloadOf(16 * KiB), delayMs: 0 }));
    const finished = await callForOne(plain, flowService.Upload, chunks);
    const summary = finished.responses[0];
    const detail = `${summary?.bytes ?? 0} bytes in ${summary?.messages ?? 0} messages`;
    return result(finished, summary?.bytes !== 512 * KiB || summary.messages !== 32, detail);
  },
};

const chat: DemoStep = {
  name: 'bidirectional stream',
  expected: 'OK',
  async run({ plain }) {
    const texts = ['open the gate', 'écluse', '水門', 'a third', 'close the gate'];
    const requests = texts.map((text, sequence) => ({ sequence, text, payload: payloadOf(64), delayMs: 0 }));
    const finished = await converse(plain, flowService.Chat, requests);
    const echoed = finished.responses.map((message) => message.text);
    return result(finished, echoed.join() !== texts.join(), `${echoed.length} messages and their echoes`);
  },
};

const fail: DemoStep = {
  name: 'error with a message in several scripts',
  expected: 'FAILED_PRECONDITION',
  async run({ plain }) {
    const finished = await callForOne(plain, flowService.Fail, [{ code: 9, message: sluiceMessage }]);
    return result(finished, finished.message !== sluiceMessage, finished.message);
  },
};

const deadline: DemoStep = {
  name: 'deadline exceeded',
  expected: 'DEADLINE_EXCEEDED',
  async run({ plain }) {
    // Long enough for the request to reach the server over a slow path, far shorter than the server's pause.
    const request = { payload: none, responseBytes: 10, delayMs: 30_000 };
    const finished = await callForOne(plain, flowService.Unary, [request], new Metadata(), 250);
    return result(finished, false, finished.message);
  },
};

/** Watch never ends by itself: the client resets the stream after the first response. */
const cancelled: DemoStep = {
  name: 'health watch, cancelled by the client',
  expected: 'CANCELLED',
  async run({ plain }) {
    const finished = await callForMany(plain, healthService.Watch, { service: flowServiceName }, 1);
    return result(finished, finished.responses[0]?.status !== 'SERVING', finished.message);
  },
};

/** What the demo shows, in order: all four kinds of call, and each way in which a call can end badly. */
export const demoSteps: readonly DemoStep[] = [
  check('', 'health check of the server', 'OK'),
  check(flowServiceName, 'health check of the service', 'OK'),
  check(flowServiceName, 'health check again', 'OK'),
  check('penstock.demo.v1.Missing', 'health check of an unknown service', 'NOT_FOUND'),
  unary('unary', 100, 1000, 'plain'),
  metadataStep,
  atOnce,
  download,
  upload,
  chat,
  fail,
  deadline,
  cancelled,
  unary('large messages', MiB, 3 * MiB, 'plain'),
  unary('gzip-compressed request', 64 * KiB, 64 * KiB, 'gzip'),
];
