import { Client, credentials } from '@grpc/grpc-js';
import { callForOne } from '../../src/main/lab/demo-call';
import { healthService } from '../../src/main/lab/flow-definition';

/** One real call over a connection of its own. @throws unless it ends with OK */
export async function healthCheck(target: string): Promise<void> {
  const client = new Client(target, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  try {
    const { status, message } = await callForOne(client, healthService.Check, [{ service: '' }]);
    if (status !== 'OK') throw new Error(`the health check ended with ${status}: ${message}`);
  } finally {
    client.close();
  }
}
