import type { FrameRecord } from '../../shared/records';

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, CSV injection); the wide forms
 * count too, which some locales read as the narrow ones.
 */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

export type CsvValue = string | number | boolean | null | undefined;

/** One cell (RFC 4180): numbers as they are, text made safe and quoted where it must be; null and undefined are empty. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvCell).join(',');
}

/** Digits that stand as they are. */
class Digits {
  constructor(readonly text: string) {}
}

/** A time in seconds with its nanoseconds, never in the form 1e-9. */
function seconds(value: number | null | undefined): Digits | undefined {
  return typeof value === 'number' ? new Digits(value.toFixed(9)) : undefined;
}

type Column = [title: string, value: (frame: FrameRecord) => CsvValue | Digits];

const COLUMNS: readonly Column[] = [
  ['n', (frame) => frame.n],
  ['t', (frame) => seconds(frame.t)],
  ['tFirst', (frame) => seconds(frame.tFirst)],
  ['delivered', (frame) => seconds(frame.delivered)],
  ['conn', (frame) => frame.conn],
  ['dir', (frame) => frame.dir],
  ['chunk', (frame) => frame.chunk],
  ['type', (frame) => frame.type],
  ['typeId', (frame) => frame.typeId],
  ['flags', (frame) => frame.flags.join(' ')],
  ['flagBits', (frame) => frame.flagBits],
  ['stream', (frame) => frame.stream],
  ['reserved', (frame) => frame.reserved],
  ['length', (frame) => frame.length],
  ['offset', (frame) => frame.offset],
  ['complete', (frame) => frame.complete],
  ['info', (frame) => frame.info],
  ['faults', (frame) => frame.faults?.map(({ code, message }) => `${code}: ${message}`).join('; ')],
];

export const FRAMES_CSV_HEADER = csvLine(COLUMNS.map(([title]) => title));

export function frameCsvLine(frame: FrameRecord): string {
  return COLUMNS.map(([, value]) => {
    const cell = value(frame);
    return cell instanceof Digits ? cell.text : csvCell(cell);
  }).join(',');
}
