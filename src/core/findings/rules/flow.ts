import type { FindingRecord } from '../../../shared/records';
import type { Rule } from '../given';
import { starvationFindings } from './starvation';
import { windowFindings } from './windows';

/** Connections whose stalls and limits are computed; the first of a capture. */
const MAX_CONNECTIONS = 1000;

/** What stalls tell, connection by connection: they are kept of a few at a time. */
export const flowFindings: Rule = ({ analysis, ...sources }) => ({
  *done(): Iterable<FindingRecord> {
    if (analysis === undefined) return;
    let looked = 0;
    for (const { id, protocol } of sources.capture.connections) {
      if (protocol !== 'h2' && protocol !== 'h2c-upgrade') continue;
      if (looked++ >= MAX_CONNECTIONS) return;
      yield* windowFindings({ ...sources, analysis }, id);
      yield* starvationFindings({ ...sources, analysis }, id);
    }
  },
});
