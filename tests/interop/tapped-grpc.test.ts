import { beforeAll, describe, expect, it } from 'vitest';
import { runDemoCalls } from '../../src/main/lab/flow-clients';
import { payloadOf } from '../../src/main/lab/flow-handlers';
import type { Session } from '../../src/main/session/session';
import { buildGoInterop, describeWithGo, type GoCall, runGoClient } from '../support/go';
import { startTapped } from '../support/tapped';
import { expectSound, expectTsharkAgrees } from './expectations';
import { demoCalls, fourKindsCalls } from './expected-calls';
import { expectCalls, seenPayload, sha256 } from './seen-calls';
import { grpcGoServer, grpcJsServer, type TestServer } from './servers';

const ROUND_TRIPS = [0, 20];

/** The demo's calls by grpc-js through a tap. */
async function demoThroughTap(server: TestServer, rtt: number): Promise<Session> {
  const tapped = await startTapped(server, { rtt });
  const outcomes = await runDemoCalls(tapped.target);
  expect(outcomes.filter(({ matches }) => !matches)).toEqual([]);
  const session = await tapped.stop();
  expect(tapped.notices).toEqual([]);
  expectSound(session, rtt);
  await expectTsharkAgrees(session, tapped.file, tapped.ports);
  return session;
}

/** Six whole messages and a rest. */
const BYTES = 100_000;
const MESSAGE_BYTES = 16_384;

/** One call of each of the four kinds by grpc-go through a tap, checked against what the client says it did. */
async function fourKindsThroughTap(server: TestServer, rtt: number): Promise<Session> {
  const tapped = await startTapped(server, { rtt });
  const load = { mode: 'all', bytes: BYTES, messageBytes: MESSAGE_BYTES } as const;
  const { calls, exitStatus } = await runGoClient({ target: tapped.target, ...load });
  expect(exitStatus).toBe(0);
  const session = await tapped.stop();
  expect(tapped.notices).toEqual([]);
  expectSound(session, rtt);
  expectCalls(session, fourKindsCalls(BYTES, MESSAGE_BYTES));
  for (const [i, call] of calls.entries()) {
    const { messages, octets, sha256: hash } = seenPayload(session, i, mainDirection(call));
    expect({ messages, octets }).toEqual({ messages: call.messages, octets: call.bytes });
    expect(hash).toBe(sha256(payloadOf(BYTES)));
  }
  await expectTsharkAgrees(session, tapped.file, tapped.ports);
  return session;
}

/** The one that the Go client counts. */
function mainDirection({ kind }: GoCall): 'toServer' | 'toClient' {
  return kind === 'upload' ? 'toServer' : 'toClient';
}

function implementations(session: Session): (string | undefined)[][] {
  return session.connections().map(({ clientImplementation: client, serverImplementation: server }) => {
    return [client?.split('/')[0], server?.split('/')[0]];
  });
}

describe.each(ROUND_TRIPS)('through a tap with a round trip of %d ms', (rtt) => {
  it('the demo of grpc-js against grpc-js is in the capture, call by call', async () => {
    const session = await demoThroughTap(await grpcJsServer(), rtt);
    expectCalls(session, demoCalls);
    const large = demoCalls.length - 2;
    expect(seenPayload(session, large, 'toServer').sha256).toBe(sha256(payloadOf(1024 * 1024)));
    expect(seenPayload(session, large, 'toClient').sha256).toBe(sha256(payloadOf(3 * 1024 * 1024)));
    // grpc-js's server shows nothing that only it does.
    expect(implementations(session)).toEqual([
      ['grpc-node-js', undefined],
      ['grpc-node-js', undefined],
    ]);
  });

  describeWithGo('with grpc-go', () => {
    // The first build of all downloads and compiles grpc-go.
    beforeAll(() => buildGoInterop(), 300_000);

    it('the demo of grpc-js against grpc-go is in the capture, call by call', async () => {
      const session = await demoThroughTap(await grpcGoServer(), rtt);
      expectCalls(session, demoCalls);
      expect(implementations(session)).toEqual([
        ['grpc-node-js', 'grpc-go'],
        ['grpc-node-js', 'grpc-go'],
      ]);
    });

    it('all four kinds of call of grpc-go against grpc-go are what the client says', async () => {
      const session = await fourKindsThroughTap(await grpcGoServer(), rtt);
      expect(implementations(session)).toEqual([['grpc-go', 'grpc-go']]);
    });

    it('all four kinds of call of grpc-go against grpc-js are what the client says', async () => {
      const session = await fourKindsThroughTap(await grpcJsServer(), rtt);
      expect(implementations(session)).toEqual([['grpc-go', undefined]]);
    });
  });
});
