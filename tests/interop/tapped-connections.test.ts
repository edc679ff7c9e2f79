import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callForOne } from '../../src/main/lab/demo-call';
import { runDemoCalls } from '../../src/main/lab/flow-clients';
import { flowService } from '../../src/main/lab/flow-definition';
import { payloadOf } from '../../src/main/lab/flow-handlers';
import { buildGoInterop, describeWithGo, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { hasTshark, tsharkComplaints, tsharkFields } from '../support/tshark';
import { allCalls, allFrames, expectSound, expectTsharkAgrees } from './expectations';
import { demoCalls, fourKindsCalls } from './expected-calls';
import { expectCalls, seenPayload, sha256 } from './seen-calls';
import { grpcGoServer, grpcJsServer, type TestServer } from './servers';

/** One unary call over a connection of its own; `size` octets of payload each way. */
async function unaryCall(target: string, size: number): Promise<string> {
  const client = new Client(target, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const request = { payload: payloadOf(size), responseBytes: size, delayMs: 0 };
  const { status, responses } = await callForOne(client, flowService.Unary, [request]);
  client.close();
  return `${status} ${responses[0]?.payload.length}`;
}

/** Sends back what it gets, and its end; for one test. */
async function echoServer(): Promise<TestServer> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** Sends `size` octets, waits for as many, and ends or resets the connection. */
async function exchange(port: number, size: number, reset: boolean): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  let received = 0;
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (octets: Buffer) => {
      received += octets.length;
      if (received >= size) resolve();
    });
  });
  await once(socket, 'connect');
  if (size > 0) {
    socket.write(payloadOf(size));
    await whole;
  }
  if (reset) socket.resetAndDestroy();
  else socket.resume().end();
  await closed;
  expect(received).toBe(size);
}

/** Client and server of every `tcp.stream`, as tshark numbers them: by their first packets. */
async function tsharkConversations(file: string): Promise<string[]> {
  const fields = ['tcp.stream', 'ip.src', 'ipv6.src', 'tcp.srcport', 'ip.dst', 'ipv6.dst', 'tcp.dstport'];
  const rows = await tsharkFields(file, fields, { filter: 'tcp.flags.syn == 1 && tcp.flags.ack == 0' });
  const conversations: string[] = [];
  for (const [stream, source4, source6, sourcePort, target4, target6, targetPort] of rows) {
    const text = (v4: string, v6: string, port: string) => (v6 === '' ? `${v4}:${port}` : `[${v6}]:${port}`);
    conversations[Number(stream)] = `${text(source4!, source6!, sourcePort!)} ${text(target4!, target6!, targetPort!)}`;
  }
  return conversations;
}

describe('connections through taps', () => {
  it('of two taps to one upstream stand in one session, each with its own delay', async () => {
    const tapped = await startTapped(await grpcJsServer(), { rtt: [0, 20] });
    const sizes = [1000, 2000];
    const ends = await Promise.all(tapped.targets.map((target, i) => unaryCall(target, sizes[i]!)));
    expect(ends).toEqual(['OK 1000', 'OK 2000']);
    const session = await tapped.stop();
    expectSound(session);
    const connections = session.connections();
    expect(connections.map(({ server }) => server).sort()).toEqual([...tapped.targets].sort());
    const durations = new Map<string, number>();
    for (const [i, call] of allCalls(session).entries()) {
      const { server } = connections[call.conn - 1]!;
      const size = sizes[tapped.targets.indexOf(server)];
      expect(seenPayload(session, i, 'toServer').octets).toBe(size);
      expect(seenPayload(session, i, 'toClient').octets).toBe(size);
      durations.set(server, call.end! - call.start);
    }
    expect(durations.size).toBe(2);
    expect(durations.get(tapped.targets[1]!)).toBeGreaterThanOrEqual(0.02);
    const slow = connections.find(({ server }) => server === tapped.targets[1])!.conn;
    const early = allFrames(session).filter(({ conn, delivered, t }) => conn === slow && delivered! - t < 0.01 - 1e-9);
    expect(early).toEqual([]);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('go over IPv6 to an upstream on IPv6', async () => {
    const tapped = await startTapped(await grpcJsServer('::1'), { rtt: 4, listen: '::1' });
    expect(tapped.target).toBe(`[::1]:${tapped.ports[0]}`);
    expect(await unaryCall(tapped.target, 50_000)).toBe('OK 50000');
    const session = await tapped.stop();
    expectSound(session, 4);
    const client = expect.stringMatching(/^\[::1\]:\d+$/);
    expect(session.connections()).toMatchObject([{ client, server: tapped.target, protocol: 'h2', joined: 'start' }]);
    expect(seenPayload(session, 0, 'toClient').sha256).toBe(sha256(payloadOf(50_000)));
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('are 100 at once, numbered as tshark numbers them, none with the octets of another', async () => {
    const tapped = await startTapped(await grpcJsServer(), { rtt: 10 });
    const sizes = Array.from({ length: 100 }, (_, i) => 100 + i);
    const ends = await Promise.all(sizes.map((size) => unaryCall(tapped.target, size)));
    expect(ends).toEqual(sizes.map((size) => `OK ${size}`));
    const session = await tapped.stop();
    expectSound(session, 10);
    const connections = session.connections();
    expect(connections.map(({ conn }) => conn)).toEqual(sizes.map((_, i) => i + 1));
    expect(new Set(connections.map(({ client }) => client)).size).toBe(100);
    const calls = allCalls(session);
    expect(calls.map(({ conn }) => conn).sort((a, b) => a - b)).toEqual(sizes.map((_, i) => i + 1));
    // Each connection carried one size both ways, and together they carried them all.
    const seen = calls.map((_, i) => seenPayload(session, i, 'toServer').octets);
    expect(calls.map((_, i) => seenPayload(session, i, 'toClient').octets)).toEqual(seen);
    expect([...seen].sort((a, b) => a - b)).toEqual(sizes);
    if (hasTshark()) {
      const conversations = await tsharkConversations(tapped.file);
      expect(connections.map(({ client, server }) => `${client} ${server}`)).toEqual(conversations);
    }
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('are 100 plain sockets at once, some of them empty, ended or reset by their clients', async () => {
    const server = await echoServer();
    const tapped = await startTapped(server, { rtt: 4 });
    // Every tenth says nothing; every tenth after it is reset when its echo has come.
    const plans = Array.from({ length: 100 }, (_, i) => ({
      size: i % 10 === 0 ? 0 : 1000 + i,
      reset: i % 10 === 1,
    }));
    await Promise.all(plans.map(({ size, reset }) => exchange(tapped.ports[0]!, size, reset)));
    const session = await tapped.stop();
    const connections = session.connections();
    expectSound(session, 4);
    expect(connections.map(({ conn }) => conn)).toEqual(plans.map((_, i) => i + 1));
    const ends = (bytes: number, how: string | undefined) => `${bytes} ${how}`;
    expect(connections.map(({ bytes, closed }) => ends(bytes.toClient, closed?.how)).sort()).toEqual(
      plans.map(({ size, reset }) => ends(size, reset ? 'reset' : 'fin')).sort(),
    );
    for (const { bytes, closed, protocol } of connections) {
      expect(bytes.toServer).toBe(bytes.toClient);
      expect(closed?.by).toBe('client');
      expect(protocol).toBe('opaque');
    }
    expect(new Set(allFrames(session).map(({ type }) => type))).toEqual(new Set(['OPAQUE']));
    if (!hasTshark()) return;
    const conversations = await tsharkConversations(tapped.file);
    expect(connections.map(({ client, server }) => `${client} ${server}`)).toEqual(conversations);
    expect(await tsharkComplaints(tapped.file)).toEqual([]);
  });

  it('keep their octets over the wrap of the sequence numbers at 2^32', async () => {
    // The client's numbers wrap in the upload of 1 MiB, the server's in the response of 3 MiB.
    const initialSequence = (): [number, number] => [2 ** 32 - 900_000, 2 ** 32 - 2_000_000];
    const tapped = await startTapped(await grpcJsServer(), { initialSequence });
    const outcomes = await runDemoCalls(tapped.target);
    expect(outcomes.filter(({ matches }) => !matches)).toEqual([]);
    const session = await tapped.stop();
    expectSound(session);
    expectCalls(session, demoCalls);
    const [{ bytes }] = session.connections() as [ReturnType<typeof session.connections>[0]];
    expect(bytes.toServer).toBeGreaterThan(900_000);
    expect(bytes.toClient).toBeGreaterThan(2_000_000);
    const large = demoCalls.length - 2;
    expect(seenPayload(session, large, 'toClient').sha256).toBe(sha256(payloadOf(3 * 1024 * 1024)));
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });
});

describeWithGo('connections of grpc-go', () => {
  beforeAll(() => buildGoInterop(), 300_000);

  it('carry many calls at once, each with header blocks of its own', async () => {
    const tapped = await startTapped(await grpcGoServer(), { rtt: 4 });
    const load = { mode: 'health-load', calls: 400, concurrency: 100, uniqueHeaders: true } as const;
    const { calls, exitStatus } = await runGoClient({ target: tapped.target, ...load });
    expect(exitStatus).toBe(0);
    const session = await tapped.stop();
    expectSound(session, 4);
    expect(calls).toHaveLength(400);
    const seen = allCalls(session);
    expect(seen.map(({ stream }) => stream)).toEqual(calls.map((_, i) => 2 * i + 1));
    const ends = new Set(
      seen.map(({ method, statusName, requestMessages, responseMessages }) => {
        return `${method} ${statusName} ${requestMessages} ${responseMessages}`;
      }),
    );
    expect(ends).toEqual(new Set(['/grpc.health.v1.Health/Check OK 1 1']));
    const parents = allFrames(session).flatMap(({ headers = [] }) =>
      headers.filter(([name]) => name === 'traceparent'),
    );
    expect(new Set(parents.map(([, value]) => value)).size).toBe(400);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('go over IPv6 in all four kinds of call', async () => {
    const tapped = await startTapped(await grpcGoServer({ listen: '[::1]:0' }), { listen: '::1' });
    const load = { mode: 'all', bytes: 40_000, messageBytes: 10_000 } as const;
    const { exitStatus } = await runGoClient({ target: tapped.target, ...load });
    expect(exitStatus).toBe(0);
    const session = await tapped.stop();
    expectSound(session);
    expectCalls(session, fourKindsCalls(40_000, 10_000));
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });
});
