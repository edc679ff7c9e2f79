import type { Capture } from '../../../core/capture/capture';
import type { Connection } from '../../../core/capture/connection';
import { NON_FRAME_TYPE } from '../../../core/capture/rows';
import { guessImplementation, type ImplementationGuess } from '../../../core/grpc/implementations';
import { type NamedPing, namePing } from '../../../core/grpc/pings';
import { Known } from '../../../core/hpack/header-store';
import type { Endpoint, Side } from '../../../core/tcp/types';
import { frameTypeName, NON_FRAME_KINDS } from '../../../shared/names';
import type { ConnectionRecord } from '../../../shared/records';

/** Calls looked at for a user agent or a server header. */
const CALLS_LOOKED_AT = 16;

export function endpointText({ address, port }: Endpoint): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

export function connectionRecord(capture: Capture, connection: Connection): ConnectionRecord {
  const client = connection.clientSide;
  const server = (client ^ 1) as Side;
  const { closed } = connection;
  const clientGuess = implementationOf(capture, connection, client);
  const serverGuess = implementationOf(capture, connection, server);
  return {
    conn: connection.id,
    client: endpointText(connection.tcp.endpoints[client]),
    server: endpointText(connection.tcp.endpoints[server]),
    protocol: connection.protocol,
    joined: connection.joined,
    frames: { toServer: rowsByName(connection, client), toClient: rowsByName(connection, server) },
    bytes: { toServer: connection.sides[client].octets, toClient: connection.sides[server].octets },
    start: connection.tcp.start / 1e9,
    end: connection.end / 1e9,
    closed: closed === undefined ? null : { by: closed.by === client ? 'client' : 'server', how: closed.how },
    ...(clientGuess !== undefined && { clientImplementation: implementationName(clientGuess) }),
    ...(serverGuess !== undefined && { serverImplementation: implementationName(serverGuess) }),
  };
}

function implementationName({ name, version }: ImplementationGuess): string {
  return version === undefined ? name : `${name}/${version}`;
}

function rowsByName(connection: Connection, side: Side): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [type, count] of connection.sides[side].rowsByType) {
    const name = type >= NON_FRAME_TYPE ? NON_FRAME_KINDS[type - NON_FRAME_TYPE]! : frameTypeName(type);
    counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

/** Which software a side is, from its settings, pings and headers. */
export function implementationOf(
  capture: Capture,
  connection: Connection,
  side: Side,
): ImplementationGuess | undefined {
  if (connection.protocol !== 'h2' && connection.protocol !== 'h2c-upgrade') return undefined;
  const role = side === connection.clientSide ? 'client' : 'server';
  const pings: NamedPing[] = [];
  for (const payload of connection.pings[side]) {
    const ping = namePing(Buffer.from(payload, 'hex'), 0);
    if (ping !== undefined) pings.push(ping);
  }
  const product = productHeader(capture, connection, role);
  return guessImplementation({
    role,
    settings: connection.settings[side] ?? [],
    pings,
    ...(product !== undefined && (role === 'client' ? { userAgent: product } : { server: product })),
  });
}

function productHeader(capture: Capture, connection: Connection, role: 'client' | 'server'): string | undefined {
  const { calls, headers } = capture;
  const kind = role === 'client' ? Known.USER_AGENT : Known.SERVER;
  for (let i = 0; i < Math.min(connection.calls.length, CALLS_LOOKED_AT); i++) {
    const call = connection.calls.get(i);
    const list = role === 'client' ? calls.request.get(call) : calls.response.get(call);
    const field = list === 0 ? -1 : headers.find(list - 1, kind);
    if (field !== -1) return headers.value(field) ?? undefined;
  }
  return undefined;
}
