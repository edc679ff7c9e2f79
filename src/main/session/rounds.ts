import type { Capture } from '../../core/capture/capture';
import { type Round, roundsOf } from '../../core/flow/rounds';
import type { Page, Range } from '../../shared/contract';
import type { RoundRecord } from '../../shared/records';
import { page } from './pages';
import type { Payloads } from './payloads';
import { Rounds } from './records/rounds';

/** The rounds of the connection that was last asked for, until the capture goes on. */
export class RoundsCache {
  private kept: { conn: number; key: string; rounds: readonly Round[] } | undefined;

  constructor(
    private readonly capture: Capture,
    private readonly payloads: Payloads,
  ) {}

  /** @param conn from 1; one that is not there has none */
  page(conn: number, range: Range): Page<RoundRecord> {
    const { capture, payloads } = this;
    const key = `${capture.frames.count} ${capture.lastTime} ${capture.ended}`;
    if (this.kept?.conn !== conn || this.kept.key !== key) {
      this.kept = { conn, key, rounds: roundsOf(capture, conn).get(conn) ?? [] };
    }
    const { rounds } = this.kept;
    const records = new Rounds(capture, payloads, conn, rounds);
    return page(range, rounds.length, (i) => records.record(i));
  }
}
