import type { Fault } from '../../shared/records';
import { F64Column, U8Column, U32Column } from '../columns';
import { NO_ROW } from './frames';

export const CallKind = { UNKNOWN: 0, GRPC: 1, HTTP: 2 } as const;
export const CallState = { OPEN: 0, CLOSED: 1, RESET: 2 } as const;

/** One row per stream that carried (or was promised) a request: a gRPC call, or a plain HTTP/2 exchange. */
export class CallTable {
  readonly conn = new U32Column();
  readonly stream = new U32Column();
  readonly kind = new U8Column();
  readonly state = new U8Column();
  /** Header lists + 1; 0 while not seen. A trailers-only response has its list in `response`. */
  readonly request = new U32Column();
  readonly response = new U32Column();
  readonly trailers = new U32Column();
  readonly startRow = new U32Column();
  /** The row that ended it for the client: the response's end, or a reset before it. */
  readonly endRow = new U32Column();
  readonly lastRow = new U32Column();
  /** The client's END_STREAM, and the response's first header block; NO_ROW while not seen. */
  readonly requestEndRow = new U32Column();
  readonly responseRow = new U32Column();
  /** RST_STREAM's code + 1. */
  readonly reset = new U32Column();
  readonly unprocessed = new U8Column();
  readonly requestMessages = new U32Column();
  readonly responseMessages = new U32Column();
  /** Of messages with their prefixes, or of a plain body; padding not counted. */
  readonly requestBytes = new F64Column();
  readonly responseBytes = new F64Column();

  get count(): number {
    return this.conn.length;
  }

  push(conn: number, stream: number, startRow: number): number {
    this.stream.push(stream);
    this.kind.push(CallKind.UNKNOWN);
    this.state.push(CallState.OPEN);
    this.request.push(0);
    this.response.push(0);
    this.trailers.push(0);
    this.startRow.push(startRow);
    this.endRow.push(NO_ROW);
    this.lastRow.push(startRow);
    this.requestEndRow.push(NO_ROW);
    this.responseRow.push(NO_ROW);
    this.reset.push(0);
    this.unprocessed.push(0);
    this.requestMessages.push(0);
    this.responseMessages.push(0);
    this.requestBytes.push(0);
    this.responseBytes.push(0);
    return this.conn.push(conn);
  }
}

/** Bits of `MessageTable.bits`. */
export const MessageBit = {
  /** Which TCP side sent it. */
  SIDE: 0x01,
  COMPLETE: 0x02,
  /** Its start was not seen but supposed. */
  ASSUMED: 0x04,
  /** Octets inside were never seen. */
  HOLE: 0x08,
} as const;

/** Messages that faults are kept of, at most: five octets can have one. */
const MAX_FAULTY = 100_000;

/** One row per length-prefixed gRPC message. */
export class MessageTable {
  readonly call = new U32Column();
  readonly bits = new U8Column();
  readonly index = new U32Column();
  /** The compressed flag, as on the wire. */
  readonly flag = new U8Column();
  /** As the prefix says, without the prefix. */
  readonly length = new U32Column();
  /** Octets of the body seen. */
  readonly seen = new U32Column();
  /** Content octets (DATA without padding) of the first row's frame that stand before the prefix. */
  readonly skip = new U32Column();
  readonly firstRow = new U32Column();
  readonly lastRow = new U32Column();
  readonly faults = new Map<number, Fault[]>();

  get count(): number {
    return this.call.length;
  }

  push(call: number, bits: number, index: number, flag: number, length: number, skip: number): number {
    this.bits.push(bits);
    this.index.push(index);
    this.flag.push(flag);
    this.length.push(length);
    this.seen.push(0);
    this.skip.push(skip);
    this.firstRow.push(NO_ROW);
    this.lastRow.push(NO_ROW);
    return this.call.push(call);
  }

  fault(message: number, fault: Fault): void {
    const list = this.faults.get(message);
    if (list !== undefined) list.push(fault);
    else if (this.faults.size < MAX_FAULTY) this.faults.set(message, [fault]);
  }
}
