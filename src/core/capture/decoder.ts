import { decodeBase64Url } from '../bytes/base64url';
import type { CallTracker } from '../grpc/call-tracker';
import { type HeaderStore, knownName } from '../hpack/header-store';
import type { Http1Head } from '../http1/head';
import { Http1Reader } from '../http1/reader';
import { Http2Connection } from '../http2/connection';
import { Http2Reader, looksLikeFrames } from '../http2/reader';
import type { Side } from '../tcp/types';
import { looksLikeTls, TlsReader } from '../tls/reader';
import type { Connection } from './connection';
import { CONNECTION_PREFACE, type Detected, detect } from './detect';
import type { FrameTable } from './frames';
import { RowWriter } from './rows';

const PREFACE_LENGTH = CONNECTION_PREFACE.length;

type Mode = 'detect' | 'h2' | 'http1' | 'tls' | 'opaque';

class SideDecoder {
  mode: Mode = 'detect';
  /** While it is not known what the side speaks: its first octets, up to a preface's length. */
  readonly pending = new Uint8Array(PREFACE_LENGTH);
  pendingLength = 0;
  pendingOffset = 0;
  http2: Http2Reader | undefined;
  http1: Http1Reader | undefined;
  tls: TlsReader | undefined;
  /** Octets of no known protocol that have no row yet. */
  opaqueStart: number | undefined;
  /** Where this side's octets end so far. */
  end = 0;
  /** A hole whose row waits for the octets after it. */
  gap: { offset: number; length: number } | undefined;
  /** The next octets begin a chunk. */
  chunkStarts = true;
}

/** What one TCP connection's octets are: HTTP/2, HTTP/1.1 that may turn into it, TLS, or something else. */
export class ConnectionDecoder {
  http2: Http2Connection | undefined;
  private readonly sides: [SideDecoder, SideDecoder] = [new SideDecoder(), new SideDecoder()];
  private readonly rows: RowWriter;
  /** An HTTP/1.1 request that asks for h2c, until the answer. */
  private upgrade: { side: Side; head: Http1Head; row: number } | undefined;
  private readonly requestMethods: string[] = [];

  constructor(
    readonly connection: Connection,
    private readonly frames: FrameTable,
    private readonly headers: HeaderStore,
    private readonly calls: CallTracker,
  ) {
    this.rows = new RowWriter(connection, frames);
  }

  octets(side: Side, data: Uint8Array, start: number, end: number, offset: number): void {
    const state = this.sides[side];
    if (state.gap !== undefined) this.takeGap(side);
    this.route(side, data, start, end, offset);
    state.end = offset + (end - start);
    state.chunkStarts = false;
  }

  /** The chunk that the last octets belonged to is whole. */
  chunkEnd(side: Side): void {
    const state = this.sides[side];
    state.chunkStarts = true;
    if (state.mode === 'opaque') this.flushOpaque(side);
    else if (state.mode === 'http1') state.http1!.flushPiece();
  }

  /** Octets in no packet; `offset` follows what came before. */
  gap(side: Side, offset: number, length: number): void {
    this.sides[side].gap = { offset, length };
    this.sides[side].end = offset + length;
  }

  /** No more octets come on either side. */
  finish(): void {
    this.finishSide(0);
    this.finishSide(1);
  }

  private finishSide(side: Side): void {
    const state = this.sides[side];
    if (state.gap !== undefined) this.takeGap(side);
    switch (state.mode) {
      case 'detect':
        this.finishPending(side);
        break;
      case 'h2':
        state.http2!.cut();
        break;
      case 'http1':
        state.http1!.cut();
        break;
      case 'tls':
        state.tls!.cut(state.end);
        break;
      case 'opaque':
        break;
    }
    this.flushOpaque(side);
  }

  /** Too few octets came to tell what they are; the beginning of a preface is one that was cut. */
  private finishPending(side: Side): void {
    const state = this.sides[side];
    if (state.pendingLength === 0) return;
    const { pending, pendingLength, pendingOffset } = state;
    state.pendingLength = 0;
    const isPreface = pending.subarray(0, pendingLength).every((octet, i) => octet === CONNECTION_PREFACE[i]);
    if (isPreface) {
      this.rows.nonFrame('PREFACE', side, pendingOffset, pendingLength, false);
    } else {
      this.enter(side, this.peerIsHttp2(side) ? 'h2' : 'opaque');
      this.route(side, pending, 0, pendingLength, pendingOffset);
      if (state.mode === 'h2') state.http2!.cut();
    }
  }

  private route(side: Side, data: Uint8Array, start: number, end: number, offset: number): void {
    const state = this.sides[side];
    let at = start;
    while (at < end) {
      const here = offset + (at - start);
      switch (state.mode) {
        case 'detect':
          at += this.detect(side, data, at, end, here);
          break;
        case 'h2':
          state.http2!.push(data, at, end, here);
          return;
        case 'http1':
          at += this.http1(side, data, at, end, here);
          break;
        case 'tls': {
          const taken = state.tls!.push(data, at, end, here);
          at += taken;
          if (at < end) {
            state.opaqueStart ??= offset + (at - start);
            state.mode = 'opaque';
          }
          break;
        }
        case 'opaque':
          if (state.chunkStarts && state.opaqueStart === undefined && this.resume(side, data, at, end)) break;
          state.opaqueStart ??= here;
          return;
      }
    }
  }

  /** @returns octets taken. */
  private detect(side: Side, data: Uint8Array, at: number, end: number, offset: number): number {
    const state = this.sides[side];
    if (state.pendingLength === 0) {
      const detected = detect(data, at, end, this.context(side));
      if (detected !== undefined) return this.decide(side, detected, offset);
    }
    // Too few: keep them, one by one, until they tell.
    let taken = 0;
    while (at + taken < end) {
      if (state.pendingLength === 0) state.pendingOffset = offset + taken;
      state.pending[state.pendingLength++] = data[at + taken]!;
      taken++;
      const detected = detect(state.pending, 0, state.pendingLength, this.context(side));
      if (detected === undefined && state.pendingLength < PREFACE_LENGTH) continue;
      const { pendingLength, pendingOffset } = state;
      state.pendingLength = 0;
      const consumed = this.decide(side, detected ?? 'opaque', pendingOffset);
      if (consumed < pendingLength) {
        this.route(side, state.pending, consumed, pendingLength, pendingOffset + consumed);
      }
      break;
    }
    return taken;
  }

  private context(side: Side): Parameters<typeof detect>[3] {
    const { client } = this.connection;
    return {
      role: client === undefined ? 'unknown' : client === side ? 'client' : 'server',
      fromStart: this.connection.joined === 'start',
      peerIsHttp2: this.peerIsHttp2(side),
    };
  }

  private peerIsHttp2(side: Side): boolean {
    return this.sides[side ^ 1]!.mode === 'h2';
  }

  /** @returns octets taken: those of the preface. */
  private decide(side: Side, detected: Detected, offset: number): number {
    const { connection } = this;
    const other = (side ^ 1) as Side;
    switch (detected) {
      case 'preface':
        connection.client ??= side;
        // With its preface a connection is whole, handshake seen or not.
        if (this.http2 === undefined) connection.joined = 'start';
        this.enter(side, 'h2');
        this.rows.nonFrame('PREFACE', side, offset, PREFACE_LENGTH);
        return PREFACE_LENGTH;
      case 'h2':
        this.enter(side, 'h2');
        return 0;
      case 'http1-request':
        connection.client ??= side;
        this.enter(side, 'http1');
        return 0;
      case 'http1-response':
        connection.client ??= other;
        this.enter(side, 'http1');
        return 0;
      case 'tls':
      case 'opaque':
        this.enter(side, detected);
        return 0;
    }
  }

  private enter(side: Side, mode: Mode): void {
    const state = this.sides[side];
    const { connection } = this;
    state.mode = mode;
    if (mode === 'h2') {
      this.http2 ??= new Http2Connection(connection, this.frames, this.headers, this.calls);
      state.http2 = new Http2Reader(connection, side, this.frames, this.http2);
      if (connection.protocol !== 'h2c-upgrade') connection.protocol = 'h2';
    } else if (mode === 'http1') {
      state.http1 = new Http1Reader(this.rows, side, { head: (...args) => this.http1Head(...args) });
      if (connection.protocol === 'opaque') connection.protocol = 'http/1.1';
    } else if (mode === 'tls') {
      state.tls = new TlsReader(this.rows, side);
      if (connection.protocol === 'opaque') connection.protocol = 'tls';
    }
  }

  private http1(side: Side, data: Uint8Array, at: number, end: number, offset: number): number {
    const state = this.sides[side];
    const reader = state.http1!;
    const fresh = reader.atBoundary;
    if (fresh && state.mode === 'http1' && this.upgrade?.side === side) {
      // After a request to upgrade, the client's next octets are a preface, or it stays with HTTP/1.1.
      state.mode = 'detect';
      return 0;
    }
    const taken = reader.push(data, at, end, offset);
    if (taken === 0 && state.mode === 'http1') {
      state.opaqueStart ??= reader.openAt ?? offset;
      state.mode = 'opaque';
    }
    return taken;
  }

  private http1Head(side: Side, head: Http1Head, row: number): 'body' | 'no-body' | 'switch' {
    if (head.request) {
      this.requestMethods.push(head.method);
      if (/\bh2c\b/i.test(head.get('upgrade') ?? '') && head.get('http2-settings') !== undefined) {
        this.upgrade = { side, head, row };
      }
      return 'body';
    }
    if (head.status === 101) {
      if (this.upgrade === undefined) {
        this.enter(side, 'opaque'); // WebSocket, say
        return 'switch';
      }
      this.startUpgrade(side, this.upgrade);
      return 'switch';
    }
    if (head.status >= 100 && head.status < 200) return 'no-body';
    const method = this.requestMethods.shift();
    this.upgrade = undefined;
    return method === 'HEAD' || head.status === 204 || head.status === 304 ? 'no-body' : 'body';
  }

  /** RFC 7540 §3.2: HTTP/2 from here on; the request is stream 1, its HTTP2-Settings the client's first SETTINGS. */
  private startUpgrade(server: Side, { side: client, head, row }: { side: Side; head: Http1Head; row: number }): void {
    this.connection.protocol = 'h2c-upgrade';
    this.enter(server, 'h2');
    const settings = decodeBase64Url(head.get('http2-settings') ?? '');
    if (settings !== undefined) this.http2!.upgradeSettings(client, settings);
    this.http2!.upgradeRequest(client, this.requestFields(head), row);
    this.upgrade = undefined;
    const state = this.sides[client];
    if (state.mode === 'http1' && state.http1!.atBoundary) state.mode = 'detect';
  }

  private requestFields(head: Http1Head): number {
    const pairs: [string, string][] = [
      [':method', head.method],
      [':scheme', 'http'],
      [':path', head.target],
      ...head.fields.map(([name, value]): [string, string] =>
        name === 'host' ? [':authority', value] : [name, value],
      ),
    ];
    const numbers = pairs.map(([name, value]) => {
      const n = Uint8Array.from(name, (c) => c.charCodeAt(0));
      const v = Uint8Array.from(value, (c) => c.charCodeAt(0));
      return this.headers.field(n, 0, n.length, v, 0, v.length, knownName(name));
    });
    return this.headers.list(Uint32Array.from(numbers), numbers.length);
  }

  private takeGap(side: Side): void {
    const state = this.sides[side];
    const { offset, length } = state.gap!;
    state.gap = undefined;
    let known = false;
    switch (state.mode) {
      case 'detect':
        this.finishPending(side);
        if (this.http2 === undefined) this.connection.joined = 'middle';
        known = state.mode === 'detect';
        break;
      case 'h2':
        known = state.http2!.gap(length);
        if (!known) this.http2!.lostSync(side);
        break;
      case 'http1':
        known = state.http1!.gap(length);
        if (!known) state.http1!.cut();
        break;
      case 'tls':
        known = state.tls!.gap(length);
        if (!known) state.tls!.cut(offset);
        break;
      case 'opaque':
        this.flushOpaque(side, offset);
        break;
    }
    this.rows.gap(side, offset, length);
    if (!known) {
      state.mode = 'opaque';
      state.chunkStarts = true;
    }
  }

  /** A chunk begins, and what it is was lost: it may begin with a frame or a record. */
  private resume(side: Side, data: Uint8Array, at: number, end: number): boolean {
    const state = this.sides[side];
    if ((state.http2 !== undefined || this.peerIsHttp2(side)) && looksLikeFrames(data, at, end)) {
      if (state.http2 === undefined) this.enter(side, 'h2');
      state.mode = 'h2';
      return true;
    }
    if (state.tls !== undefined && looksLikeTls(data, at, end)) {
      state.mode = 'tls';
      return true;
    }
    return false;
  }

  private flushOpaque(side: Side, end = this.sides[side].end): void {
    const state = this.sides[side];
    if (state.opaqueStart === undefined) return;
    if (end > state.opaqueStart) this.rows.nonFrame('OPAQUE', side, state.opaqueStart, end - state.opaqueStart);
    state.opaqueStart = undefined;
  }
}
