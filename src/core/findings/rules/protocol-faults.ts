import type { Fault, FindingRecord } from '../../../shared/records';
import { RowBit } from '../../capture/frames';
import type { Side } from '../../tcp/types';
import { BySide } from '../by-side';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, peerOf } from '../words';
import { isTooLongFrame } from './frame-size';
import { isReversedPrefix } from './reversed-prefix';

interface Group {
  /** The first. */
  fault: Fault;
  clauses: Set<string>;
  marks: Marks;
}

/** Clauses named of one group. */
const MAX_CLAUSES = 6;

/** What a peer did that a rule forbids, by code: those of them that have no finding of their own. */
export const protocolFaults: Rule = ({ capture }) => ({
  *done(): Iterable<FindingRecord> {
    const sides = new BySide(() => new Map<string, Group>());
    const { frames } = capture;
    for (const [row, faults] of frames.faults) {
      for (const fault of faults) {
        if (isTooLongFrame(fault) || isReversedPrefix(fault)) continue;
        const groups = sides.get(frames.conn.get(row), (frames.bits.get(row) & RowBit.SIDE) as Side);
        let group = groups.get(fault.code);
        if (group === undefined) {
          group = { fault, clauses: new Set(), marks: new Marks() };
          groups.set(fault.code, group);
        }
        group.marks.add(row);
        if (group.clauses.size < MAX_CLAUSES) group.clauses.add(fault.clause);
      }
    }
    for (const { conn, side, value } of sides.entries()) {
      const peer = peerOf(capture, conn, side);
      for (const { fault, clauses, marks } of value.values()) {
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
    }
  },
});
