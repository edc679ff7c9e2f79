import { Setting } from '../../shared/names';
import type { Fault } from '../../shared/records';
import { connectionFault } from './faults';
import { readU32 } from './frame-checks';

/** Values that bind the peer of the side that sent them. */
export interface SettingValues {
  headerTableSize: number;
  enablePush: boolean;
  maxFrameSize: number;
  initialWindowSize: number;
  maxConcurrentStreams: number;
}

/** RFC 9113 §6.5.2's initial values. */
const INITIAL: SettingValues = {
  headerTableSize: 4096,
  enablePush: true,
  maxFrameSize: 16384,
  initialWindowSize: 65535,
  maxConcurrentStreams: Number.POSITIVE_INFINITY,
};

/** Where SETTINGS may not have been seen: what no peer can go beyond. */
const UNSEEN: SettingValues = {
  ...INITIAL,
  maxFrameSize: 0xffffff,
  headerTableSize: 1 << 20,
  initialWindowSize: 0x7fffffff,
};

/** SETTINGS not acknowledged yet that are remembered; more at once is a flood, and the oldest are taken as in force. */
const MAX_PENDING = 32;

/**
 * What one side's SETTINGS say. Between SETTINGS and its acknowledgement the capture cannot tell which values the
 * peer goes by, so the more permissive of both is used (`allows…`).
 */
export class SideSettings {
  /** In force: acknowledged. */
  current: SettingValues;
  private readonly pending: { row: number; values: SettingValues }[] = [];

  allowsFrameSize = INITIAL.maxFrameSize;
  allowsTableSize = INITIAL.headerTableSize;
  allowsStreams = INITIAL.maxConcurrentStreams;
  allowsPush = INITIAL.enablePush;
  allowsInitialWindow = INITIAL.initialWindowSize;

  /** @param partial the connection was joined in the middle */
  constructor(partial: boolean) {
    this.current = partial ? { ...UNSEEN } : { ...INITIAL };
    this.permit();
  }

  /**
   * Takes a SETTINGS payload in order; duplicates apply in sequence, so the last counts (RFC 9113 §6.5.3). Values that
   * are not allowed are not taken: they would make faults of all that follows.
   */
  sent(row: number, payload: Uint8Array, start: number, end: number): void {
    const latest = this.pending[this.pending.length - 1]?.values ?? this.current;
    const values = { ...latest };
    for (let at = start; at + 6 <= end; at += 6) {
      const value = readU32(payload, at + 2);
      switch ((payload[at]! << 8) | payload[at + 1]!) {
        case Setting.HEADER_TABLE_SIZE:
          values.headerTableSize = value;
          break;
        case Setting.ENABLE_PUSH:
          if (value <= 1) values.enablePush = value === 1;
          break;
        case Setting.MAX_FRAME_SIZE:
          if (value >= 16384 && value <= 0xffffff) values.maxFrameSize = value;
          break;
        case Setting.INITIAL_WINDOW_SIZE:
          if (value <= 0x7fffffff) values.initialWindowSize = value;
          break;
        case Setting.MAX_CONCURRENT_STREAMS:
          values.maxConcurrentStreams = value;
          break;
        default:
          break;
      }
    }
    this.pending.push({ row, values });
    if (this.pending.length > MAX_PENDING) this.current = this.pending.shift()!.values;
    this.permit();
  }

  /** The peer acknowledged. @returns the row of the SETTINGS that this answers, undefined when none is open. */
  acknowledged(): number | undefined {
    const oldest = this.pending.shift();
    if (oldest === undefined) return undefined;
    this.current = oldest.values;
    this.permit();
    return oldest.row;
  }

  /** SETTINGS were lost: from here on, all is allowed that they may have allowed. */
  lost(): void {
    this.current = { ...UNSEEN };
    this.pending.length = 0;
    this.permit();
  }

  /** What the peer may use, whichever of the values in force or in flight it goes by. Looked at for every frame. */
  private permit(): void {
    const { current } = this;
    let { maxFrameSize, headerTableSize, maxConcurrentStreams, enablePush, initialWindowSize } = current;
    for (const { values } of this.pending) {
      maxFrameSize = Math.max(maxFrameSize, values.maxFrameSize);
      headerTableSize = Math.max(headerTableSize, values.headerTableSize);
      maxConcurrentStreams = Math.max(maxConcurrentStreams, values.maxConcurrentStreams);
      enablePush ||= values.enablePush;
      initialWindowSize = Math.max(initialWindowSize, values.initialWindowSize);
    }
    this.allowsFrameSize = maxFrameSize;
    this.allowsTableSize = headerTableSize;
    this.allowsStreams = maxConcurrentStreams;
    this.allowsPush = enablePush;
    this.allowsInitialWindow = initialWindowSize;
  }
}

/** Faults told of one SETTINGS frame at most; a frame may hold 2.7 million pairs. */
const MAX_VALUE_FAULTS = 16;

/** Values that RFC 9113 §6.5.2 rules out. `fromServer` is undefined while the roles are unknown. */
export function checkSettingValues(
  payload: Uint8Array,
  start: number,
  end: number,
  fromServer: boolean | undefined,
): Fault[] {
  const faults: Fault[] = [];
  for (let at = start; at + 6 <= end && faults.length < MAX_VALUE_FAULTS; at += 6) {
    const id = (payload[at]! << 8) | payload[at + 1]!;
    const value = readU32(payload, at + 2);
    if (id === Setting.ENABLE_PUSH) {
      if (value > 1) {
        faults.push(connectionFault('PROTOCOL_ERROR', '6.5.2', `ENABLE_PUSH is 0 or 1, not ${value}`));
      } else if (value === 1 && fromServer === true) {
        faults.push(connectionFault('PROTOCOL_ERROR', '6.5.2', 'a server must not set ENABLE_PUSH to 1'));
      }
    } else if (id === Setting.INITIAL_WINDOW_SIZE && value > 0x7fffffff) {
      faults.push(connectionFault('FLOW_CONTROL_ERROR', '6.5.2', `INITIAL_WINDOW_SIZE ${value} is above 2^31-1`));
    } else if (id === Setting.MAX_FRAME_SIZE && (value < 16384 || value > 0xffffff)) {
      faults.push(
        connectionFault('PROTOCOL_ERROR', '6.5.2', `MAX_FRAME_SIZE ${value} is outside 16,384 to 16,777,215`),
      );
    }
  }
  return faults;
}

/** The last SETTINGS_INITIAL_WINDOW_SIZE of a payload (RFC 9113 §6.5.3: values apply in order). */
export function initialWindowIn(payload: Uint8Array, start: number, end: number): number | undefined {
  return lastValueOf(Setting.INITIAL_WINDOW_SIZE, payload, start, end);
}

/** A setting's last value in a payload; undefined when it is not in it. */
export function lastValueOf(id: number, payload: Uint8Array, start: number, end: number): number | undefined {
  let value: number | undefined;
  for (let at = start; at + 6 <= end; at += 6) {
    if (((payload[at]! << 8) | payload[at + 1]!) === id) value = readU32(payload, at + 2);
  }
  return value;
}

/** Identifiers and values in order, for telling implementations apart: the first 64. */
export function settingPairs(payload: Uint8Array, start: number, end: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = start; at + 6 <= end && pairs.length < 64; at += 6) {
    pairs.push([(payload[at]! << 8) | payload[at + 1]!, readU32(payload, at + 2)]);
  }
  return pairs;
}
