import { Setting } from '../../shared/names';

/** SETTINGS not acknowledged that are remembered; of more, the oldest count as acknowledged. */
const MAX_PENDING = 32;
/** Distinct identifiers remembered of a side: there are 65,536, and ten mean something. */
const MAX_KNOWN = 64;

export interface PendingSettings {
  row: number;
  delivered: boolean;
  values: ReadonlyMap<number, number>;
}

/** RFC 9113 §6.5.2: in force until something else is said; undefined for "no limit". */
export const INITIAL_SETTINGS: readonly (readonly [id: number, value: number | undefined])[] = [
  [Setting.HEADER_TABLE_SIZE, 4096],
  [Setting.ENABLE_PUSH, 1],
  [Setting.MAX_CONCURRENT_STREAMS, undefined],
  [Setting.INITIAL_WINDOW_SIZE, 65_535],
  [Setting.MAX_FRAME_SIZE, 16_384],
  [Setting.MAX_HEADER_LIST_SIZE, undefined],
];

/** What one side's SETTINGS say: what its peer has acknowledged, and what it has not yet (RFC 9113 §6.5.3). */
export class StepSideSettings {
  /** Said and acknowledged, by identifier. Values here are never changed in place, so that copies may share them. */
  inForce: ReadonlyMap<number, number> = new Map();
  pending: PendingSettings[] = [];

  clone(): StepSideSettings {
    const copy = new StepSideSettings();
    copy.inForce = this.inForce;
    copy.pending = this.pending.map((each) => ({ ...each }));
    return copy;
  }

  sent(row: number, values: ReadonlyMap<number, number>): void {
    this.pending.push({ row, delivered: false, values });
    if (this.pending.length > MAX_PENDING) this.apply(this.pending.shift()!);
  }

  delivered(row: number): PendingSettings | undefined {
    const found = this.pending.find((each) => each.row === row);
    if (found !== undefined) found.delivered = true;
    return found;
  }

  /** An acknowledgement was sent. @returns what it puts in force; undefined when nothing was pending */
  acknowledged(): PendingSettings | undefined {
    const oldest = this.pending.shift();
    if (oldest !== undefined) this.apply(oldest);
    return oldest;
  }

  /** SETTINGS were lost. */
  lost(): void {
    this.pending = [];
  }

  private apply({ values }: PendingSettings): void {
    if (values.size === 0) return;
    const merged = new Map(this.inForce);
    for (const [id, value] of values) if (merged.has(id) || merged.size < MAX_KNOWN) merged.set(id, value);
    this.inForce = merged;
  }
}

/** Octets of a SETTINGS payload that are looked at: a frame may hold 2.7 million pairs. */
export const SETTINGS_OCTETS = 6 * 4096;

/** Values by identifier, the first 64 of them; of duplicates the last counts (RFC 9113 §6.5.3). */
export function settingValues(payload: Uint8Array): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    const id = (payload[at]! << 8) | payload[at + 1]!;
    const value =
      ((payload[at + 2]! << 24) | (payload[at + 3]! << 16) | (payload[at + 4]! << 8) | payload[at + 5]!) >>> 0;
    if (values.has(id) || values.size < MAX_KNOWN) values.set(id, value);
  }
  return values;
}
