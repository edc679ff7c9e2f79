import { describeFrame } from '../../../core/http2/fields';
import type { DetailField } from '../../../shared/detail';
import type { Field } from '../../../shared/fields';
import { grouped } from '../text';

/** The fields of a frame's own octets. @param n the frame's number */
export function frameFields(octets: Uint8Array, n: number): DetailField[] {
  return describeFrame(octets).map((field) => toDetail(field, n));
}

function toDetail(field: Field, n: number): DetailField {
  return {
    id: field.id,
    label: field.label,
    value: typeof field.value === 'number' ? grouped(field.value) : field.value,
    spans: [{ n, start: field.start, end: field.end }],
    ...(field.bit !== undefined && { bit: field.bit }),
    ...(field.note !== undefined && { note: field.note }),
    ...(field.clause !== undefined && { clause: field.clause }),
    ...(field.children !== undefined && { children: field.children.map((child) => toDetail(child, n)) }),
  };
}

/** Where a header block's fragment stands in a frame's octets; undefined when there is none. */
export function fragmentRange(octets: Uint8Array): { start: number; end: number } | undefined {
  const field = describeFrame(octets).find(({ id }) => id === 'fragment');
  return field === undefined ? undefined : { start: field.start, end: field.end };
}
