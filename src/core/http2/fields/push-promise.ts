import { describeFragment } from './block';
import { padded } from './padding';
import type { PayloadDescriber } from './types';
import { RESERVED_BIT } from './words';

/** RFC 9113 §6.6. */
export const describePushPromise: PayloadDescriber = (payload, header) => {
  padded(payload, header, 'RFC 9113 §6.6', () => {
    payload.word(
      'promised',
      'Promised stream',
      [RESERVED_BIT, { id: 'stream', label: 'Promised stream identifier', bits: 31 }],
      (value) => ({
        note:
          value !== 0 && value % 2 === 0
            ? 'reserved by the server for the pushed response'
            : 'PROTOCOL_ERROR: a server promises even streams',
        clause: 'RFC 9113 §6.6',
      }),
    );
    describeFragment(payload, header);
  });
};
