/** How a client is pointed at the tap, by the library that it is made with. */
export interface Snippet {
  id: string;
  label: string;
  /** One line, to be copied. */
  code: string;
}

/**
 * The address that clients of this machine use, of one to listen on: a tap on all addresses is reached by loopback.
 * A port that the system has yet to choose stays `PORT`.
 */
export function clientAddress(listen: string): string {
  const match = /^(.*):(\d+)$/.exec(listen.trim());
  if (match === null) return listen.trim() === '' ? '127.0.0.1:PORT' : listen.trim();
  const [, host, port] = match as unknown as [string, string, string];
  const reached = host === '0.0.0.0' || host === '' ? '127.0.0.1' : host === '[::]' ? '[::1]' : host;
  return `${reached}:${Number(port) === 0 ? 'PORT' : port}`;
}

export function snippets(listen: string): Snippet[] {
  const address = clientAddress(listen);
  return [
    {
      id: 'go',
      label: 'grpc-go',
      code: `grpc.NewClient("${address}", grpc.WithTransportCredentials(insecure.NewCredentials()))`,
    },
    {
      id: 'java',
      label: 'grpc-java',
      code: `Grpc.newChannelBuilder("${address}", InsecureChannelCredentials.create()).build()`,
    },
    { id: 'js', label: 'grpc-js', code: `new YourClient('${address}', grpc.credentials.createInsecure())` },
    { id: 'python', label: 'Python', code: `grpc.insecure_channel("${address}")` },
    { id: 'curl', label: 'curl', code: `curl -v --http2-prior-knowledge http://${address}/` },
  ];
}
