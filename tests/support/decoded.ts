import { CallKind, CallState, MessageBit } from '../../src/core/capture/calls';
import { Capture } from '../../src/core/capture/capture';
import type { Connection } from '../../src/core/capture/connection';
import { NO_ROW, RowBit } from '../../src/core/capture/frames';
import { frameTypeName, NON_FRAME_KINDS } from '../../src/shared/names';
import type { Direction, Fault, Protocol } from '../../src/shared/records';
import { chunksOf } from './octets';

export interface DecodedRow {
  n: number;
  conn: number;
  dir: Direction;
  type: string;
  stream: number;
  length: number;
  flagBits: number;
  reserved: boolean;
  offset: number;
  complete: boolean;
  headers?: [name: string, value: string | null][];
  faults: Fault[];
}

export interface DecodedCall {
  conn: number;
  stream: number;
  kind: 'unknown' | 'grpc' | 'http';
  state: 'open' | 'closed' | 'reset';
  request: [string, string | null][] | undefined;
  response: [string, string | null][] | undefined;
  trailers: [string, string | null][] | undefined;
  unprocessed: boolean;
  messages: [requests: number, responses: number];
  bytes: [requests: number, responses: number];
}

export interface DecodedMessage {
  stream: number;
  dir: Direction;
  index: number;
  flag: number;
  length: number;
  seen: number;
  complete: boolean;
  assumed: boolean;
  /** Numbers of its first and last frame. */
  frames: [first: number, last: number];
  faults: Fault[];
}

/** The tables of a capture as plain objects, so that a test can say what it expects of them. */
export class Decoded {
  private constructor(readonly capture: Capture) {}

  /** @param pieces octets that the reader is given at a time; default: the file at once */
  static of(file: Uint8Array, pieces = file.length): Decoded {
    const capture = new Capture();
    for (const piece of chunksOf(file, pieces)) capture.push(piece);
    capture.end();
    return new Decoded(capture);
  }

  get rows(): DecodedRow[] {
    return Array.from({ length: this.capture.frames.count }, (_, i) => this.row(this.capture.rowOf(i + 1)));
  }

  /** Rows of frames, without the preface and the like. */
  get frames(): DecodedRow[] {
    return this.rows.filter(({ n }) => !this.capture.frames.isNonFrame(this.capture.rowOf(n)));
  }

  get protocols(): Protocol[] {
    return this.capture.connections.map(({ protocol }) => protocol);
  }

  get calls(): DecodedCall[] {
    const { calls } = this.capture;
    return Array.from({ length: calls.count }, (_, call) => ({
      conn: calls.conn.get(call),
      stream: calls.stream.get(call),
      kind: named(CallKind, calls.kind.get(call)),
      state: named(CallState, calls.state.get(call)),
      request: this.list(calls.request.get(call)),
      response: this.list(calls.response.get(call)),
      trailers: this.list(calls.trailers.get(call)),
      unprocessed: calls.unprocessed.get(call) === 1,
      messages: [calls.requestMessages.get(call), calls.responseMessages.get(call)],
      bytes: [calls.requestBytes.get(call), calls.responseBytes.get(call)],
    }));
  }

  /** The call of a stream of the first connection. */
  call(stream: number): DecodedCall {
    const found = this.calls.filter((call) => call.conn === 1 && call.stream === stream);
    if (found.length !== 1) throw new Error(`${found.length} calls of stream ${stream}`);
    return found[0]!;
  }

  get messages(): DecodedMessage[] {
    const { messages, calls, connections } = this.capture;
    return Array.from({ length: messages.count }, (_, message) => {
      const call = messages.call.get(message);
      const bits = messages.bits.get(message);
      return {
        stream: calls.stream.get(call),
        dir: direction(connections[calls.conn.get(call) - 1]!, bits & MessageBit.SIDE),
        index: messages.index.get(message),
        flag: messages.flag.get(message),
        length: messages.length.get(message),
        seen: messages.seen.get(message),
        complete: (bits & MessageBit.COMPLETE) !== 0,
        assumed: (bits & MessageBit.ASSUMED) !== 0,
        frames: [this.number(messages.firstRow.get(message)), this.number(messages.lastRow.get(message))],
        faults: messages.faults.get(message) ?? [],
      };
    });
  }

  private row(row: number): DecodedRow {
    const { frames, connections } = this.capture;
    const bits = frames.bits.get(row);
    const type = frames.type.get(row);
    const nonFrame = frames.isNonFrame(row);
    const list = nonFrame || ![0x01, 0x05, 0x09].includes(type) ? 0 : frames.aux.get(row);
    const headers = this.list(list);
    return {
      n: this.capture.numberOf(row),
      conn: frames.conn.get(row),
      dir: direction(connections[frames.conn.get(row) - 1]!, bits & RowBit.SIDE),
      type: nonFrame ? NON_FRAME_KINDS[type]! : frameTypeName(type),
      stream: frames.stream.get(row),
      length: frames.length.get(row),
      flagBits: frames.flags.get(row),
      reserved: (bits & RowBit.RESERVED) !== 0,
      offset: frames.offset.get(row),
      complete: (bits & RowBit.COMPLETE) !== 0,
      ...(headers === undefined ? {} : { headers }),
      faults: frames.faults.get(row) ?? [],
    };
  }

  /** @param list a header list + 1, or 0 for none */
  private list(list: number): [string, string | null][] | undefined {
    if (list === 0) return undefined;
    const { headers } = this.capture;
    return Array.from({ length: headers.listLength(list - 1) }, (_, i) => {
      const field = headers.fieldOf(list - 1, i);
      return [headers.name(field), headers.value(field)];
    });
  }

  private number(row: number): number {
    return row === NO_ROW ? 0 : this.capture.numberOf(row);
  }
}

function direction(connection: Connection, side: number): Direction {
  return side === connection.clientSide ? 'toServer' : 'toClient';
}

function named<Name extends string>(map: Readonly<Record<Name, number>>, value: number): Lowercase<Name> {
  const entry = Object.entries(map).find(([, number]) => number === value);
  return entry![0].toLowerCase() as Lowercase<Name>;
}
