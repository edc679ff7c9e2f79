import { Setting } from '../../shared/names';
import type { NamedPing } from './pings';

/** What one peer of a connection showed of itself. */
export interface PeerEvidence {
  role: 'client' | 'server';
  /** Its first SETTINGS frame, in order. */
  settings: readonly (readonly [id: number, value: number])[];
  /** Of its requests. */
  userAgent?: string;
  /** Of its responses. */
  server?: string;
  /** PINGs that it sent (no acknowledgements: those echo the other peer's payload). */
  pings: readonly NamedPing[];
}

export interface ImplementationGuess {
  name: string;
  /** As the user agent states it. */
  version?: string;
  /** In words, with the evidence. */
  because: string;
}

/**
 * Which software a peer is, from the strongest evidence down: the user agent, PING payloads, the first SETTINGS, the
 * `server` header (which a proxy may have passed on from elsewhere). Undefined when nothing tells.
 */
export function guessImplementation(evidence: PeerEvidence): ImplementationGuess | undefined {
  return byUserAgent(evidence) ?? byPings(evidence) ?? bySettings(evidence) ?? byServer(evidence);
}

interface ProductRule {
  /** The product token before `/`. */
  product: RegExp;
  name: string;
}

/**
 * Product tokens, most telling first: an application may put its own in front, and grpc-python's text ends with the
 * library that it is built on. Sources:
 * - grpc-go: grpc/grpc-go rpc_util.go (`grpcUA`)
 * - grpc-java: `grpc-java-netty`, `grpc-java-okhttp`; form in grpc/grpc doc/PROTOCOL-HTTP2.md, User Agents
 * - grpc-node-js: grpc/grpc-node packages/grpc-js/src/transport.ts
 * - grpc-c and what is built on it: grpc/grpc src/core/ext/filters/http/client/http_client_filter.cc
 * - grpc-dotnet: grpc/grpc-dotnet src/Grpc.Net.Client/Internal/UserAgentGenerator.cs
 * - tonic: hyperium/tonic tonic/src/transport/channel/service/user_agent.rs
 * - nghttp2: nghttp2/nghttp2 src/nghttp.cc
 * - Go-http-client: golang/net http2/transport.go
 * - python-httpx: encode/httpx httpx/_client.py
 * - okhttp, curl: their default agents, named after themselves
 */
const PRODUCTS: readonly ProductRule[] = [
  { product: /^grpc-go$/, name: 'grpc-go' },
  { product: /^grpc-java(-[a-z]+)?$/, name: 'grpc-java' },
  { product: /^grpc-node-js$/, name: 'grpc-node-js' },
  { product: /^grpc-dotnet$/, name: 'grpc-dotnet' },
  { product: /^grpc-(python|ruby|php|c\+\+|csharp|objc|node)(-[a-z]+)*$/, name: 'grpc-core' },
  { product: /^grpc-c$/, name: 'grpc-core' },
  { product: /^tonic$/, name: 'tonic' },
  { product: /^nghttp2$/, name: 'nghttp2' },
  { product: /^curl$/, name: 'curl' },
  { product: /^Go-http-client$/, name: 'Go net/http' },
  { product: /^okhttp$/, name: 'okhttp' },
  { product: /^python-httpx$/, name: 'python-httpx' },
];

/** More of a user agent is not looked at: it comes from a peer. */
const USER_AGENT_LIMIT = 1024;

function byUserAgent({ userAgent }: PeerEvidence): ImplementationGuess | undefined {
  if (userAgent === undefined) return undefined;
  const tokens = userAgent.slice(0, USER_AGENT_LIMIT).split(/\s+/);
  for (const { product, name } of PRODUCTS) {
    for (const token of tokens) {
      const slash = token.indexOf('/');
      if (slash < 0 || !product.test(token.slice(0, slash))) continue;
      const version = token.slice(slash + 1);
      const because = `user-agent says ${token}`;
      return version === '' ? { name, because } : { name, version, because };
    }
  }
  return undefined;
}

function byPings({ pings }: PeerEvidence): ImplementationGuess | undefined {
  const telling = pings.find((ping) => ping.implementation !== 'unknown');
  return telling && { name: telling.implementation, because: `it sent a ${telling.words}` };
}

interface SettingsRule {
  role: PeerEvidence['role'] | 'any';
  fits: (settings: PeerEvidence['settings']) => boolean;
  name: string;
  because: string;
}

const ALLOW_TRUE_BINARY_METADATA = 0xfe03;

const SETTINGS_RULES: readonly SettingsRule[] = [
  {
    // grpc/grpc src/core/ext/transport/chttp2/transport/chttp2_transport.cc sets it to 1 on both sides.
    role: 'any',
    fits: (settings) => settings.some(([id]) => id === ALLOW_TRUE_BINARY_METADATA),
    name: 'grpc-core',
    because: 'its SETTINGS have GRPC_ALLOW_TRUE_BINARY_METADATA',
  },
  {
    // grpc/grpc-go internal/transport/http2_server.go: http2MaxFrameLen first, then what is set, in this order.
    role: 'server',
    fits: (settings) =>
      startsWith(settings, [[Setting.MAX_FRAME_SIZE, 16384]]) &&
      inOrder(settings, [
        Setting.MAX_FRAME_SIZE,
        Setting.MAX_CONCURRENT_STREAMS,
        Setting.INITIAL_WINDOW_SIZE,
        Setting.MAX_HEADER_LIST_SIZE,
        Setting.HEADER_TABLE_SIZE,
      ]),
    name: 'grpc-go',
    because: "its SETTINGS begin with MAX_FRAME_SIZE 16384, in the order of grpc-go's server",
  },
  {
    // golang/net http2/server.go: defaultMaxReadFrameSize, then advMaxStreams.
    role: 'server',
    fits: (settings) =>
      startsWith(settings, [[Setting.MAX_FRAME_SIZE, 1 << 20], [Setting.MAX_CONCURRENT_STREAMS]]) &&
      settings[2]?.[0] === Setting.MAX_HEADER_LIST_SIZE,
    name: 'Go net/http',
    because: "its SETTINGS begin with MAX_FRAME_SIZE 1048576 and go on as those of Go's HTTP/2 server",
  },
  {
    // golang/net http2/transport.go: transportDefaultStreamFlow.
    role: 'client',
    fits: (settings) =>
      startsWith(settings, [
        [Setting.ENABLE_PUSH, 0],
        [Setting.INITIAL_WINDOW_SIZE, 4 << 20],
      ]),
    name: 'Go net/http',
    because: "its SETTINGS begin with ENABLE_PUSH 0 and a window of 4 MiB, as those of Go's HTTP/2 client",
  },
  {
    // grpc/grpc-java netty/src/main/java/io/grpc/netty/NettyClientHandler.java
    role: 'client',
    fits: (settings) =>
      settings.length === 4 &&
      startsWith(settings, [
        [Setting.ENABLE_PUSH, 0],
        [Setting.MAX_CONCURRENT_STREAMS, 0],
        [Setting.INITIAL_WINDOW_SIZE],
        [Setting.MAX_HEADER_LIST_SIZE],
      ]),
    name: 'grpc-java',
    because: "its SETTINGS are the four of grpc-java's Netty client, with MAX_CONCURRENT_STREAMS 0",
  },
];

function bySettings({ role, settings }: PeerEvidence): ImplementationGuess | undefined {
  const rule = SETTINGS_RULES.find((each) => (each.role === 'any' || each.role === role) && each.fits(settings));
  return rule && { name: rule.name, because: rule.because };
}

/** Whether the settings begin with these; a pattern without a value takes any. */
function startsWith(
  settings: PeerEvidence['settings'],
  pattern: readonly (readonly [id: number, value?: number])[],
): boolean {
  return pattern.every(([id, value], i) => {
    const setting = settings[i];
    return setting !== undefined && setting[0] === id && (value === undefined || setting[1] === value);
  });
}

/** Whether the identifiers are a subsequence of `order`, without repeats. */
function inOrder(settings: PeerEvidence['settings'], order: readonly number[]): boolean {
  let next = 0;
  return settings.every(([id]) => {
    const at = order.indexOf(id, next);
    next = at + 1;
    return at >= 0;
  });
}

/**
 * Values of the `server` header. Sources: dotnet/aspnetcore
 * src/Servers/Kestrel/Core/src/Internal/Infrastructure/Constants.cs (`ServerName`); envoyproxy/envoy
 * source/common/http/default_server_string.h.
 */
const SERVERS: ReadonlyMap<string, string> = new Map([
  ['Kestrel', 'Kestrel'],
  ['envoy', 'envoy'],
]);

function byServer({ server }: PeerEvidence): ImplementationGuess | undefined {
  const name = SERVERS.get(server ?? '');
  return name === undefined ? undefined : { name, because: `server says ${server}` };
}
