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
}

/** RFC 9113 §6.5.2's initial values. */
const INITIAL: SettingValues = {
  headerTableSize: 4096,
  enablePush: true,
  maxFrameSize: 16384,
  initialWindowSize: 65535,
};

/** SETTINGS not acknowledged yet that are remembered; more at once is a flood, and the oldest are taken as in force. */
const MAX_PENDING = 256;

/**
 * What one side's SETTINGS say. Between SETTINGS and its acknowledgement the capture cannot tell which values the
 * peer goes by, so the more permissive of both is used (`allows…`).
 */
export class SideSettings {
  /** In force: acknowledged. */
  current: SettingValues = { ...INITIAL };
  private readonly pending: { row: number; values: SettingValues }[] = [];

  constructor(partial: boolean) {
    // Joined in the middle: earlier SETTINGS were not seen; assume what no peer can break.
    if (partial) this.current = { ...INITIAL, maxFrameSize: 0xffffff, headerTableSize: 1 << 20 };
  }

  /** Takes a SETTINGS payload in order; duplicates apply in sequence, so the last counts (RFC 9113 §6.5.3). */
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
          values.enablePush = value !== 0;
          break;
        case Setting.MAX_FRAME_SIZE:
          values.maxFrameSize = value;
          break;
        case Setting.INITIAL_WINDOW_SIZE:
          values.initialWindowSize = value;
          break;
        default:
          break;
      }
    }
    this.pending.push({ row, values });
    if (this.pending.length > MAX_PENDING) this.current = this.pending.shift()!.values;
  }

  /** The peer acknowledged. @returns the row of the SETTINGS that this answers, undefined when none is open. */
  acknowledged(): number | undefined {
    const oldest = this.pending.shift();
    if (oldest === undefined) return undefined;
    this.current = oldest.values;
    return oldest.row;
  }

  get allowsFrameSize(): number {
    return this.largest((values) => values.maxFrameSize);
  }

  get allowsTableSize(): number {
    return this.largest((values) => values.headerTableSize);
  }

  private largest(of: (values: SettingValues) => number): number {
    let largest = of(this.current);
    for (const { values } of this.pending) largest = Math.max(largest, of(values));
    return largest;
  }
}

/** Values that RFC 9113 §6.5.2 rules out. `fromServer` is undefined while the roles are unknown. */
export function checkSettingValues(
  payload: Uint8Array,
  start: number,
  end: number,
  fromServer: boolean | undefined,
): Fault[] {
  const faults: Fault[] = [];
  for (let at = start; at + 6 <= end; at += 6) {
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
