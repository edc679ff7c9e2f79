import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Outcome } from '../../../shared/app';
import { MAX_REQUEST, SERVE_PATHS } from '../../../shared/bridge';
import type { WindowHost } from '../../app/window-channel';
import { readAsset } from '../../web/assets';
import { SECURITY_HEADERS } from '../../web/policy';
import { AccessRule } from './access';
import { Downloads } from './downloads';
import { serveSocket } from './socket';
import { newToken } from './token';
import { Uploads } from './uploads';

/** Windows at one time at most. */
const MAX_WINDOWS = 32;
/** Never another: what is captured is its user's alone. */
const LOOPBACK = '127.0.0.1';

export interface WindowServerOptions {
  /** 0 lets the system choose. */
  port: number;
  /** The built renderer. */
  renderer: string;
  /** Octets of an uploaded file at most; 4 GiB when not given. */
  uploadLimit?: number;
}

/** What the server needs of the program. */
export interface ServedHost extends WindowHost {
  openUpload(path: string): Promise<Outcome>;
}

/** The window for browsers on this machine: files, a WebSocket, uploads and downloads, all behind one token. */
export class WindowServer {
  readonly downloads = new Downloads();
  private readonly token = newToken();
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST, perMessageDeflate: false });
  private readonly server: Server;
  private uploads: Uploads | undefined;
  private host: ServedHost | undefined;
  private access: AccessRule | undefined;

  private constructor(private readonly options: WindowServerOptions) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
    // A large capture takes its time to come; headers do not.
    this.server.requestTimeout = 0;
    this.server.headersTimeout = 10_000;
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Listens; nothing is served before `serve`. @throws the system's error: a port in use */
  static async listen(options: WindowServerOptions): Promise<WindowServer> {
    const server = new WindowServer(options);
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.server.listen({ host: LOOPBACK, port: options.port }, resolve);
    });
    server.access = new AccessRule(server.port, server.token);
    return server;
  }

  serve(host: ServedHost): void {
    this.host = host;
    this.uploads = new Uploads((path) => host.openUpload(path), this.options.uploadLimit);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** With the token: for the user's browser and nobody else. */
  get address(): string {
    return `http://${LOOPBACK}:${this.port}/?token=${this.token}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
    await Promise.all([this.downloads.close(), this.uploads?.close()]);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request;
    const reads = method === 'GET' || method === 'HEAD';
    const access = this.access?.check(request, !reads) ?? { refusal: 'Penstock is starting.' };
    if ('refusal' in access) return plain(response, 403, access.refusal);
    if ('redirect' in access) {
      response.writeHead(303, { ...SECURITY_HEADERS, Location: access.redirect }).end();
      return;
    }
    const name = access.path.slice(1);
    if (name === SERVE_PATHS.upload) {
      if (method !== 'POST') return plain(response, 405, 'A file is sent with POST.');
      return this.upload(request, response, access.query.get('name') ?? '');
    }
    if (!reads) return plain(response, 405, 'Only files are sent, and only to be opened.');
    const download = `${SERVE_PATHS.download}/`;
    if (name.startsWith(download)) {
      if (await this.downloads.send(name.slice(download.length), request, response)) return;
      return plain(response, 404, 'This download is not there any more.');
    }
    const asset = await readAsset(this.options.renderer, access.path);
    if (asset === undefined) return plain(response, 404, 'There is nothing here.');
    const { length } = asset.octets;
    response.writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': asset.type, 'Content-Length': length });
    response.end(method === 'HEAD' ? undefined : asset.octets);
  }

  private async upload(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    if (this.uploads === undefined) return plain(response, 503, 'Penstock is starting.');
    const { status, outcome } = await this.uploads.take(request, name);
    const complete = request.complete;
    response.writeHead(status, {
      ...SECURITY_HEADERS,
      'Content-Type': 'application/json',
      ...(!complete && { Connection: 'close' }),
    });
    response.end(JSON.stringify(outcome));
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { host } = this;
    const access = this.access?.check(request, true) ?? { refusal: 'Penstock is starting.' };
    if ('refusal' in access) {
      refuse(socket, '403 Forbidden', access.refusal);
    } else if ('redirect' in access || access.path !== `/${SERVE_PATHS.socket}` || host === undefined) {
      refuse(socket, '404 Not Found', 'There is nothing here.');
    } else if (this.sockets.clients.size >= MAX_WINDOWS) {
      refuse(socket, '503 Service Unavailable', `${MAX_WINDOWS} windows are open, which is all there can be.`);
    } else {
      this.sockets.handleUpgrade(request, socket, head, (webSocket) => serveSocket(host, webSocket));
    }
  }
}

function plain(response: ServerResponse, status: number, line: string): void {
  // Whatever else is being sent is not wanted.
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
  });
  response.end(`${line}\n`);
}

function refuse(socket: Duplex, status: string, line: string): void {
  socket.on('error', () => undefined);
  const length = Buffer.byteLength(line) + 1;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${line}\n`,
  );
}
