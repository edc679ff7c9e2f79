import { Server, ServerCredentials, type ServerOptions } from '@grpc/grpc-js';
import { flowService, flowServiceName, healthService } from './flow-definition';
import { flowHandlers } from './flow-handlers';
import { healthHandlers } from './health-handlers';

export interface FlowServerOptions {
  /** A literal address or a name; an IPv6 address without brackets. Default 127.0.0.1. */
  host?: string;
  /** 0, the default, lets the system choose. */
  port?: number;
  /** SETTINGS_MAX_CONCURRENT_STREAMS that the server announces; default none. */
  maxConcurrentStreams?: number;
}

export interface FlowServer {
  address: string;
  port: number;
  /** Ends what is open: gracefully within half a second, else by reset. Calling it again is harmless. */
  close(): Promise<void>;
}

/** How long open calls may go on after `close`. */
const graceMs = 500;

/** Refuses later than the protocol's default of 4 MiB, so that a full payload still fits with its framing. */
const largestMessage = 8 * 1024 * 1024;

/**
 * Starts a real grpc-js server, cleartext HTTP/2, that offers the health service and `penstock.demo.v1.Flow`.
 * Rejects when the address can't be bound.
 */
export async function startFlowServer(options: FlowServerOptions = {}): Promise<FlowServer> {
  const address = options.host ?? '127.0.0.1';
  const serverOptions: ServerOptions = { 'grpc.max_receive_message_length': largestMessage };
  if (options.maxConcurrentStreams !== undefined) {
    serverOptions['grpc.max_concurrent_streams'] = options.maxConcurrentStreams;
  }
  const server = new Server(serverOptions);
  server.addService(healthService, healthHandlers([flowServiceName]));
  server.addService(flowService, flowHandlers);
  const literal = address.includes(':') ? `[${address}]` : address;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${literal}:${options.port ?? 0}`, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  let closing: Promise<void> | undefined;
  return {
    address,
    port,
    close() {
      closing ??= shutDown(server);
      return closing;
    },
  };
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.forceShutdown(), graceMs);
    server.tryShutdown(() => {
      clearTimeout(impatience);
      resolve();
    });
  });
}
