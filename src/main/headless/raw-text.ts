import type { RawField } from '../../core/protobuf/raw-types';
import { visible } from '../session/text';

/** A message without schema in one line, by the likeliest reading of each field: `1: "demo", 2: {1: 5}`. */
export function rawText(fields: readonly RawField[]): string {
  return fields.map((field) => `${field.number}: ${valueText(field)}`).join(', ');
}

function valueText({ readings, value }: RawField): string {
  const reading = readings[0]!;
  switch (reading.kind) {
    case 'message':
    case 'group':
      return `{${rawText(reading.fields)}}`;
    case 'string':
      return `"${visible(reading.value)}"${reading.cut ? '…' : ''}`;
    case 'bytes':
      return `${value.end - value.start} bytes`;
    case 'packed':
      return `[${reading.values.join(', ')}]`;
    default:
      return String(reading.value);
  }
}
