import { MAX_OCTETS } from '../../shared/contract';
import type { DetailField, FrameDetail, Span } from '../../shared/detail';
import { services } from '../state/app-store';
import { tell } from '../state/refusals';
import { grouped } from '../timeline/format';
import { COPY_LABELS, type CopyFormat, formatOctets } from './copy-formats';
import { useDetail } from './detail-state';

/** Octets copied at once, at most: as source text they take six times as much. */
export const MAX_COPIED = 4 << 20;

/** The octets that spans say, one after the other, no more than `limit`. */
export async function octetsOf(spans: readonly Span[], limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let left = limit;
  for (const { n, start, end } of spans) {
    for (let from = start; from < end && left > 0; ) {
      const count = Math.min(end - from, left, MAX_OCTETS);
      const { octets } = await services().api.frameOctets(n, { from, count });
      if (octets.length === 0) break;
      parts.push(octets);
      from += octets.length;
      left -= octets.length;
    }
  }
  const whole = new Uint8Array(limit - left);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** What is copied: a field's octets in all frames that carry it, else those of the frame. */
export function copiedSpans({ frame, captured }: FrameDetail, field: DetailField | undefined): Span[] {
  return field?.spans ?? [{ n: frame.n, start: 0, end: captured }];
}

/** Copies the chosen field, or the frame when none is; what goes wrong is told. */
export async function copyAs(format: CopyFormat, detail: FrameDetail, field: DetailField | undefined): Promise<void> {
  try {
    if (format === 'json') {
      await toClipboard(`${JSON.stringify(detail.frame, null, 2)}\n`);
      useDetail.setState({ copied: `Frame ${grouped(detail.frame.n)} copied as JSON` });
      return;
    }
    const spans = copiedSpans(detail, field);
    const octets = await octetsOf(spans, MAX_COPIED);
    const name = ['frame', String(detail.frame.n), ...(field === undefined ? [] : [field.label])];
    await toClipboard(formatOctets(octets, format, name));
    const cut = lengthOf(spans) > octets.length ? `The first ${grouped(octets.length)}` : grouped(octets.length);
    const noun = octets.length === 1 ? 'octet' : 'octets';
    useDetail.setState({ copied: `${cut} ${noun} copied as ${COPY_LABELS[format]}` });
  } catch (error) {
    tell(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A field's value as it is shown. */
export async function copyValue({ label, value }: DetailField): Promise<void> {
  try {
    await toClipboard(value);
    useDetail.setState({ copied: `Value of ${label} copied` });
  } catch (error) {
    tell(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The clipboard may be denied to a page; the document's own command is not, while a key or a click is handled. */
async function toClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    if (!done) throw new Error('the system’s clipboard is not to be had');
  }
}
