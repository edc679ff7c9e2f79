import { errorCodeName } from '../../../shared/names';
import { isPrintable, latin1, utf8 } from '../../bytes/text';
import type { BitPart, Said } from './reader';

/** The bit before a stream identifier or an increment (RFC 9113 §4.1). */
export const RESERVED_BIT: BitPart = {
  id: 'reserved',
  label: 'Reserved',
  bits: 1,
  say: (value) => ({
    note: value === 0 ? 'unset, as it must be' : 'must be unset when sent; ignored when received',
    clause: 'RFC 9113 §4.1',
  }),
};

/** What each code of RFC 9113 §7 says of the peer that receives it, by number. */
const ERROR_MEANINGS = [
  'no error: the stream or connection ends in good order',
  'the peer broke the protocol in a way that no other code names',
  'the endpoint met an unexpected internal error',
  'the peer broke the flow-control rules',
  'a SETTINGS frame was not acknowledged in time',
  'a frame came for a stream that was already half-closed',
  'a frame had a size that is not allowed',
  'the stream was refused before anything of it was processed: it can be retried',
  'the stream is not wanted any more',
  'the header compression state cannot be maintained',
  'the connection that a CONNECT request set up was reset or closed abnormally',
  'the peer causes excessive load',
  'the transport does not meet the minimum security demands',
  'the endpoint demands HTTP/1.1 instead',
] as const;

/** An error code's name and meaning (RFC 9113 §7). */
export function sayErrorCode(code: number): Said {
  const meaning = ERROR_MEANINGS[code] ?? 'not defined; to be treated as INTERNAL_ERROR';
  return { note: `${errorCodeName(code)}: ${meaning}`, clause: 'RFC 9113 §7' };
}

/** Octets of text that are shown as a value; the rest is left to the hex view. */
const TEXT_LIMIT = 512;

/** Text when the octets are readable UTF-8, else nothing, so that their hex preview stays. */
export function sayText(octets: Uint8Array, said: Said): Said {
  const whole = octets.length <= TEXT_LIMIT;
  const text = whole ? utf8(octets) : latin1(octets, 0, TEXT_LIMIT);
  if (text === undefined || !isPrintable(text)) return said;
  return { ...said, value: whole ? text : `${text}…` };
}
