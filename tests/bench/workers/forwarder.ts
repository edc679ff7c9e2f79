/** A plain forwarder in a thread of its own, to compare the tap with: it pipes, and knows nothing of what it pipes. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port } = workerData as { host: string; port: number };

const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ host, port, noDelay: true });
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
});

server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
