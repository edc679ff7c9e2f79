import { Flag } from '../../../shared/names';
import type { FieldReader } from './reader';
import type { FrameHeader } from './types';

/**
 * Pad length, what `body` reads, padding: for DATA, HEADERS and PUSH_PROMISE (RFC 9113 §6.1, §6.2, §6.6). Padding that
 * does not fit is a PROTOCOL_ERROR; then all that follows the pad length is shown as the body's.
 */
export function padded(payload: FieldReader, header: FrameHeader, clause: string, body: () => void): void {
  if ((header.flags & Flag.PADDED) === 0) {
    body();
    return;
  }
  const room = payload.remaining - 1;
  const padLength = payload.uint('padLength', 'Pad length', 1, (value) => ({
    note: value <= room ? 'octets of padding at the end of the frame' : `PROTOCOL_ERROR: only ${room} octets follow`,
    clause,
  }));
  if (padLength === undefined) return;
  const fits = padLength <= room;
  payload.shortened(fits ? padLength : 0, body);
  if (!fits) return;
  payload.opaque('padding', 'Padding', payload.remaining, (octets) => ({
    note: octets.every((octet) => octet === 0)
      ? 'zeros without meaning; counts towards flow control in DATA'
      : 'must be zeros; a receiver may take this for PROTOCOL_ERROR',
    clause,
  }));
}
