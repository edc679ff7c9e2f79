import { afterEach, beforeAll, expect, it } from 'vitest';
import { runDemoCalls } from '../../src/main/lab/flow-clients';
import { startFlowServer } from '../../src/main/lab/flow-service';
import { buildGoInterop, describeWithGo, type GoClientResult, runGoClient, startGoServer } from '../support/go';

/** Servers of one test, closed after it. */
const open: { close(): Promise<unknown> }[] = [];

async function closing<Server extends { close(): Promise<unknown> }>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  open.push(server);
  return server;
}

function ends(result: GoClientResult): string[] {
  return result.calls.map((call) => `${call.kind} ${call.status} ${call.bytes}`);
}

/** All four kinds, each a payload of 100,000 octets in messages of 16,384: six whole ones and a rest. */
const fourKinds = { mode: 'all', bytes: 100_000, messageBytes: 16_384 } as const;
const allWell = ['unary OK 100000', 'download OK 100000', 'upload OK 100000', 'chat OK 100000'];

describeWithGo('grpc-go', () => {
  // The first build of all downloads and compiles grpc-go.
  beforeAll(() => buildGoInterop(), 300_000);
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });

  it.each([
    ['as it comes', {}],
    ['with static windows', { streamWindow: 1 << 20, connWindow: 1 << 20 }],
    ['with a handler that takes its time', { handlerDelayMs: 5 }],
    ['through net/http', { h2c: true }],
  ])('calls its own server, %s, in all four kinds', async (_how, options) => {
    const server = await closing(startGoServer(options));
    const result = await runGoClient({ target: server.target, ...fourKinds });
    expect(ends(result)).toEqual(allWell);
    expect(result.calls.map((call) => call.messages)).toEqual([1, 7, 7, 7]);
    expect(result.exitStatus).toBe(0);
  });

  it('calls the grpc-js server in all four kinds', async () => {
    const server = await closing(startFlowServer());
    const result = await runGoClient({ target: `${server.address}:${server.port}`, ...fourKinds });
    expect(ends(result)).toEqual(allWell);
    expect(result.calls.map((call) => call.messages)).toEqual([1, 7, 7, 7]);
  });

  it.each([
    ['its own transport', {}],
    ['net/http', { h2c: true }],
  ])('serves every call of the demo over %s', async (_transport, options) => {
    const server = await closing(startGoServer(options));
    const outcomes = await runDemoCalls(server.target);
    expect(outcomes.filter((outcome) => !outcome.matches)).toEqual([]);
  });

  it('makes many health checks at once and sums them up', async () => {
    const server = await closing(startGoServer());
    const load = { mode: 'health-load', calls: 300, concurrency: 8, uniqueHeaders: true, perCall: false } as const;
    const result = await runGoClient({ target: server.target, ...load });
    expect(result.calls).toEqual([]);
    expect(result.summaries).toMatchObject([{ kind: 'health', calls: 300, failed: 0 }]);
  });

  it('reports calls that fail, and exits with 1', async () => {
    const server = await closing(startGoServer());
    const result = await runGoClient({ target: server.target, mode: 'unary', bytes: 10, delayMs: 60_001, calls: 2 });
    expect(ends(result)).toEqual(['unary INVALID_ARGUMENT 0', 'unary INVALID_ARGUMENT 0']);
    expect(result.exitStatus).toBe(1);
  });

  it('ends its server with status 0 when its input ends', async () => {
    const server = await startGoServer();
    expect(await server.close()).toBe(0);
    const result = await runGoClient({ target: server.target, mode: 'health-load' });
    expect(ends(result)).toEqual(['health UNAVAILABLE 0']);
  });

  it('says why its server can not listen', async () => {
    const server = await closing(startGoServer());
    await expect(startGoServer({ listen: server.target })).rejects.toThrow('address already in use');
  });
});
