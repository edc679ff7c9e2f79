import { padded } from './padding';
import type { PayloadDescriber } from './types';

/** RFC 9113 §6.1. The whole payload, padding included, spends flow-control window. */
export const describeData: PayloadDescriber = (payload, header) => {
  padded(payload, header, 'RFC 9113 §6.1', () => {
    payload.rest('data', 'Data', (octets) => ({
      note: `${octets.length} octets of the message body`,
      clause: 'RFC 9113 §6.1',
    }));
  });
};
