import type { PayloadDescriber } from './types';

/** A type that no RFC names: ignored and discarded by receivers (RFC 9113 §5.5), shown as octets. */
export const describeRaw: PayloadDescriber = (payload) => {
  payload.rest('payload', 'Payload', () => ({
    note: 'a frame type that is not known here',
    clause: 'RFC 9113 §5.5',
  }));
};
