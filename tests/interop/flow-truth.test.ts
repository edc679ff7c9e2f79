/**
 * Both ends of a connection keep books of their flow-control windows (nghttp2's, which node:http2 shows). At moments at
 * which nothing is under way, the windows that are read from the capture must be theirs, octet for octet.
 */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createServer,
  type Http2Stream,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FlowIndex } from '../../src/core/flow/flow-index';
import type { WindowTracker } from '../../src/core/flow/window-tracker';
import type { Side } from '../../src/core/tcp/types';
import type { Session } from '../../src/main/session/session';
import { startTapped } from '../support/tapped';

/** A peer's books: of the connection, and of a stream as its receiver (nghttp2 shows none below 0). */
interface Books {
  clientSends: number;
  clientTakes: number;
  serverSends: number;
  serverTakes: number;
  streams: { stream: number; clientTakes: number | undefined; serverTakes: number | undefined }[];
}

/** A moment at which nothing was under way: the ping that marks it, and what the peers' books said. */
interface Moment {
  name: string;
  ping: string;
  books: Books;
}

class Pair {
  readonly moments: Moment[] = [];
  readonly streams: { client: ClientHttp2Stream; server: ServerHttp2Stream }[] = [];
  private pings = 0;

  constructor(
    readonly client: ClientHttp2Session,
    readonly server: ServerHttp2Session,
  ) {}

  /** Opens a stream; nobody reads it. */
  async open(): Promise<{ client: ClientHttp2Stream; server: ServerHttp2Stream }> {
    const arriving = once(this.server, 'stream') as Promise<[ServerHttp2Stream]>;
    const client = this.client.request({ ':method': 'POST', ':path': '/' }, { endStream: false });
    const [server] = await arriving;
    for (const stream of [client, server]) stream.on('error', () => undefined).pause();
    const pair = { client, server };
    this.streams.push(pair);
    return pair;
  }

  /** Waits until the peers' books agree and pings find nothing new, and notes what they say. */
  async quiet(name: string): Promise<void> {
    let before = '';
    for (let round = 0; round < 100; round++) {
      const ping = await this.ping();
      const books = this.books();
      const { clientSends, serverTakes, serverSends, clientTakes } = books;
      const said = JSON.stringify(books);
      if (said === before && clientSends === serverTakes && serverSends === clientTakes) {
        this.moments.push({ name, ping, books });
        return;
      }
      before = said;
    }
    throw new Error(`${name}: the peers' books go on changing or don't agree: ${before}`);
  }

  /** @returns the payload in hex */
  private async ping(): Promise<string> {
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(++this.pings, 4);
    await new Promise<void>((resolve, reject) => {
      this.client.ping(payload, (error) => (error ? reject(error) : resolve()));
    });
    return payload.toString('hex');
  }

  private books(): Books {
    const { state: client } = this.client;
    const { state: server } = this.server;
    return {
      clientSends: client.remoteWindowSize!,
      clientTakes: client.localWindowSize!,
      serverSends: server.remoteWindowSize!,
      serverTakes: server.localWindowSize!,
      streams: this.streams.map((pair) => ({
        stream: pair.client.id!,
        clientTakes: windowOf(pair.client),
        serverTakes: windowOf(pair.server),
      })),
    };
  }
}

/** Undefined where the stream is closed. */
function windowOf(stream: Http2Stream): number | undefined {
  return stream.destroyed || stream.closed ? undefined : stream.state.localWindowSize;
}

/** The window that holds at a time: after the last sample up to it. */
function windowAt({ samples }: WindowTracker, side: number, stream: number, time: number): number {
  let window = stream === 0 ? 65_535 : Number.NaN;
  for (let i = 0; i < samples.count && samples.time.get(i) <= time; i++) {
    if (samples.side.get(i) === side && samples.stream.get(i) === stream) window = samples.window.get(i);
  }
  return window;
}

/** What the capture says of the peers' books when the client sent a ping. */
function booksAt(session: Session, ping: string, streams: Books['streams']): Books {
  const { capture } = session;
  const sender = new FlowIndex(capture, 'sender').connection(1);
  const receiver = new FlowIndex(capture, 'receiver').connection(1);
  const marks = Array.from({ length: session.frameCount }, (_, i) => session.frame(i + 1));
  const mark = marks.find(({ type, payload, flagBits }) => type === 'PING' && payload === ping && flagBits === 0)!;
  const time = Math.round(mark.t * 1e9);
  const client = capture.connections[0]!.clientSide;
  const server = (client ^ 1) as Side;
  const taken = (side: Side, stream: number, theirs: number | undefined) =>
    theirs === undefined ? undefined : Math.max(0, windowAt(receiver, side, stream, time));
  return {
    clientSends: windowAt(sender, client, 0, time),
    serverTakes: windowAt(receiver, client, 0, time),
    serverSends: windowAt(sender, server, 0, time),
    clientTakes: windowAt(receiver, server, 0, time),
    streams: streams.map(({ stream, clientTakes, serverTakes }) => ({
      stream,
      clientTakes: taken(server, stream, clientTakes),
      serverTakes: taken(client, stream, serverTakes),
    })),
  };
}

const CLIENT_WINDOW = 70_000;
const SERVER_WINDOW = 100_000;

async function tappedPair(rtt: number): Promise<{ pair: Pair; stop: () => Promise<Session> }> {
  const server = createServer({ settings: { initialWindowSize: SERVER_WINDOW } });
  const sessions = once(server, 'session') as Promise<[ServerHttp2Session]>;
  server.on('stream', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const tapped = await startTapped({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, { rtt });
  const client = connect(`http://${tapped.target}`, {
    settings: { initialWindowSize: CLIENT_WINDOW },
    paddingStrategy: constants.PADDING_STRATEGY_MAX,
  });
  onTestFinished(() => client.destroy());
  await once(client, 'remoteSettings');
  const [session] = await sessions;
  const pair = new Pair(client, session);
  const stop = () => {
    client.destroy();
    return tapped.stop();
  };
  return { pair, stop };
}

/** Both ends' new settings are acknowledged. */
async function setWindow(session: ClientHttp2Session | ServerHttp2Session, size: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    session.settings({ initialWindowSize: size }, (error) => (error ? reject(error) : resolve()));
  });
}

describe.each([0, 20])('windows read from a capture are those of the peers, round trip %d ms', (rtt) => {
  it('over DATA with padding, credit, settings lowered and raised, and resets', async () => {
    const { pair, stop } = await tappedPair(rtt);
    await pair.quiet('after the settings');

    const first = await pair.open();
    const second = await pair.open();
    await pair.quiet('two streams open');

    first.client.write(Buffer.alloc(30_001));
    second.client.write(Buffer.alloc(1003));
    await pair.quiet('the server reads nothing');

    await setWindow(pair.server, 20_000);
    await pair.quiet('the initial window lowered below what was spent');
    await setWindow(pair.server, 200_000);
    await pair.quiet('and raised');

    first.server.resume();
    await pair.quiet('the server reads');
    first.client.write(Buffer.alloc(90_000));
    await pair.quiet('more than the window of the connection');

    first.server.respond({ ':status': 200 });
    first.server.write(Buffer.alloc(50_000));
    await pair.quiet('the client reads nothing');
    pair.client.setLocalWindowSize(1 << 20);
    await pair.quiet('the client grants 1 MiB for the connection');
    await setWindow(pair.client, 80_000);
    await pair.quiet('the client raises its initial window');

    second.server.respond({ ':status': 200 });
    second.server.write(Buffer.alloc(40_000));
    second.client.close(constants.NGHTTP2_CANCEL);
    await pair.quiet('the client resets a stream that is being sent');
    first.client.resume();
    first.server.end(Buffer.alloc(200_000));
    first.client.end();
    await once(first.client, 'close');
    await pair.quiet('all is read');

    const session = await stop();
    expect(session.connections()).toHaveLength(1);
    const names = pair.moments.map(({ name }) => name);
    const theirs = pair.moments.map(({ books }) => books);
    const ours = pair.moments.map(({ ping, books }) => booksAt(session, ping, books.streams));
    expect(ours.map((books, i) => [names[i], books])).toEqual(theirs.map((books, i) => [names[i], books]));
    // The moments are not all the same, and the padding and the lowered window are in them.
    expect(new Set(theirs.map((books) => JSON.stringify(books))).size).toBeGreaterThan(8);
    expect(theirs[3]!.streams[0]!.serverTakes).toBe(0);
    const frames = Array.from({ length: session.frameCount }, (_, i) => session.frame(i + 1));
    expect(frames.some(({ padding = 0 }) => padding > 0)).toBe(true);
    expect(frames.filter(({ faults }) => faults !== undefined)).toEqual([]);
  });
});
