import { decodeBase64Url } from '../bytes/base64url';
import type { CallTracker } from '../grpc/call-tracker';
import type { HeaderStore } from '../hpack/header-store';
import type { Http1Head } from '../http1/head';
import { Http1Reader } from '../http1/reader';
import { Http2Connection } from '../http2/connection';
import { Http2Reader } from '../http2/reader';
import type { Side } from '../tcp/types';
import { TlsReader } from '../tls/reader';
import type { Connection } from './connection';
import { CONNECTION_PREFACE, type DetectContext, type Detected, detect, detectAgain, type Role } from './detect';
import type { FrameTable } from './frames';
import { Http1Exchange, requestList } from './http1-exchange';
import { RowWriter } from './rows';

const PREFACE_LENGTH = CONNECTION_PREFACE.length;
const PREFACE_FIRST = CONNECTION_PREFACE[0]!;

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
  /** Octets were lost, so that it is not known what the next ones belong to. */
  lost = false;
  /** Where it was last looked whether HTTP/2 begins behind an HTTP/1.1 message. */
  lookedAt = -1;
  /** The answer to this side's request ended HTTP/1.1: what follows the message that is still being sent. */
  next: 'detect' | 'opaque' | undefined;
}

/** What one TCP connection's octets are: HTTP/2, HTTP/1.1 that may turn into it, TLS, or something else. */
export class ConnectionDecoder {
  http2: Http2Connection | undefined;
  private readonly sides: [SideDecoder, SideDecoder] = [new SideDecoder(), new SideDecoder()];
  private readonly rows: RowWriter;
  private readonly exchange = new Http1Exchange();
  /** An answer ended HTTP/1.1: another protocol follows. */
  private http1Over = false;

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
    const state = this.sides[side];
    if (state.gap === undefined) state.gap = { offset, length };
    else state.gap.length += length;
    state.end = offset + length;
  }

  /** No more octets come on either side. */
  finish(): void {
    this.finishSide(0);
    this.finishSide(1);
  }

  private finishSide(side: Side): void {
    const state = this.sides[side];
    if (state.gap !== undefined) this.takeGap(side);
    if (state.mode === 'detect') this.finishPending(side);
    else this.cut(side, state.end);
    this.flushOpaque(side);
  }

  /**
   * What there is of a frame, head or record gets its row. Octets may still follow (behind a hole, or after a reset):
   * where the next one begins is then to be found out.
   */
  private cut(side: Side, end: number): void {
    const state = this.sides[side];
    switch (state.mode) {
      case 'h2':
        if (state.http2!.atBoundary) return;
        state.http2!.cut();
        break;
      case 'http1':
        state.http1!.flushPiece();
        if (state.http1!.openAt === undefined) return;
        state.http1!.cut();
        break;
      case 'tls':
        if (state.tls!.openAt === undefined) return;
        state.tls!.cut(end);
        break;
      case 'detect':
      case 'opaque':
        return;
    }
    state.mode = 'opaque';
    state.lost = true;
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
      if (this.peerIsHttp2(side)) this.enter(side, 'h2');
      else if (state.lookedAt === pendingOffset) state.mode = 'http1';
      else this.enter(side, 'opaque');
      this.route(side, pending, 0, pendingLength, pendingOffset);
      this.cut(side, pendingOffset + pendingLength);
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
          at += state.tls!.push(data, at, end, here);
          if (at < end) {
            state.opaqueStart = state.tls!.recordOffset;
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

  private context(side: Side): DetectContext {
    return {
      role: this.role(side),
      fromStart: this.connection.joined === 'start',
      peerIsHttp2: this.peerIsHttp2(side),
    };
  }

  private role(side: Side): Role {
    const { client } = this.connection;
    return client === undefined ? 'unknown' : client === side ? 'client' : 'server';
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
        if (this.sides[side].lookedAt === offset) this.sides[side].mode = 'http1';
        else this.enter(side, detected);
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
    if (reader.atBoundary) {
      if (state.next !== undefined) {
        state.mode = state.next;
        state.next = undefined;
        return 0;
      }
      // A preface, or a frame: its length begins with 0, which no HTTP/1.1 message does.
      if (state.lookedAt !== offset && (data[at] === PREFACE_FIRST || data[at] === 0)) {
        state.lookedAt = offset;
        state.mode = 'detect';
        return 0;
      }
    }
    const taken = reader.push(data, at, end, offset);
    if (taken === 0 && state.mode === 'http1') {
      state.opaqueStart = reader.openAt ?? offset;
      state.http1 = undefined;
      state.mode = 'opaque';
    }
    return taken;
  }

  private http1Head(side: Side, head: Http1Head, row: number): 'body' | 'no-body' | 'switch' {
    const { exchange } = this;
    const after = head.request ? exchange.request(head, row) : exchange.response(head);
    const other = (side ^ 1) as Side;
    if (after === 'body' || after === 'no-body') return after;
    this.http1Over = true;
    switch (after) {
      case 'upgrade':
        this.startUpgrade(side);
        this.leaveHttp1(other, 'detect');
        return 'switch';
      case 'tunnel':
        this.sides[side].mode = 'detect';
        this.leaveHttp1(other, 'detect');
        return 'switch';
      case 'other':
        this.sides[side].mode = 'opaque';
        this.leaveHttp1(other, 'opaque');
        return 'switch';
    }
  }

  /** The server's answer ended HTTP/1.1; the client's side follows when its request is whole. */
  private leaveHttp1(client: Side, next: 'detect' | 'opaque'): void {
    const state = this.sides[client];
    if (state.mode === 'http1') state.next = next;
  }

  /** RFC 7540 §3.2: HTTP/2 from here on; the request is stream 1, its HTTP2-Settings the client's first SETTINGS. */
  private startUpgrade(server: Side): void {
    const { head, row } = this.exchange.asked!;
    const client = (server ^ 1) as Side;
    this.exchange.asked = undefined;
    this.connection.protocol = 'h2c-upgrade';
    this.enter(server, 'h2');
    const settings = decodeBase64Url(head.get('http2-settings') ?? '');
    if (settings !== undefined) this.http2!.upgradeSettings(client, settings);
    this.http2!.upgradeRequest(client, requestList(this.headers, head), row);
  }

  private takeGap(side: Side): void {
    const state = this.sides[side];
    const { offset, length } = state.gap!;
    state.gap = undefined;
    let known = false;
    switch (state.mode) {
      case 'detect':
        this.finishPending(side);
        if (this.http2 === undefined) {
          this.connection.joined = 'middle';
          known = state.mode === 'detect';
        } else {
          // The side speaks HTTP/2 as its peer does, but where a frame begins is to be found out.
          this.http2.lostSync(side);
        }
        break;
      case 'h2':
        known = state.http2!.gap(length);
        if (!known) this.http2!.lostSync(side);
        break;
      case 'http1':
        known = state.http1!.gap(length);
        break;
      case 'tls':
        known = state.tls!.gap(length);
        break;
      case 'opaque':
        break;
    }
    if (!known) {
      this.cut(side, offset);
      this.flushOpaque(side, offset);
      state.mode = 'opaque';
      state.lost = true;
      state.chunkStarts = true;
    }
    this.rows.gap(side, offset, length);
  }

  /** A chunk begins, and what it is was lost or not seen: it may begin with a frame, a record or a head. */
  private resume(side: Side, data: Uint8Array, at: number, end: number): boolean {
    const state = this.sides[side];
    const peer = this.sides[side ^ 1]!;
    const { connection } = this;
    const unknown = connection.joined === 'middle' && connection.protocol === 'opaque';
    const { lost } = state;
    const mode = detectAgain(data, at, end, {
      role: this.role(side),
      http2: unknown || state.http2 !== undefined || peer.http2 !== undefined,
      tls: unknown || (lost && (state.tls !== undefined || peer.tls !== undefined)),
      http1: unknown || (lost && !this.http1Over && (state.http1 !== undefined || peer.http1 !== undefined)),
    });
    if (mode === undefined) return false;
    if (mode === 'h2' && state.http2 !== undefined) state.mode = mode;
    else this.enter(side, mode);
    return true;
  }

  private flushOpaque(side: Side, end = this.sides[side].end): void {
    const state = this.sides[side];
    if (state.opaqueStart === undefined) return;
    if (end > state.opaqueStart) this.rows.nonFrame('OPAQUE', side, state.opaqueStart, end - state.opaqueStart);
    state.opaqueStart = undefined;
  }
}
