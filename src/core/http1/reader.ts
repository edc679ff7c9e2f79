import type { RowWriter } from '../capture/rows';
import type { Side } from '../tcp/types';
import { type Http1Head, parseHead } from './head';

/** A head longer than this is no head. */
const MAX_HEAD = 256 << 10;
/** A chunk-size line, with its extensions. */
const MAX_SIZE_LINE = 4096;

/** Told by the reader, for what concerns both sides. */
export interface Http1Events {
  /** A request's or response's head is complete. @returns how the side goes on: `switch` leaves HTTP/1.1. */
  head(side: Side, head: Http1Head, row: number): 'body' | 'no-body' | 'switch';
}

type Mode = 'head' | 'fixed' | 'until-close' | 'chunk-size' | 'chunk-data' | 'chunk-trailers';

/** One side's octets as HTTP/1.1 messages (RFC 9112): a row for each head, and one for each piece of body in a chunk. */
export class Http1Reader {
  private mode: Mode = 'head';
  private line: number[] = [];
  private headOffset = 0;
  private remaining = 0;
  /** Where the current piece of body begins; undefined when there is none. */
  private pieceStart: number | undefined;
  private pieceEnd = 0;

  constructor(
    private readonly rows: RowWriter,
    private readonly side: Side,
    private readonly events: Http1Events,
  ) {}

  /** Whether the next octet begins a head. */
  get atBoundary(): boolean {
    return this.mode === 'head' && this.line.length === 0;
  }

  /** @returns the octets taken: fewer than given where the side leaves HTTP/1.1 behind this head or body. */
  push(data: Uint8Array, start: number, end: number, offset: number): number {
    let at = start;
    while (at < end) {
      const here = offset + (at - start);
      if (this.mode === 'head') {
        if (this.line.length === 0) this.headOffset = here;
        this.line.push(data[at++]!);
        if (endsHead(this.line)) {
          if (this.headDone(here + 1) === 'switch') return at - start;
          if (this.atBoundary) return at - start; // the caller looks again at what comes next
        } else if (this.line.length > MAX_HEAD) {
          return 0;
        }
        continue;
      }
      this.pieceStart ??= here;
      const taken = this.body(data, at, end);
      at += taken;
      this.pieceEnd = offset + (at - start);
      if (this.atBoundary) {
        this.flushPiece();
        return at - start;
      }
    }
    return end - start;
  }

  /** @returns octets taken. */
  private body(data: Uint8Array, at: number, end: number): number {
    switch (this.mode) {
      case 'until-close':
        return end - at;
      case 'fixed':
      case 'chunk-data': {
        const taken = Math.min(this.remaining, end - at);
        this.bodyOctets(taken);
        return taken;
      }
      case 'chunk-size':
      case 'chunk-trailers':
        this.sizeLine(data[at]!);
        return 1;
      case 'head':
        return 0;
    }
  }

  /** Octets of a body, or of one of its chunks, whose number is known. */
  private bodyOctets(count: number): void {
    this.remaining -= count;
    if (this.remaining === 0) this.mode = this.mode === 'fixed' ? 'head' : 'chunk-size';
  }

  private sizeLine(octet: number): void {
    if (this.line.length < MAX_SIZE_LINE) this.line.push(octet);
    if (octet !== 0x0a) return;
    const text = String.fromCharCode(...this.line).trim();
    this.line = [];
    if (this.mode === 'chunk-trailers') {
      if (text === '') this.mode = 'head';
      return;
    }
    if (text === '') return; // the line end behind a chunk's data
    const size = /^[0-9a-fA-F]{1,12}/.exec(text);
    if (size === null) {
      this.mode = 'until-close'; // not a chunk: where the body ends is unknown
    } else {
      this.remaining = Number.parseInt(size[0], 16);
      this.mode = this.remaining === 0 ? 'chunk-trailers' : 'chunk-data';
    }
  }

  private headDone(end: number): 'body' | 'no-body' | 'switch' {
    const head = parseHead(Uint8Array.from(this.line));
    this.line = [];
    const row = this.rows.nonFrame('HTTP1', this.side, this.headOffset, end - this.headOffset);
    const next = this.events.head(this.side, head, row);
    if (next === 'body') this.beginBody(head);
    return next;
  }

  /** RFC 9112 §6.3. */
  private beginBody(head: Http1Head): void {
    if (/\bchunked\b/i.test(head.get('transfer-encoding') ?? '')) {
      this.mode = 'chunk-size';
    } else if (head.get('content-length') !== undefined) {
      this.remaining = Number.parseInt(head.get('content-length')!, 10) || 0;
      this.mode = this.remaining > 0 ? 'fixed' : 'head';
    } else {
      this.mode = head.request ? 'head' : 'until-close';
    }
  }

  /** A chunk has ended: its piece of body gets its row. */
  flushPiece(): void {
    if (this.pieceStart === undefined) return;
    this.rows.nonFrame('HTTP1', this.side, this.pieceStart, this.pieceEnd - this.pieceStart);
    this.pieceStart = undefined;
  }

  /** Offset of a head's beginning that has no row yet, or undefined. */
  get openAt(): number | undefined {
    return this.mode === 'head' && this.line.length > 0 ? this.headOffset : undefined;
  }

  /** @returns false when more than body octets of known number are missing. */
  gap(length: number): boolean {
    this.flushPiece();
    if (this.mode === 'until-close') return true;
    if ((this.mode !== 'fixed' && this.mode !== 'chunk-data') || length > this.remaining) return false;
    this.bodyOctets(length);
    return true;
  }

  cut(): void {
    this.flushPiece();
    if (this.openAt !== undefined) this.rows.nonFrame('HTTP1', this.side, this.headOffset, this.line.length, false);
    this.line = [];
  }
}

/** An empty line ends a head; a bare LF is tolerated (RFC 9112 §2.2). */
function endsHead(line: number[]): boolean {
  const { length } = line;
  if (line[length - 1] !== 0x0a) return false;
  return line[length - 2] === 0x0a || (line[length - 2] === 0x0d && line[length - 3] === 0x0a);
}
