import type { PayloadDescriber } from './types';
import { sayErrorCode } from './words';

/** RFC 9113 §6.4. */
export const describeRstStream: PayloadDescriber = (payload) => {
  payload.uint('errorCode', 'Error code', 4, sayErrorCode);
  payload.excess('FRAME_SIZE_ERROR: an RST_STREAM frame has four octets of payload', 'RFC 9113 §6.4');
};
