import { Flag, FrameType } from '../../shared/names';
import type { FrameTable } from '../capture/frames';
import type { Side } from '../tcp/types';
import { connectionFault } from './faults';
import type { SideState } from './side-state';

/** A header block kept to be decoded, over all its frames. Beyond, it is left undecoded and said so. */
const MAX_BLOCK = 16 << 20;

/** Told when the last frame of a header block has its row. */
export interface HeaderBlockSink {
  /**
   * @param list in the header store; undefined when the block could not be decoded
   * @param promised the stream of a PUSH_PROMISE
   */
  headerBlock(
    side: Side,
    row: number,
    stream: number,
    list: number | undefined,
    endStream: boolean,
    promised: number | undefined,
  ): void;
}

/** Puts header blocks together from HEADERS, PUSH_PROMISE and CONTINUATION, and decodes them (RFC 9113 §4.3). */
export class HeaderBlocks {
  constructor(
    private readonly frames: FrameTable,
    private readonly sides: readonly [SideState, SideState],
    private readonly sink: HeaderBlockSink,
  ) {}

  /** RFC 9113 §4.3, §6.10: nothing may stand between the frames of a header block. */
  checkInterleaving(side: Side, row: number, type: number, id: number): void {
    const own = this.sides[side];
    const { block } = own;
    if (block === undefined || (type === FrameType.CONTINUATION && id === block.stream)) return;
    const words = `inside the header block of stream ${block.stream} only its CONTINUATION may come`;
    this.frames.fault(row, connectionFault('PROTOCOL_ERROR', '6.10', words));
    // HEADERS or PUSH_PROMISE start another block; the open one will never be whole, nor the table it would have made.
    if (type === FrameType.HEADERS || type === FrameType.PUSH_PROMISE) {
      own.block = undefined;
      own.hpack.forget();
    }
  }

  /** A HEADERS or PUSH_PROMISE frame with the fragment `payload[from, to)`; without one when `damaged`. */
  begin(
    side: Side,
    row: number,
    flags: number,
    id: number,
    payload: Uint8Array,
    from: number,
    to: number,
    damaged: boolean,
    endStream: boolean,
    promised: number | undefined,
  ): void {
    if ((flags & Flag.END_HEADERS) !== 0) {
      const list = this.decode(side, row, payload, from, to, damaged);
      this.sink.headerBlock(side, row, id, list, endStream, promised);
      return;
    }
    this.sides[side].block = {
      stream: id,
      rows: [row],
      parts: damaged ? [] : [payload.slice(from, to)],
      length: damaged ? 0 : to - from,
      endStream,
      promised,
      damaged,
    };
  }

  /** A CONTINUATION frame; `damaged` when octets of it were never seen. */
  continuation(
    side: Side,
    row: number,
    flags: number,
    id: number,
    payload: Uint8Array,
    start: number,
    end: number,
    damaged: boolean,
  ): void {
    const own = this.sides[side];
    const open = own.block;
    if (open === undefined || open.stream !== id) {
      if (open === undefined && id !== 0) this.withoutBeginning(own, row, flags);
      return;
    }
    open.rows.push(row);
    open.length += end - start;
    if (!open.damaged && open.length > MAX_BLOCK) {
      const words = `a header block of more than ${MAX_BLOCK >> 20} MiB is left undecoded`;
      this.frames.fault(row, connectionFault('ENHANCE_YOUR_CALM', '10.5.1', words));
    }
    open.damaged ||= damaged || open.length > MAX_BLOCK;
    if (open.damaged) open.parts = [];
    else open.parts.push(payload.slice(start, end));
    if ((flags & Flag.END_HEADERS) === 0) return;
    own.block = undefined;
    this.frames.blocks.set(row, open.rows);
    const whole = joined(open.parts);
    const list = this.decode(side, row, whole, 0, whole.length, open.damaged);
    this.sink.headerBlock(side, row, id, list, open.endStream, open.promised);
  }

  private withoutBeginning(own: SideState, row: number, flags: number): void {
    own.hpack.forget();
    if (own.unsynced) {
      own.unsynced = (flags & Flag.END_HEADERS) === 0;
      return;
    }
    const words = 'CONTINUATION without HEADERS or PUSH_PROMISE before it';
    this.frames.fault(row, connectionFault('PROTOCOL_ERROR', '6.10', words));
  }

  private decode(
    side: Side,
    row: number,
    data: Uint8Array,
    from: number,
    to: number,
    damaged: boolean,
  ): number | undefined {
    const { hpack } = this.sides[side];
    if (damaged) {
      hpack.forget();
      return undefined;
    }
    const list = hpack.decode(data, from, to);
    const { error } = hpack;
    if (error !== undefined) {
      const message = `${error.message} (octet ${error.at} of the block, ${error.clause})`;
      this.frames.fault(row, connectionFault('COMPRESSION_ERROR', '4.3', message));
    }
    return list;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
