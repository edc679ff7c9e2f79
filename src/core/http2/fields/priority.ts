import type { FieldReader } from './reader';
import type { PayloadDescriber } from './types';

const PRIORITY_LENGTH = 5;

/** RFC 9113 §6.3. The scheme is deprecated (§5.3.1), its frames are still sent. */
export const describePriority: PayloadDescriber = (payload) => {
  describePriorityFields(payload, 'RFC 9113 §6.3');
  payload.excess('FRAME_SIZE_ERROR: a PRIORITY frame has five octets of payload', 'RFC 9113 §6.3');
};

/** Exclusive bit, dependency and weight, under one group `priority`. */
export function describePriorityFields(payload: FieldReader, clause: string): void {
  payload.group('priority', 'Priority', PRIORITY_LENGTH, (inner) => {
    const dependency = inner.word('dependency', 'Stream dependency', [
      {
        id: 'exclusive',
        label: 'Exclusive',
        bits: 1,
        say: (value) => ({
          note: value === 1 ? 'the only dependant; earlier ones move below it' : 'beside the other dependants',
          clause,
        }),
      },
      { id: 'stream', label: 'Depends on stream', bits: 31 },
    ]);
    const weight = inner.uint('weight', 'Weight', 1, (value) => ({ note: `weight ${value + 1} of 256`, clause }));
    const complete = dependency !== undefined && weight !== undefined;
    return {
      value: complete ? `stream ${dependency}, weight ${weight + 1}` : 'incomplete',
      note: 'deprecated since RFC 9113',
      clause: 'RFC 9113 §5.3.1',
    };
  });
}
