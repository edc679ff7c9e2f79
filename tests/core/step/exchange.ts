import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Session } from '../../../src/main/session/session';
import type { startTapped } from '../../support/tapped';

/** Node's own HTTP/2 client and server, twelve requests with bodies, through a tap with a round trip of 4 ms. */
export async function exchange(tapped: typeof startTapped): Promise<Session> {
  const server = createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'x-length': '90000' });
    stream.resume();
    stream.on('end', () => stream.end(Buffer.alloc(90_000)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tap = await tapped({ host: '127.0.0.1', port }, { rtt: 4 });
  const client = connect(`http://${tap.target}`);
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const request = client.request({ ':method': 'POST', ':path': `/${i}`, 'x-number': String(i) });
      request.end(Buffer.alloc(1000 * i));
      request.resume();
      await once(request, 'close');
    }),
  );
  await new Promise<void>((resolve) => client.close(resolve));
  await new Promise((resolve) => server.close(resolve));
  return tap.stop();
}
