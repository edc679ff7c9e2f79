import type { PayloadDescriber } from './types';
import { RESERVED_BIT, sayText } from './words';

/** RFC 9218 §7.1: the prioritized stream and a Priority field value (Structured Fields, as `u=1, i`). */
export const describePriorityUpdate: PayloadDescriber = (payload) => {
  payload.word(
    'prioritized',
    'Prioritized stream',
    [RESERVED_BIT, { id: 'stream', label: 'Prioritized stream identifier', bits: 31 }],
    (value) => ({
      note: value === 0 ? 'PROTOCOL_ERROR: stream 0 has no priority' : 'the request or push that the priority is for',
      clause: 'RFC 9218 §7.1',
    }),
  );
  payload.rest('value', 'Priority field value', (octets) =>
    sayText(octets, {
      note: 'u: urgency 0 (first) to 7, 3 when absent; i: can be used incrementally',
      clause: 'RFC 9218 §4',
    }),
  );
};
