import { describe, expect, it } from 'vitest';
import { guessImplementation, type PeerEvidence } from '../../../src/core/grpc/implementations';
import { namePing } from '../../../src/core/grpc/pings';
import { hex } from '../../support/octets';

const client: PeerEvidence = { role: 'client', settings: [], pings: [] };
const server: PeerEvidence = { role: 'server', settings: [], pings: [] };

describe('who a peer is, by its user agent', () => {
  it.each([
    ['grpc-go/1.85.0', 'grpc-go', '1.85.0'],
    ['my-service/2.0 grpc-go/1.62.1', 'grpc-go', '1.62.1'],
    ['grpc-java-netty/1.82.2', 'grpc-java', '1.82.2'],
    ['grpc-java-okhttp/1.51.0', 'grpc-java', '1.51.0'],
    ['grpc-node-js/1.14.7', 'grpc-node-js', '1.14.7'],
    ['grpc-python/1.62.0 grpc-c/39.0.0 (linux; chttp2)', 'grpc-core', '1.62.0'],
    ['grpc-c++/1.60.0 grpc-c/37.0.0 (linux; chttp2)', 'grpc-core', '1.60.0'],
    ['grpc-dotnet/2.63.0 (.NET 8.0.4; CLR 8.0.4; net8.0; linux; x64)', 'grpc-dotnet', '2.63.0'],
    ['tonic/0.11.0', 'tonic', '0.11.0'],
    ['nghttp2/1.52.0', 'nghttp2', '1.52.0'],
    ['curl/7.88.1', 'curl', '7.88.1'],
    ['Go-http-client/2.0', 'Go net/http', '2.0'],
    ['python-httpx/0.28.1', 'python-httpx', '0.28.1'],
  ])('%s is %s', (userAgent, name, version) => {
    expect(guessImplementation({ ...client, userAgent })).toMatchObject({ name, version });
  });

  it('an agent that nobody knows tells nothing', () => {
    expect(guessImplementation({ ...client, userAgent: 'Mozilla/5.0 notgrpc-go/1' })).toBeUndefined();
  });
});

describe('who a peer is, by what it sends', () => {
  it('the BDP ping of grpc-go', () => {
    const guess = guessImplementation({ ...server, pings: [namePing(hex('02 04 10 10 09 0e 07 07'), 0)!] });
    expect(guess).toEqual({ name: 'grpc-go', because: 'it sent a BDP ping (grpc-go)' });
  });

  it('a keepalive of zeros alone tells nothing', () => {
    expect(guessImplementation({ ...client, pings: [namePing(new Uint8Array(8), 0)!] })).toBeUndefined();
  });

  const MAX_FRAME_SIZE = 5;
  it.each<[string, PeerEvidence['role'], [number, number][], string | undefined]>([
    ['grpc-go server, plain', 'server', [[MAX_FRAME_SIZE, 16384]], 'grpc-go'],
    [
      'grpc-go server with streams and window set',
      'server',
      [
        [MAX_FRAME_SIZE, 16384],
        [3, 100],
        [4, 1 << 20],
      ],
      'grpc-go',
    ],
    [
      'the same in another order',
      'server',
      [
        [MAX_FRAME_SIZE, 16384],
        [4, 1 << 20],
        [3, 100],
      ],
      undefined,
    ],
    ['the same from a client', 'client', [[MAX_FRAME_SIZE, 16384]], undefined],
    [
      'Go net/http server',
      'server',
      [
        [MAX_FRAME_SIZE, 1 << 20],
        [3, 250],
        [6, 1048896],
        [4, 1 << 20],
      ],
      'Go net/http',
    ],
    [
      'Go net/http client',
      'client',
      [
        [2, 0],
        [4, 4 << 20],
        [6, 10 << 20],
      ],
      'Go net/http',
    ],
    [
      'C-core, either side',
      'server',
      [
        [4, 65535],
        [0xfe03, 1],
      ],
      'grpc-core',
    ],
    [
      'grpc-java Netty client',
      'client',
      [
        [2, 0],
        [3, 0],
        [4, 1 << 20],
        [6, 8192],
      ],
      'grpc-java',
    ],
    ['an empty SETTINGS frame', 'server', [], undefined],
  ])('%s', (_what, role, settings, name) => {
    expect(guessImplementation({ role, settings, pings: [] })?.name).toBe(name);
  });

  it('the server header comes last', () => {
    expect(guessImplementation({ ...server, server: 'Kestrel' })?.name).toBe('Kestrel');
    expect(guessImplementation({ ...server, server: 'envoy', settings: [[5, 16384]] })?.name).toBe('grpc-go');
    expect(guessImplementation({ ...server, server: 'toString' })).toBeUndefined();
  });
});
