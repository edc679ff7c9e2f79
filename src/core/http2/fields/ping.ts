import { Flag } from '../../../shared/names';
import { namePing } from '../../grpc/pings';
import type { PayloadDescriber } from './types';

const PING_LENGTH = 8;

/** RFC 9113 §6.7; the payload is opaque, but implementations choose payloads that tell them and their purpose. */
export const describePing: PayloadDescriber = (payload, header) => {
  payload.opaque('opaque', 'Opaque data', PING_LENGTH, (octets) => {
    const known = octets.length === PING_LENGTH ? namePing(octets, 0) : undefined;
    const answer = (header.flags & Flag.ACK) !== 0 ? 'echo of ' : '';
    return {
      note: known === undefined ? `${answer}eight octets of the sender's choice` : `${answer}${known.words}`,
      clause: 'RFC 9113 §6.7',
    };
  });
  payload.excess('FRAME_SIZE_ERROR: a PING frame has eight octets of payload', 'RFC 9113 §6.7');
};
