import type { Fault, FindingRecord } from '../../../shared/records';
import { RowBit } from '../../capture/frames';
import type { Side } from '../../tcp/types';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf } from '../words';
import { isTooLongFrame } from './frame-size';
import { isReversedPrefix } from './reversed-prefix';

interface Group {
  conn: number;
  side: Side;
  fault: Fault;
  clauses: Set<string>;
  marks: Marks;
}

/** Clauses named of one group. */
const MAX_CLAUSES = 6;

/** What a peer did that a rule forbids, by code: those of them that have no finding of their own. */
export const protocolFaults: Rule = ({ capture }) => ({
  *done(): Iterable<FindingRecord> {
    const groups = new Map<string, Group>();
    const { frames } = capture;
    for (const [row, faults] of frames.faults) {
      for (const fault of faults) {
        if (isTooLongFrame(fault) || isReversedPrefix(fault)) continue;
        const conn = frames.conn.get(row);
        const side = (frames.bits.get(row) & RowBit.SIDE) as Side;
        const key = `${conn} ${side} ${fault.code}`;
        let group = groups.get(key);
        if (group === undefined) {
          group = { conn, side, fault, clauses: new Set(), marks: new Marks() };
          groups.set(key, group);
        }
        group.marks.add(row);
        if (group.clauses.size < MAX_CLAUSES) group.clauses.add(fault.clause);
      }
    }
    for (const { conn, side, fault, clauses, marks } of groups.values()) {
      const peer = peerOf(capture, conn, side);
      yield {
        id: 'protocol-fault',
        severity: 'error',
        conn,
        title: `${counted(marks.count, 'fault')} of the ${peer}: ${fault.code}`,
        detail: `The first: ${fault.message}. Rules that were broken: ${[...clauses].join(', ')}.`,
        advice: `Mend the ${peer}, or what stands between it and its peer: a peer that keeps to the rule may reset the stream or close the connection.`,
        source: [...clauses].join('; '),
        evidence: marks.numbers(capture),
        numbers: { faults: marks.count },
      };
    }
  },
});
