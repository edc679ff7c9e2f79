import { hex } from '../bytes/hex';

export type PingPurpose =
  /** Measures a round trip, to size windows by the bandwidth-delay product. */
  | 'bdp'
  /** Asks whether the connection is still alive. */
  | 'keepalive'
  /** Finds out when the other peer has seen the GOAWAY before it. */
  | 'shutdown'
  /** Sent at the application's request, or for several purposes with one payload. */
  | 'user';

export interface NamedPing {
  /** `unknown` when several implementations use this payload. */
  implementation: string;
  purpose: PingPurpose;
  words: string;
  /** Repository and file in which this payload is chosen. */
  source: string;
}

const PAYLOAD_LENGTH = 8;
const ZEROS = '0000000000000000';

/**
 * Payloads that are constants in the named sources. Left out on purpose: payloads drawn at random (golang/net http2)
 * or taken from a clock without a fixed origin (Node.js), and plain counters, which more than one implementation uses.
 */
const CONSTANT_PAYLOADS: Readonly<Record<string, NamedPing>> = {
  '02041010090e0707': {
    implementation: 'grpc-go',
    purpose: 'bdp',
    words: 'BDP ping (grpc-go)',
    source: 'grpc/grpc-go internal/transport/bdp_estimator.go',
  },
  '0106010800030309': {
    implementation: 'grpc-go',
    purpose: 'shutdown',
    words: 'ping after GOAWAY, to drain the connection (grpc-go server)',
    source: 'grpc/grpc-go internal/transport/http2_server.go',
  },
  // BDP_MEASUREMENT_PING = 1234
  '00000000000004d2': {
    implementation: 'grpc-java',
    purpose: 'bdp',
    words: 'BDP ping (grpc-java, Netty)',
    source: 'grpc/grpc-java netty/src/main/java/io/grpc/netty/AbstractNettyHandler.java',
  },
  // USER_PING_PAYLOAD = 1111; the keepalive manager's pings take the same way.
  '0000000000000457': {
    implementation: 'grpc-java',
    purpose: 'user',
    words: 'ping of the application or keepalive (grpc-java client, Netty)',
    source: 'grpc/grpc-java netty/src/main/java/io/grpc/netty/NettyClientHandler.java',
  },
  // KEEPALIVE_PING = 0xDEAD, in the OkHttp server transport too.
  '000000000000dead': {
    implementation: 'grpc-java',
    purpose: 'keepalive',
    words: 'keepalive ping (grpc-java server)',
    source: 'grpc/grpc-java netty/src/main/java/io/grpc/netty/NettyServerHandler.java',
  },
  // GRACEFUL_SHUTDOWN_PING = 0x97ACEF001; Dubbo's HTTP/2 server has taken the number over.
  '000000097acef001': {
    implementation: 'grpc-java',
    purpose: 'shutdown',
    words: 'ping after GOAWAY, for a graceful shutdown (grpc-java server, Netty)',
    source: 'grpc/grpc-java netty/src/main/java/io/grpc/netty/NettyServerHandler.java',
  },
  // GRACEFUL_SHUTDOWN_PING = 0x1111
  '0000000000001111': {
    implementation: 'grpc-java',
    purpose: 'shutdown',
    words: 'ping after GOAWAY, for a graceful shutdown (grpc-java server, OkHttp)',
    source: 'grpc/grpc-java okhttp/src/main/java/io/grpc/okhttp/OkHttpServerTransport.java',
  },
  '0b7ba2f08b9bfe54': {
    implementation: 'h2 (Rust)',
    purpose: 'shutdown',
    words: 'ping after GOAWAY, for a graceful shutdown (Rust h2: hyper, tonic)',
    source: 'hyperium/h2 src/frame/ping.rs',
  },
  // hyper sends its BDP and its keepalive pings as h2's user ping (hyperium/hyper src/proto/h2/ping.rs).
  '3b7cdb7a0b8716b4': {
    implementation: 'h2 (Rust)',
    purpose: 'user',
    words: 'BDP or keepalive ping (Rust h2: hyper, tonic)',
    source: 'hyperium/h2 src/frame/ping.rs',
  },
  // INTERVAL_PING, DEGRADED_PING: the first four octets; the others are zero.
  '0000000100000000': {
    implementation: 'okhttp',
    purpose: 'keepalive',
    words: 'ping of the ping interval (OkHttp)',
    source: 'square/okhttp okhttp/src/main/kotlin/okhttp3/internal/http2/Http2Connection.kt',
  },
  '0000000200000000': {
    implementation: 'okhttp',
    purpose: 'keepalive',
    words: 'ping of a connection that seems degraded (OkHttp)',
    source: 'square/okhttp okhttp/src/main/kotlin/okhttp3/internal/http2/Http2Connection.kt',
  },
  // "nevergon", the first eight octets of a longer text.
  '6e65766572676f6e': {
    implementation: 'Apache httpd',
    purpose: 'keepalive',
    words: 'ping before an idle backend connection is used again (Apache httpd, mod_proxy_http2)',
    source: 'apache/httpd modules/http2/h2_proxy_session.c',
  },
};

/** Who sends eight zeros to see whether the connection is alive, among others. */
const ZERO_KEEPALIVE: ReadonlyMap<string, string> = new Map([
  ['grpc-go', 'grpc/grpc-go internal/transport/http2_client.go'],
  ['Kestrel', 'dotnet/aspnetcore src/Servers/Kestrel/Core/src/Internal/Http2/Http2KeepAlive.cs'],
]);

/**
 * What a PING payload of eight octets is known to mean (RFC 9113 §6.7 leaves it to the sender).
 *
 * @param start of the payload in `payload`; fewer than eight octets from there have no name
 * @param implementation of the sender, if something else told: names the sender of a payload that many use
 */
export function namePing(payload: Uint8Array, start: number, implementation?: string): NamedPing | undefined {
  if (start + PAYLOAD_LENGTH > payload.length) return undefined;
  const text = hex(payload, start, start + PAYLOAD_LENGTH);
  if (text === ZEROS) return zeroPing(implementation);
  return CONSTANT_PAYLOADS[text] ?? roundTripPing(payload, start) ?? timestampPing(payload, start);
}

function zeroPing(implementation: string | undefined): NamedPing {
  const source = ZERO_KEEPALIVE.get(implementation ?? '');
  if (implementation !== undefined && source !== undefined) {
    return { implementation, purpose: 'keepalive', words: `keepalive ping (${implementation})`, source };
  }
  return {
    implementation: 'unknown',
    purpose: 'keepalive',
    words: 'keepalive ping (eight zeros, as grpc-go, Kestrel and others send)',
    source: [...ZERO_KEEPALIVE.values()].join('; '),
  };
}

/** .NET's HttpClient counts its round-trip pings downwards from -1, so the upper four octets are all ones. */
function roundTripPing(payload: Uint8Array, start: number): NamedPing | undefined {
  for (let i = 0; i < 4; i++) {
    if (payload[start + i] !== 0xff) return undefined;
  }
  // The counter's upper half: nobody sends two thousand million pings.
  if (payload[start + 4]! < 0x80) return undefined;
  return {
    implementation: '.NET HttpClient',
    purpose: 'bdp',
    words: 'round-trip ping, to size the stream window (.NET HttpClient)',
    source:
      'dotnet/runtime src/libraries/System.Net.Http/src/System/Net/Http/SocketsHttpHandler/Http2StreamWindowManager.cs',
  };
}

/** 2015-01-01 and 2100-01-01 in milliseconds since 1970: HTTP/2 is no older. */
const EARLIEST = 1_420_070_400_000;
const LATEST = 4_102_444_800_000;

/** Envoy sends the time in milliseconds since 1970, big-endian. */
function timestampPing(payload: Uint8Array, start: number): NamedPing | undefined {
  let milliseconds = 0;
  for (let i = 0; i < PAYLOAD_LENGTH; i++) milliseconds = milliseconds * 256 + payload[start + i]!;
  if (milliseconds < EARLIEST || milliseconds > LATEST) return undefined;
  return {
    implementation: 'envoy',
    purpose: 'keepalive',
    words: `keepalive ping (Envoy): sent at ${new Date(milliseconds).toISOString()} by its clock`,
    source:
      'envoyproxy/envoy source/common/http/http2/codec_impl.cc; google/quiche quiche/http2/adapter/nghttp2_adapter.cc',
  };
}
