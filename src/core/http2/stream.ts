import type { Fault } from '../../shared/records';
import type { MessageParser } from '../grpc/message-parser';
import type { Side } from '../tcp/types';
import { connectionFault, type Http2ErrorName, streamFault } from './faults';

/**
 * RFC 9113 §5.1, seen from the sender of a frame. A stream's state is that of its two halves:
 *
 *     idle             (Idle, Idle)          open                  (Open, Open)
 *     reserved         (Reserved, Ended)     half-closed           (Ended, Open) or (Open, Ended)
 *     closed           (Ended, Ended), or a half that is Reset
 *
 * Only what a side sent itself is held against it: what its peer sent may not have reached it yet.
 */
export const Half = { IDLE: 0, OPEN: 1, ENDED: 2, RESET: 3, RESERVED: 4 } as const;
export type HalfState = (typeof Half)[keyof typeof Half];

/** What a side may send on a stream, as rows of the table below. */
export const Sent = { DATA: 0, HEADERS: 1, RST_STREAM: 2, WINDOW_UPDATE: 3, PRIORITY: 4, PUSH_PROMISE: 5 } as const;
export type SentKind = (typeof Sent)[keyof typeof Sent];

type Rule = undefined | readonly [scope: 'connection' | 'stream', code: Http2ErrorName, clause: string, words: string];

const IDLE_FAULT: Rule = ['connection', 'PROTOCOL_ERROR', '5.1', 'on an idle stream'];
const RESERVED_FAULT: Rule = ['connection', 'PROTOCOL_ERROR', '5.1', 'on a reserved stream'];
const ENDED_FAULT: Rule = ['stream', 'STREAM_CLOSED', '5.1', 'after END_STREAM'];
const RESET_FAULT: Rule = ['stream', 'STREAM_CLOSED', '5.1', "after its sender's own RST_STREAM"];

/** RULES[kind sent][own half]: what is wrong with it, or undefined. */
export const RULES: readonly (readonly Rule[])[] = [
  //                 Idle        Open       Ended        Reset        Reserved
  /* DATA          */ [IDLE_FAULT, undefined, ENDED_FAULT, RESET_FAULT, RESERVED_FAULT],
  /* HEADERS       */ [undefined, undefined, ENDED_FAULT, RESET_FAULT, undefined],
  /* RST_STREAM    */ [IDLE_FAULT, undefined, undefined, undefined, undefined],
  /* WINDOW_UPDATE */ [IDLE_FAULT, undefined, undefined, undefined, RESERVED_FAULT],
  /* PRIORITY      */ [undefined, undefined, undefined, undefined, undefined],
  /* PUSH_PROMISE  */ [IDLE_FAULT, undefined, ENDED_FAULT, RESET_FAULT, RESERVED_FAULT],
];

const SENT_NAMES = ['DATA', 'HEADERS', 'RST_STREAM', 'WINDOW_UPDATE', 'PRIORITY', 'PUSH_PROMISE'] as const;

/** The fault of sending `kind` in state `half`, or undefined. */
export function checkState(kind: SentKind, half: HalfState): Fault | undefined {
  const rule = RULES[kind]![half];
  if (rule === undefined) return undefined;
  const [scope, code, clause, words] = rule;
  const message = `${SENT_NAMES[kind]} ${words}`;
  return scope === 'connection' ? connectionFault(code, clause, message) : streamFault(code, clause, message);
}

/** What is kept of a side's messages while they come; `losses`: losses of octets that they know of. */
export class MessageState {
  /** DATA without HEADERS before it is not to be told (again): some were not understood, or it was told. */
  headersExcused = false;
  /** Final (not 1xx) header list seen: what follows are trailers. */
  headersSeen = false;
  parser: MessageParser | undefined;

  /** @param losses of its side so far */
  constructor(public losses: number) {}
}

type PerSide<T> = readonly [T, T];

/** Shared by all streams that are closed for good: thousands of them are remembered. */
const NO_MESSAGES: PerSide<undefined> = [undefined, undefined];

/** A stream while it is open, and for a while after. */
export class Stream {
  half: [HalfState, HalfState] = [Half.IDLE, Half.IDLE];
  /** By the side whose DATA spends it: its window beyond the initial one. */
  readonly credit: [number, number] = [0, 0];
  /** Row of the call table, or -1. */
  call = -1;
  /** The stream's newest row. */
  lastRow: number;
  /** Which side opened it. */
  opener: Side = 0;
  /** Answers came before the octets that opened it: those had come late, or are missing. */
  early = false;
  /** It counts against SETTINGS_MAX_CONCURRENT_STREAMS until it is closed. */
  active = false;
  /** Its end was taken note of. */
  settled = false;
  /** By side; undefined once no more can come. */
  messages: PerSide<MessageState | undefined>;

  constructor(
    readonly id: number,
    lastRow: number,
    losses: PerSide<number> = [0, 0],
  ) {
    this.lastRow = lastRow;
    this.messages = [new MessageState(losses[0]), new MessageState(losses[1])];
  }

  /** Lets go of what a closed stream needs no more: a half that its peer has reset may still be sent on. */
  release(): void {
    const [first, second] = this.messages;
    const kept: PerSide<MessageState | undefined> = [
      this.half[0] === Half.OPEN ? first : undefined,
      this.half[1] === Half.OPEN ? second : undefined,
    ];
    this.messages = kept[0] === undefined && kept[1] === undefined ? NO_MESSAGES : kept;
  }

  get closed(): boolean {
    const a = this.half[0];
    const b = this.half[1];
    return a === Half.RESET || b === Half.RESET || (a === Half.ENDED && b === Half.ENDED);
  }
}
