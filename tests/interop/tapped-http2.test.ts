import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Session } from '../../src/main/session/session';
import type { FrameRecord } from '../../src/shared/records';
import { startTapped, type Tapped } from '../support/tapped';
import { allCalls, allFrames, bodyOf, expectSound, expectTsharkAgrees } from './expectations';
import { sha256 } from './seen-calls';
import type { TestServer } from './servers';

type Handler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** A node:http2 server for one test. */
async function http2Server(handler: Handler): Promise<TestServer> {
  const server = createServer();
  // A stream that a peer resets is what the test wants.
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    handler(stream, headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

async function client({ target }: Tapped): Promise<ClientHttp2Session> {
  const session = connect(`http://${target}`);
  onTestFinished(() => session.destroy());
  await once(session, 'remoteSettings');
  return session;
}

interface Answer {
  headers: IncomingHttpHeaders;
  trailers: IncomingHttpHeaders;
  body: Buffer;
}

async function answerOf(request: ClientHttp2Stream): Promise<Answer> {
  const answer: Answer = { headers: {}, trailers: {}, body: Buffer.alloc(0) };
  request.on('response', (headers) => {
    answer.headers = headers;
  });
  request.on('trailers', (trailers: IncomingHttpHeaders) => {
    answer.trailers = trailers;
  });
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  answer.body = Buffer.concat(pieces);
  return answer;
}

async function close(session: ClientHttp2Session): Promise<void> {
  await new Promise<void>((resolve) => session.close(resolve));
}

function framesOf(session: Session, stream: number): FrameRecord[] {
  return allFrames(session).filter((frame) => frame.stream === stream && frame.typeId !== null);
}

/** Octets that count up, `length` of them. */
function counting(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 31) >> 4));
}

describe.each([0, 20])('node:http2 through a tap with a round trip of %d ms', (rtt) => {
  it('sends bodies with trailers both ways', async () => {
    const server = await http2Server((stream) => {
      let requestTrailers: IncomingHttpHeaders = {};
      stream.on('trailers', (trailers: IncomingHttpHeaders) => {
        requestTrailers = trailers;
      });
      stream.respond({ ':status': 200, 'content-type': 'application/octet-stream' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-echo': String(requestTrailers['x-sum']) }));
      stream.pipe(stream);
    });
    const tapped = await startTapped(server, { rtt });
    const connection = await client(tapped);
    const request = connection.request({ ':method': 'POST', ':path': '/echo' }, { waitForTrailers: true });
    request.on('wantTrailers', () => request.sendTrailers({ 'x-sum': '42' }));
    const body = counting(30_000);
    request.end(body);
    const answer = await answerOf(request);
    expect(answer.body.equals(body)).toBe(true);
    expect(answer.trailers).toMatchObject({ 'x-echo': '42' });
    await close(connection);

    const session = await tapped.stop();
    expectSound(session, rtt);
    expect(allCalls(session)).toMatchObject([
      {
        kind: 'http',
        method: 'POST /echo',
        httpStatus: 200,
        status: null,
        state: 'closed',
        requestMessages: 0,
        responseMessages: 0,
        requestBytes: 30_000,
        responseBytes: 30_000,
      },
    ]);
    for (const dir of ['toServer', 'toClient'] as const) {
      expect(sha256(bodyOf(session, 1, 1, dir))).toBe(sha256(body));
      const blocks = framesOf(session, 1).filter((frame) => frame.dir === dir && frame.type === 'HEADERS');
      expect(blocks).toHaveLength(2);
      expect(blocks[1]!.headers).toEqual([[dir === 'toServer' ? 'x-sum' : 'x-echo', '42']]);
      expect(blocks[1]!.flags).toContain('END_STREAM');
    }
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('pushes a response', async () => {
    const server = await http2Server((stream) => {
      stream.pushStream({ ':path': '/pushed', 'x-why': 'foreseen' }, (error, pushed) => {
        if (error) throw error;
        pushed.respond({ ':status': 200 });
        pushed.end(counting(5000));
        stream.respond({ ':status': 204 }, { endStream: true });
      });
    });
    const tapped = await startTapped(server, { rtt });
    const connection = await client(tapped);
    const pushed = new Promise<Answer>((resolve) => {
      connection.on('stream', (stream: ClientHttp2Stream) => {
        stream.on('push', () => undefined);
        void answerOf(stream).then(resolve);
      });
    });
    await answerOf(connection.request({ ':path': '/page' }).end());
    expect((await pushed).body).toHaveLength(5000);
    await close(connection);

    const session = await tapped.stop();
    expectSound(session, rtt);
    const promise = allFrames(session).find(({ type }) => type === 'PUSH_PROMISE')!;
    expect(promise).toMatchObject({ dir: 'toClient', stream: 1, promised: 2 });
    expect(promise.headers).toContainEqual([':path', '/pushed']);
    const calls = allCalls(session).sort((a, b) => a.stream - b.stream);
    expect(calls).toMatchObject([
      { stream: 1, method: 'GET /page', httpStatus: 204, state: 'closed', requestBytes: 0, responseBytes: 0 },
      { stream: 2, method: 'GET /pushed', httpStatus: 200, state: 'closed', requestBytes: 0, responseBytes: 5000 },
    ]);
    expect(bodyOf(session, 1, 2, 'toClient').equals(counting(5000))).toBe(true);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('uploads 1 MiB through windows of 65,535 octets, never beyond them', async () => {
    const server = await http2Server((stream) => {
      let received = 0;
      stream.on('data', (piece: Buffer) => {
        received += piece.length;
      });
      stream.on('end', () => {
        stream.respond({ ':status': 200 });
        stream.end(String(received));
      });
    });
    const tapped = await startTapped(server, { rtt });
    const connection = await client(tapped);
    const body = counting(1 << 20);
    const request = connection.request({ ':method': 'PUT', ':path': '/large' });
    request.end(body);
    expect((await answerOf(request)).body.toString()).toBe(String(1 << 20));
    await close(connection);

    const session = await tapped.stop();
    expectSound(session, rtt);
    const [call] = allCalls(session);
    expect(call).toMatchObject({ method: 'PUT /large', httpStatus: 200, requestBytes: 1 << 20, responseBytes: 7 });
    expect(sha256(bodyOf(session, 1, 1, 'toServer'))).toBe(sha256(body));
    for (const stream of [0, 1]) {
      const lowest = Math.min(...clientsWindows(session, stream));
      expect(lowest).toBeGreaterThanOrEqual(0);
      // It was the window that held the client up.
      expect(lowest).toBeLessThan(16_384);
    }
    // 16 windows of 65,535 octets, each a round trip after the one before.
    expect(call!.end! - call!.start).toBeGreaterThanOrEqual((16 * rtt) / 1000);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('ends streams by RST_STREAM, of the client and of the server, and lets others go on', async () => {
    const server = await http2Server((stream, headers) => {
      stream.respond({ ':status': 200 });
      if (headers[':path'] === '/fails') {
        stream.write(counting(1000), () => stream.destroy(new Error('it fails')));
      } else if (headers[':path'] === '/endless') {
        stream.write(counting(2000));
      } else {
        stream.end('fine');
      }
    });
    const tapped = await startTapped(server, { rtt });
    const connection = await client(tapped);
    const fails = connection.request({ ':path': '/fails' });
    await expect(answerOf(fails)).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    const endless = connection.request({ ':path': '/endless' });
    endless.on('error', () => undefined);
    await once(endless, 'data');
    endless.close(constants.NGHTTP2_CANCEL);
    await once(endless, 'close');
    expect((await answerOf(connection.request({ ':path': '/fine' }))).body.toString()).toBe('fine');
    await close(connection);

    const session = await tapped.stop();
    expectSound(session, rtt);
    expect(allCalls(session)).toMatchObject([
      { method: 'GET /fails', state: 'reset', resetCode: 'INTERNAL_ERROR', responseBytes: 1000 },
      { method: 'GET /endless', state: 'reset', resetCode: 'CANCEL', responseBytes: 2000 },
      { method: 'GET /fine', state: 'closed', resetCode: null, responseBytes: 4 },
    ]);
    const resets = allFrames(session).filter(({ type }) => type === 'RST_STREAM');
    expect(resets.map(({ stream, dir, errorCode }) => [stream, dir, errorCode])).toEqual([
      [1, 'toClient', 'INTERNAL_ERROR'],
      [3, 'toServer', 'CANCEL'],
    ]);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });

  it('says GOAWAY with a code, a last stream and debug data', async () => {
    let serverSession: Http2Session | undefined;
    const server = await http2Server((stream) => {
      serverSession = stream.session;
      stream.respond({ ':status': 200 });
      stream.end('the last');
    });
    const tapped = await startTapped(server, { rtt });
    const connection = await client(tapped);
    // A code that is not NO_ERROR is an error for the client's session; `once` would reject with it.
    connection.on('error', () => undefined);
    const goaway = new Promise<unknown[]>((resolve) => connection.on('goaway', (...said) => resolve(said)));
    const closed = new Promise<void>((resolve) => connection.on('close', resolve));
    await answerOf(connection.request({ ':path': '/last' }));
    serverSession!.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 1, Buffer.from('slow down'));
    const [code, lastStream, debug] = await goaway;
    expect([code, lastStream, String(debug)]).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM, 1, 'slow down']);
    await closed;
    // Node.js keeps the server's half of a connection open after the client's end.
    serverSession!.destroy();

    const session = await tapped.stop();
    expectSound(session, rtt);
    const [row] = allFrames(session).filter(({ type, dir }) => type === 'GOAWAY' && dir === 'toClient');
    const slowDown = Buffer.from('slow down').toString('hex');
    expect(row).toMatchObject({ errorCode: 'ENHANCE_YOUR_CALM', lastStream: 1, debug: slowDown });
    expect(allCalls(session)).toMatchObject([{ method: 'GET /last', state: 'closed', unprocessed: false }]);
    await expectTsharkAgrees(session, tapped.file, tapped.ports);
  });
});

/**
 * The client's view of its window, the connection's (0) or a stream's: what it sent counts when it came to the tap,
 * credit when it was handed to the client. The first window is RFC 9113 §6.9.2's, which Node.js keeps.
 */
function clientsWindows(session: Session, stream: number): number[] {
  const spent = allFrames(session)
    .filter(({ type, dir, stream: id }) => type === 'DATA' && dir === 'toServer' && (stream === 0 || id === stream))
    .map(({ t, length }) => ({ t, change: -length }));
  const credit = allFrames(session)
    .filter(({ type, dir, stream: id }) => type === 'WINDOW_UPDATE' && dir === 'toClient' && id === stream)
    .map(({ delivered, increment }) => ({ t: delivered!, change: increment! }));
  let window = 65_535;
  const changes = [...credit, ...spent].sort((a, b) => a.t - b.t);
  return changes.map(({ change }) => {
    window += change;
    return window;
  });
}
