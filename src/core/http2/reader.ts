import { Flag, FrameType } from '../../shared/names';
import type { Connection } from '../capture/connection';
import { type FrameTable, RowBit } from '../capture/frames';
import type { Side } from '../tcp/types';
import type { Http2Connection } from './connection';
import { readU32 } from './frame-checks';

export const FRAME_HEADER_LENGTH = 9;
/** Payload kept of a frame that is no header block; what it means stands in its first octets. */
const MAX_KEPT = 1 << 16;
const EMPTY = new Uint8Array(0);

/**
 * One side's octets as frames (RFC 9113 §4.1). Payload of DATA passes through; other payloads are looked at in place
 * where one call holds them whole, and are collected where not. Any split of the octets gives the same rows.
 */
export class Http2Reader {
  private readonly header = new Uint8Array(FRAME_HEADER_LENGTH);
  private headerSeen = 0;

  // The current frame.
  private inPayload = false;
  private frameOffset = 0;
  private length = 0;
  private type = 0;
  private flags = 0;
  private stream = 0;
  private reserved = false;
  /** Payload octets passed, unseen ones included. */
  private passed = 0;
  private unseen = 0;
  private kept: Uint8Array = EMPTY;
  private keptLength = 0;
  /** DATA: where the content ends before the padding, known with the first octet. */
  private contentStart = 0;
  private contentEnd = 0;

  constructor(
    private readonly connection: Connection,
    private readonly side: Side,
    private readonly frames: FrameTable,
    private readonly http2: Http2Connection,
  ) {}

  /** Whether the next octet begins a frame. */
  get atBoundary(): boolean {
    return !this.inPayload && this.headerSeen === 0;
  }

  /** `data[start, end)` stands at `offset` of the side's stream. */
  push(data: Uint8Array, start: number, end: number, offset: number): void {
    let at = start;
    while (at < end) {
      if (!this.inPayload) {
        if (this.headerSeen === 0) this.frameOffset = offset + (at - start);
        if (this.headerSeen === 0 && end - at >= FRAME_HEADER_LENGTH) {
          this.begin(data, at);
          at += FRAME_HEADER_LENGTH;
        } else {
          this.header[this.headerSeen++] = data[at++]!;
          if (this.headerSeen < FRAME_HEADER_LENGTH) continue;
          this.begin(this.header, 0);
        }
        if (this.length === 0) this.finish(EMPTY, 0, 0);
        continue;
      }
      const taken = Math.min(this.length - this.passed, end - at);
      if (this.type === FrameType.DATA) {
        this.passData(data, at, at + taken);
      } else if (taken === this.length) {
        this.passed = taken;
        this.finish(data, at, at + taken);
        at += taken;
        continue;
      } else {
        this.keep(data, at, at + taken);
      }
      this.passed += taken;
      at += taken;
      if (this.passed === this.length) this.finish(this.kept, 0, Math.min(this.keptLength, this.length));
    }
  }

  private begin(header: Uint8Array, at: number): void {
    this.length = (header[at]! << 16) | (header[at + 1]! << 8) | header[at + 2]!;
    this.type = header[at + 3]!;
    this.flags = header[at + 4]!;
    const word = readU32(header, at + 5);
    this.stream = word & 0x7fffffff;
    this.reserved = word > 0x7fffffff;
    this.headerSeen = 0;
    this.inPayload = true;
    this.passed = 0;
    this.unseen = 0;
    this.keptLength = 0;
    this.contentStart = 0;
    this.contentEnd = this.length;
  }

  /** Padding is left out of the content (RFC 9113 §6.1); where it does not fit, there is no content. */
  private passData(data: Uint8Array, start: number, end: number): void {
    if (this.passed === 0 && (this.flags & Flag.PADDED) !== 0) {
      const padLength = data[start]!;
      this.contentStart = 1;
      this.contentEnd = padLength < this.length ? this.length - padLength : 1;
      this.kept = this.header; // one octet is needed to check the padding
      this.kept[0] = padLength;
      this.keptLength = 1;
    }
    const from = Math.max(start, start + this.contentStart - this.passed);
    const to = Math.min(end, start + this.contentEnd - this.passed);
    if (to > from) this.http2.dataContent(this.side, this.stream, data, from, to);
  }

  private keep(data: Uint8Array, start: number, end: number): void {
    const block =
      this.type === FrameType.HEADERS ||
      this.type === FrameType.CONTINUATION ||
      this.type === FrameType.PUSH_PROMISE ||
      this.type === FrameType.SETTINGS;
    const wanted = Math.min(this.length, block ? this.length : MAX_KEPT);
    const taken = Math.min(end - start, wanted - this.keptLength);
    if (taken <= 0) return;
    if (this.kept === this.header || this.kept.length < this.keptLength + taken) {
      // Grows with what has come, not with what the header claims: a claim costs an attacker nothing.
      const grown = new Uint8Array(Math.min(wanted, Math.max(4096, (this.keptLength + taken) * 2)));
      grown.set(this.kept.subarray(0, this.keptLength));
      this.kept = grown;
    }
    this.kept.set(data.subarray(start, start + taken), this.keptLength);
    this.keptLength += taken;
  }

  private finish(payload: Uint8Array, start: number, end: number): void {
    this.inPayload = false;
    const { side, type, flags, stream, length, connection } = this;
    const complete = this.unseen === 0;
    const row = this.row(RowBit.COMPLETE | (complete ? 0 : RowBit.HOLE));
    connection.count(side, type);
    if (complete) this.http2.frame(side, row, type, flags, stream, length, payload, start, end);
    else this.damaged(row);
    if (this.kept.length > MAX_KEPT) this.kept = EMPTY;
  }

  /** @param bits COMPLETE when the last octet has come, HOLE when some have not */
  private row(bits: number): number {
    const { connection, side } = this;
    const end = this.frameOffset + FRAME_HEADER_LENGTH + this.passed;
    const lastChunk = connection.chunkAt(side, end - 1);
    const firstChunk = connection.firstChunkBefore(side, this.frameOffset, lastChunk);
    const row = this.frames.push(
      firstChunk,
      lastChunk,
      this.frameOffset,
      this.length,
      this.stream,
      this.type,
      this.flags,
      side | (this.reserved ? RowBit.RESERVED : 0) | bits,
      connection.id,
      this.http2.previousRow(this.stream),
    );
    return row;
  }

  private damaged(row: number): void {
    this.frames.bits.set(row, this.frames.bits.get(row) & ~RowBit.COMPLETE);
    this.frames.captured.set(row, FRAME_HEADER_LENGTH + this.passed - this.unseen);
    const passed = this.passed === this.length;
    this.http2.damagedFrame(this.side, row, this.type, this.flags, this.stream, passed);
  }

  /**
   * The next `length` octets are in no packet.
   * @returns false when the frame's end is among them: where the next one begins is unknown
   */
  gap(length: number): boolean {
    if (!this.inPayload) {
      const intact = this.headerSeen === 0;
      this.cut();
      return intact && length === 0;
    }
    const within = Math.min(length, this.length - this.passed);
    if (this.type === FrameType.DATA) this.http2.dataUnseen(this.side, this.stream, this.contentIn(within));
    this.passed += within;
    this.unseen += within;
    if (this.passed < this.length) return true;
    this.finish(EMPTY, 0, 0);
    return within === length;
  }

  private contentIn(count: number): number {
    const from = Math.max(this.passed, this.contentStart);
    return Math.max(0, Math.min(this.passed + count, this.contentEnd) - from);
  }

  /** No more octets come: what there is of a frame gets its row. */
  cut(): void {
    if (this.inPayload) {
      this.inPayload = false;
      const row = this.row(this.unseen === 0 ? 0 : RowBit.HOLE);
      this.connection.count(this.side, this.type);
      this.damaged(row);
    } else if (this.headerSeen > 0) {
      this.cutHeader();
    }
  }

  /** Fewer than nine octets of a frame: what they tell of it. */
  private cutHeader(): void {
    const { header, headerSeen, side, connection } = this;
    header.fill(0, headerSeen);
    this.begin(header, 0);
    this.inPayload = false;
    const end = this.frameOffset + headerSeen;
    const lastChunk = connection.chunkAt(side, end - 1);
    const firstChunk = connection.firstChunkBefore(side, this.frameOffset, lastChunk);
    const row = this.frames.push(
      firstChunk,
      lastChunk,
      this.frameOffset,
      this.length,
      this.stream,
      this.type,
      this.flags,
      side,
      connection.id,
      this.http2.previousRow(this.stream),
    );
    this.frames.captured.set(row, headerSeen);
    connection.count(side, this.type);
  }
}

/**
 * Whether `data[at, end)` can be where a frame begins, for a connection joined in the middle: a registered type with a
 * length, flags and stream that fit it. Every header that lies within is looked at.
 */
export function looksLikeFrames(data: Uint8Array, at: number, end: number): boolean {
  if (end - at < FRAME_HEADER_LENGTH) return false;
  let from = at;
  for (let frames = 0; frames < 8 && end - from >= FRAME_HEADER_LENGTH; frames++) {
    const length = (data[from]! << 16) | (data[from + 1]! << 8) | data[from + 2]!;
    const type = data[from + 3]!;
    const flags = data[from + 4]!;
    const word = readU32(data, from + 5);
    if (!plausible(type, flags, word, length)) return false;
    from += FRAME_HEADER_LENGTH + length;
  }
  return true;
}

/** Flags defined for each type (RFC 9113 §6), and whether it belongs to streams (1), the connection (0) or both (2). */
const SHAPES: Readonly<Record<number, readonly [flags: number, streams: 0 | 1 | 2, min: number, max: number]>> = {
  [FrameType.DATA]: [0x09, 1, 0, 1 << 20],
  [FrameType.HEADERS]: [0x2d, 1, 0, 1 << 20],
  [FrameType.PRIORITY]: [0, 1, 5, 5],
  [FrameType.RST_STREAM]: [0, 1, 4, 4],
  [FrameType.SETTINGS]: [0x01, 0, 0, 6 * 64],
  [FrameType.PUSH_PROMISE]: [0x0c, 1, 4, 1 << 20],
  [FrameType.PING]: [0x01, 0, 8, 8],
  [FrameType.GOAWAY]: [0, 0, 8, 1 << 14],
  [FrameType.WINDOW_UPDATE]: [0, 2, 4, 4],
  [FrameType.CONTINUATION]: [0x04, 1, 0, 1 << 20],
};

function plausible(type: number, flags: number, word: number, length: number): boolean {
  const shape = SHAPES[type];
  if (shape === undefined || word > 0x7fffffff) return false;
  const [allowed, streams, min, max] = shape;
  if ((flags & ~allowed) !== 0 || length < min || length > max) return false;
  if (type === FrameType.SETTINGS && length % 6 !== 0) return false;
  return streams === 2 || (word === 0) === (streams === 0);
}
