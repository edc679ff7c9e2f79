import type { DetailField } from '../../shared/detail';
import { grouped } from '../timeline/format';
import { hexOf } from './hex-runs';
import { shortened, visibleText } from './visible';

/** Octets that a readout shows at most. */
export const SHOWN_OCTETS = 16;
const MAX_TEXT = 64;
/** Octets that a protocol writes a number with; five to seven would be noise. */
const NUMBER_SIZES: ReadonlySet<number> = new Set([1, 2, 3, 4, 8]);

/** `00 00 00 0b`, cut after so many octets. */
export function octetPreview(octets: Uint8Array, total: number): string {
  const shown = Array.from(octets.subarray(0, SHOWN_OCTETS), hexOf).join(' ');
  return total > SHOWN_OCTETS ? `${shown} …` : shown;
}

/**
 * What a field's octets are by themselves, whatever the frame's type makes of them: an unsigned big-endian number, where
 * they are as many as numbers have, and text where all of it can be printed.
 * @param octets all of them, or the first SHOWN_OCTETS and more
 */
export function readings(octets: Uint8Array, total: number, field: DetailField | undefined): string[] {
  const found: string[] = [];
  if (NUMBER_SIZES.has(total) && octets.length >= total) found.push(numberReading(octets.subarray(0, total), field));
  const text = textReading(octets, total);
  if (text !== undefined) found.push(text);
  return found;
}

/** A 32-bit word whose first bit means something of its own is read as 31 bits (RFC 9113 §4.1, §6.9). */
function numberReading(octets: Uint8Array, field: DetailField | undefined): string {
  let value = 0n;
  for (const octet of octets) value = (value << 8n) | BigInt(octet);
  let bits = octets.length * 8;
  const low = field?.children?.find(({ bit }) => bit !== undefined && bit.from > 0 && bit.to === bits - 1)?.bit;
  const high = field?.children?.[0]?.bit;
  if (low !== undefined && high?.to === low.from - 1 && bits === 32) {
    bits = low.to - low.from + 1;
    value &= (1n << BigInt(bits)) - 1n;
  }
  const digits = String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `u${bits} = ${digits}`;
}

function textReading(octets: Uint8Array, total: number): string | undefined {
  if (octets.length === 0) return undefined;
  let text: string;
  try {
    // The octets' end may be in the middle of a character when there are more.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets, { stream: octets.length < total });
  } catch {
    return undefined;
  }
  if (text === '' || visibleText(text) !== text || text.trim() === '') return undefined;
  return `"${shortened(octets.length < total ? `${text}…` : text, MAX_TEXT)}"`;
}

/** Which octets of the frame a field has: `octets 9 to 12`, counted from the frame's first. */
export function octetsInWords(field: DetailField, n: number): string {
  const spans = field.spans.filter((span) => span.n === n);
  if (spans.length === 0) return 'no octets in this frame';
  const words = spans.map(({ start, end }) =>
    end - start === 1 ? `octet ${grouped(start)}` : `octets ${grouped(start)} to ${grouped(end - 1)}`,
  );
  return field.bit === undefined ? words.join(', ') : `${bitsInWords(field.bit)} of ${words.join(', ')}`;
}

function bitsInWords({ from, to }: { from: number; to: number }): string {
  return from === to ? `bit ${from}` : `bits ${from} to ${to}`;
}
