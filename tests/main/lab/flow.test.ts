import { Client, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callForMany, callForOne, converse } from '../../../src/main/lab/demo-call';
import { type DemoOutcome, runDemoCalls } from '../../../src/main/lab/flow-clients';
import { flowService, healthService } from '../../../src/main/lab/flow-definition';
import { type FlowServer, startFlowServer } from '../../../src/main/lab/flow-service';

describe('the demo', () => {
  let server: FlowServer;
  let target: string;

  beforeAll(async () => {
    server = await startFlowServer();
    target = `${server.address}:${server.port}`;
  });
  afterAll(() => server.close());

  it('ends every call as expected', async () => {
    const outcomes = await runDemoCalls(target);
    expect(outcomes.filter((outcome) => !outcome.matches)).toEqual([]);
    expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(
      new Set(['OK', 'NOT_FOUND', 'FAILED_PRECONDITION', 'DEADLINE_EXCEEDED', 'CANCELLED']),
    );
  });

  it('reports the steps in order while they happen', async () => {
    const steps: DemoOutcome[] = [];
    const outcomes = await runDemoCalls(target, { onStep: (outcome) => steps.push(outcome) });
    expect(steps).toEqual(outcomes);
  });

  it('carries a status message beyond ASCII', async () => {
    const outcomes = await runDemoCalls(target);
    const failed = outcomes.find((outcome) => outcome.status === 'FAILED_PRECONDITION');
    expect(failed?.detail).toContain('水位 100 %');
  });

  describe('its service', () => {
    let client: Client;
    beforeAll(() => {
      client = new Client(target, credentials.createInsecure());
    });
    afterAll(() => client.close());

    it.each([
      ['a payload over the limit', { payload: new Uint8Array(0), responseBytes: 4 * 1024 * 1024 + 1, delayMs: 0 }],
      ['a delay over the limit', { payload: new Uint8Array(0), responseBytes: 0, delayMs: 60_001 }],
    ])('refuses %s', async (_what, request) => {
      const finished = await callForOne(client, flowService.Unary, [request]);
      expect(finished.status).toBe('INVALID_ARGUMENT');
    });

    it('refuses a download in messages over the limit', async () => {
      const request = { bytes: 1, messageBytes: 4 * 1024 * 1024 + 1, delayMs: 0 };
      expect((await callForMany(client, flowService.Download, request)).status).toBe('INVALID_ARGUMENT');
    });

    it('refuses an upload, and a chat, whose message asks for a delay over the limit', async () => {
      const payload = new Uint8Array(0);
      const uploaded = await callForOne(client, flowService.Upload, [{ payload, delayMs: 60_001 }]);
      expect(uploaded.status).toBe('INVALID_ARGUMENT');
      const asked = [{ sequence: 0, text: '', payload, delayMs: 60_001 }];
      expect((await converse(client, flowService.Chat, asked)).status).toBe('INVALID_ARGUMENT');
    });

    it('sends far more than any window holds, and leaves no listeners behind', async () => {
      const warnings: Error[] = [];
      const listen = (warning: Error) => warnings.push(warning);
      process.on('warning', listen);
      const request = { bytes: 16 * 1024 * 1024, messageBytes: 16 * 1024, delayMs: 0 };
      const finished = await callForMany(client, flowService.Download, request);
      process.removeListener('warning', listen);
      expect(finished.responses.length).toBe(1024);
      expect(warnings).toEqual([]);
    });

    it('refuses to fail with a status that is no failure', async () => {
      const finished = await callForOne(client, flowService.Fail, [{ code: 0, message: '' }]);
      expect(finished.status).toBe('INVALID_ARGUMENT');
    });

    it('cuts a download into messages of the asked size, the last one shorter', async () => {
      const request = { bytes: 2500, messageBytes: 1000, delayMs: 0 };
      const finished = await callForMany(client, flowService.Download, request);
      expect(finished.responses.map((chunk) => chunk.payload.length)).toEqual([1000, 1000, 500]);
      expect(finished.responses[2]?.payload[499]).toBe(499 & 0xff);
    });
  });
});

describe('closing the server', () => {
  it('ends a call that would stay open for ever', async () => {
    const server = await startFlowServer();
    const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const { path, requestSerialize, responseDeserialize } = healthService.Watch;
    const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: '' });
    call.on('error', () => undefined);
    await new Promise((resolve) => call.once('data', resolve));
    const ended = new Promise((resolve) => call.once('status', resolve));
    await server.close();
    await server.close();
    expect(await ended).not.toMatchObject({ code: 0 });
    client.close();
  });
});

describe('an unreachable target', () => {
  it('is a list of outcomes that do not match', async () => {
    const server = await startFlowServer();
    await server.close();
    const outcomes = await runDemoCalls(`127.0.0.1:${server.port}`);
    expect(outcomes[0]).toMatchObject({ status: 'UNAVAILABLE', matches: false });
    expect(outcomes.some((outcome) => outcome.matches)).toBe(false);
  });
});

describe('the messages', () => {
  it('are what flow.proto says, octet for octet', () => {
    expect(
      flowService.Unary.requestSerialize({ payload: new Uint8Array([7]), responseBytes: 300, delayMs: 5 }),
    ).toEqual(
      Buffer.from([
        ...[0x0a, 0x01, 0x07], // payload = 1: one octet
        ...[0x10, 0xac, 0x02], // response_bytes = 2: 300
        ...[0x18, 0x05], // delay_ms = 3: 5
      ]),
    );
  });

  it('have every field after parsing, absent ones with their default', () => {
    expect(flowService.Unary.requestDeserialize(Buffer.alloc(0))).toEqual({
      payload: Buffer.alloc(0),
      responseBytes: 0,
      delayMs: 0,
    });
    expect(healthService.Check.responseDeserialize(Buffer.from([0x08, 0x01]))).toEqual({ status: 'SERVING' });
  });
});
