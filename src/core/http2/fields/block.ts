import { Flag } from '../../../shared/names';
import type { FieldReader } from './reader';
import type { FrameHeader } from './types';

/** The field block fragment that HEADERS, PUSH_PROMISE and CONTINUATION end with (RFC 9113 §4.3). */
export function describeFragment(payload: FieldReader, header: FrameHeader): void {
  const last = (header.flags & Flag.END_HEADERS) !== 0;
  payload.rest('fragment', 'Field block fragment', () => ({
    note: last ? 'HPACK; the field block ends here' : 'HPACK; the field block goes on in CONTINUATION',
    clause: 'RFC 9113 §4.3',
  }));
}
