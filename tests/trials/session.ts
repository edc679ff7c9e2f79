import { MemorySource } from '../../src/main/session/byte-source';
import { Session } from '../../src/main/session/session';
import type { CallRecord, ConnectionRecord, FrameRecord, MessageRecord } from '../../src/shared/records';
import { type Conversation, type ConversationOptions, conversation } from '../support/conversation';
import { chunksOf, hex, PREFACE, settings, settingsAck } from '../support/encode';

/** A capture file read whole, and the records that the command line prints of it. */
export class Trial {
  readonly session: Session;

  /** @param pieces octets of the file that are read at a time; default: all */
  constructor(file: Uint8Array, pieces = file.length) {
    this.session = new Session(new MemorySource(file));
    for (const piece of chunksOf(file, pieces)) this.session.capture.push(piece);
    this.session.capture.end();
  }

  get rows(): FrameRecord[] {
    return Array.from({ length: this.session.frameCount }, (_, i) => this.session.frame(i + 1));
  }

  get calls(): CallRecord[] {
    return Array.from({ length: this.session.callCount }, (_, i) => this.session.call(i));
  }

  get messages(): MessageRecord[] {
    return Array.from({ length: this.session.messageCount }, (_, i) => this.session.message(i));
  }

  get connections(): ConnectionRecord[] {
    return this.session.connections();
  }

  call(stream: number): CallRecord {
    const found = this.calls.filter((call) => call.stream === stream);
    if (found.length !== 1) throw new Error(`${found.length} calls of stream ${stream}`);
    return found[0]!;
  }

  rowsOf(type: string): FrameRecord[] {
    return this.rows.filter((row) => row.type === type);
  }

  /** All that does not depend on how the octets were cut into chunks. */
  get essence(): unknown {
    const rows = this.rows.map(({ chunk: _, chunks: __, tFirst: ___, ...rest }) => rest);
    return { rows, calls: this.calls, messages: this.messages, connections: this.connections };
  }
}

/** `code scope clause` of each fault. */
export function faults(record: Pick<FrameRecord, 'faults'>): string[] {
  return (record.faults ?? []).map(({ code, scope, clause }) => `${code} ${scope} ${clause}`);
}

/** Field 1: "hello". */
export const HELLO = hex('0a 05 68 65 6c 6c 6f');
export const END = { endStream: true };
export const CANCEL = 8;

/** A conversation whose sides have exchanged settings. */
export function opened(options?: ConversationOptions): Conversation {
  return conversation(options)
    .toServer(0.1, PREFACE, settings())
    .toClient(0.11, settings(), settingsAck())
    .toServer(0.12, settingsAck());
}
