import { onTestFinished } from 'vitest';
import { startFlowServer } from '../../src/main/lab/flow-service';
import { type GoServerOptions, startGoServer } from '../support/go';

export interface TestServer {
  host: string;
  port: number;
}

/** A grpc-js server with health and Flow, for one test. */
export async function grpcJsServer(host?: string): Promise<TestServer> {
  const server = await startFlowServer(host === undefined ? {} : { host });
  onTestFinished(() => server.close());
  return { host: server.address, port: server.port };
}

/** A grpc-go server with health and Flow, for one test. */
export async function grpcGoServer(options?: GoServerOptions): Promise<TestServer> {
  const server = await startGoServer(options);
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}
