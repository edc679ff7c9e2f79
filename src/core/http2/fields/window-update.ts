import type { PayloadDescriber } from './types';
import { RESERVED_BIT } from './words';

/** RFC 9113 §6.9. */
export const describeWindowUpdate: PayloadDescriber = (payload, header) => {
  const whose = header.stream === 0 ? "the connection's window" : `stream ${header.stream}'s window`;
  const what = `octets that the receiver of this frame may send in addition, on ${whose}`;
  payload.word(
    'increment',
    'Window size increment',
    [RESERVED_BIT, { id: 'octets', label: 'Increment', bits: 31 }],
    (value) => ({
      note: value === 0 ? 'PROTOCOL_ERROR: an increment is 1 to 2,147,483,647' : what,
      clause: 'RFC 9113 §6.9',
    }),
  );
  payload.excess('FRAME_SIZE_ERROR: a WINDOW_UPDATE frame has four octets of payload', 'RFC 9113 §6.9');
};
