import type { PayloadDescriber } from './types';
import { RESERVED_BIT, sayErrorCode, sayText } from './words';

const LAST_POSSIBLE_STREAM = 2 ** 31 - 1;

/** RFC 9113 §6.8. */
export const describeGoaway: PayloadDescriber = (payload) => {
  payload.word(
    'lastStream',
    'Last stream',
    [RESERVED_BIT, { id: 'stream', label: 'Last stream identifier', bits: 31 }],
    (value) => ({
      note:
        value === LAST_POSSIBLE_STREAM
          ? 'the highest there can be: a graceful shutdown announced, nothing refused yet'
          : 'streams above it that the receiver opened were not processed and can be retried',
      clause: 'RFC 9113 §6.8',
    }),
  );
  payload.uint('errorCode', 'Error code', 4, sayErrorCode);
  payload.rest('debug', 'Debug data', (octets) =>
    sayText(octets, { note: 'for diagnosis only; no meaning in the protocol', clause: 'RFC 9113 §6.8' }),
  );
};
