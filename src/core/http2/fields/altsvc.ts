import type { PayloadDescriber } from './types';
import { sayText } from './words';

/** RFC 7838 §4: the origin's length, the origin (on stream 0 only), the Alt-Svc field value. */
export const describeAltsvc: PayloadDescriber = (payload, header) => {
  const room = payload.remaining - 2;
  const length = payload.uint('originLength', 'Origin length', 2, (value) => ({
    note: value <= room ? originNote(value, header.stream) : `more than the ${room} octets that follow`,
    clause: 'RFC 7838 §4',
  }));
  if (length === undefined) return;
  payload.opaque('origin', 'Origin', length, (octets) =>
    sayText(octets, { note: 'the origin that the alternatives are for', clause: 'RFC 7838 §4' }),
  );
  payload.rest('value', 'Alt-Svc field value', (octets) =>
    sayText(octets, { note: 'as in an Alt-Svc header field', clause: 'RFC 7838 §3' }),
  );
};

/** On a stream the origin is that stream's and must not be given; on stream 0 it must be. */
function originNote(length: number, stream: number): string {
  if (stream === 0) return length === 0 ? 'no origin on stream 0: the frame is to be ignored' : 'octets of the origin';
  return length === 0 ? "none: the stream's own origin" : 'an origin on a stream: the frame is to be ignored';
}
